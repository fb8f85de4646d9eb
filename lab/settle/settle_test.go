package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/settle"
	"github.com/gocasebook/casebook/casefile"
)

// TestFindings: each row is of a service that is here, and names lines where it expects that the source confirms.
func TestFindings(t *testing.T) {
	rows, err := readRows("findings.json")
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 165 {
		t.Errorf("%d rows, want one for each finding of the hold-outs: 165", len(rows))
	}
	for _, r := range rows {
		if info, err := os.Stat(filepath.Join("..", r.Set, r.Service)); err != nil || !info.IsDir() {
			t.Errorf("%s %s: no such service: %v", r.Set, r.Service, err)
		}
		if r.Verdict == casefile.Confirms && (len(r.Lines) == 0 || r.Why == "") {
			t.Errorf("%s %s %s: no line, or no reason", r.Set, r.Service, r.Kind)
		}
		if r.Verdict != "none" && !slices.Contains(settle.Kinds(), r.Kind) {
			t.Errorf("%s %s: no question is about %s", r.Set, r.Service, r.Kind)
		}
	}
}

// TestHoldouts: of the first two hold-outs, which are packages of this module, the source settles what a reader settles,
// and says nothing else. The code of three services has changed since their evidence was recorded.
func TestHoldouts(t *testing.T) {
	rows, err := readRows("findings.json")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("..")
	rows = slices.DeleteFunc(rows, func(r row) bool { return r.Set != "holdout" && r.Set != "holdout2" })
	var out strings.Builder
	counts, asked, err := compareRows(t.Context(), &out, rows, regexp.MustCompile(""), false)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{confirmedRightly: 28, missed: 3, silentRightly: 61}
	for _, o := range []string{confirmedRightly, confirmedWrongly, contradictedRightly, contradictedWrongly, missed,
		silentRightly} {
		if counts[o] != want[o] {
			t.Errorf("%d %s, want %d", counts[o], o, want[o])
		}
	}
	if asked < 40 {
		t.Errorf("%d findings were asked about", asked)
	}
	if t.Failed() {
		t.Log(out.String())
	}
}

// TestOutcome: an outcome is right only with a line that the reader named.
func TestOutcome(t *testing.T) {
	at := func(verdict string, line int) []casefile.Settled {
		return []casefile.Settled{{Verdict: verdict, Lines: []casefile.SourceLine{{File: "/x/main.go", Line: line}}}}
	}
	confirms := row{Verdict: casefile.Confirms, Lines: []string{"main.go:7"}}
	for _, c := range []struct {
		row  row
		said []casefile.Settled
		want string
	}{
		{confirms, at(casefile.Confirms, 7), confirmedRightly},
		{confirms, at(casefile.Confirms, 8), confirmedWrongly},
		{confirms, at(casefile.Adds, 7), missed},
		{confirms, nil, missed},
		{confirms, at(casefile.Contradicts, 7), contradictedWrongly},
		{row{Verdict: "none"}, at(casefile.Confirms, 7), confirmedWrongly},
		{row{Verdict: "none"}, at(casefile.Adds, 7), silentRightly},
		{row{Verdict: casefile.Contradicts}, at(casefile.Contradicts, 7), contradictedRightly},
	} {
		if got := c.row.outcome(c.said); got != c.want {
			t.Errorf("%+v of %+v: %s, want %s", c.said, c.row, got, c.want)
		}
	}
}
