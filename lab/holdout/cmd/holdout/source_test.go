package main

import (
	"bytes"
	"strings"
	"testing"
)

// TestStored: evidence of every service is in the repository and can be diagnosed. TestCases/holdout in package
// diagnose holds the findings to the truth, not this test.
func TestStored(t *testing.T) {
	for _, name := range []string{"holdout", "holdout2", "holdout3", "holdout4", "holdout5", "holdout6"} {
		all, err := readExpectations("../../../" + name + "/holdout.json")
		if err != nil {
			t.Fatal(err)
		}
		o := options{from: name}
		var out bytes.Buffer
		var rows table
		for _, e := range all {
			d, err := o.stored(t.Context(), e)
			if err != nil {
				t.Error(err)
			}
			rows.add(&out, e, d)
		}
		rows.totals(&out)
		if got := strings.Count(out.String(), "\n| "); got != len(all) {
			t.Errorf("%d rows for %d services:\n%s", got, len(all), out.String())
		}
		if n := rows.count[falseAlarm]; n > 0 || rows.found < rows.count[hit] ||
			rows.sick+rows.count[clean] != len(all) {
			t.Errorf("%d false alarms, %d found, %d sick:\n%s", n, rows.found, rows.sick, out.String())
		}
		if _, err := o.stored(t.Context(), expectation{Name: "unknown"}); err == nil {
			t.Error("a service without evidence was judged")
		}
	}
}

// TestNoSuchService: a misspelt name is an error, not a table without rows.
func TestNoSuchService(t *testing.T) {
	o := options{run: "ledgr", programs: "../..", list: "holdout.json", from: "holdout"}
	if err := o.main(t.Context()); err == nil || !strings.Contains(err.Error(), `"ledgr"`) {
		t.Errorf("err = %v, want one with the name", err)
	}
}
