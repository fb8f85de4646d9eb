package compare

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

const hostile = `x<script>alert(1)</script>|\x1b[31m`

func hostileReport(t *testing.T) *Report {
	t.Helper()
	name := "A/" + strings.ReplaceAll(hostile, " ", "")
	return reportOf(t, bench("ns/op", map[string][]float64{name: spread(100, 0.02, 10), "B": spread(5, 0.3, 10)}, name,
		"B"),
		bench("ns/op", map[string][]float64{name: spread(150, 0.02, 10), "B": spread(5, 0.3, 10)}, name, "B"),
		Options{})
}

func TestTextFits(t *testing.T) {
	var b bytes.Buffer
	if err := Text(&b, hostileReport(t), Layout{}); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > 80 {
			t.Errorf("a line of %d columns: %q", n, line)
		}
	}
	for _, want := range []string{"+50.00%", "0.000", "worse", "cannot tell", "geomean", "pkg: example.com/shop"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "\x1b") {
		t.Error("a control character of the input came through")
	}
}

func TestMarkdownEscapes(t *testing.T) {
	var b bytes.Buffer
	if err := Markdown(&b, hostileReport(t)); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "<script>") || !strings.Contains(b.String(), "**worse**") {
		t.Errorf("want an escaped name and a verdict in bold:\n%s", b.String())
	}
	if cells := regexp.MustCompile(`[^\\]\|`).FindAllString(strings.Split(b.String(), "\n")[6], -1); len(cells) != 6 {
		t.Errorf("a row has %d cells, want 6:\n%s", len(cells), b.String())
	}
}

func TestJSONReadsBack(t *testing.T) {
	r := reportOf(t, bench("x", map[string][]float64{"A": {0}}, "A"), bench("x", map[string][]float64{"A": {1}}, "A"),
		Options{})
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back Report
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	row := back.Tables[0].Rows[0]
	if back.Kind != ReportKind || !row.Change.isNaN() || row.New.Center != 1 || !row.New.Low.isNaN() {
		t.Errorf("%+v, want the change from 0 and the interval of one run as null", row)
	}
}
