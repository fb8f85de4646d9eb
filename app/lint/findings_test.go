package lint

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

// TestDetected: a notice at a line of the packages is a report; what is no mistake of a line, what is below a notice and
// what is in another folder is none, and a line that a check reports stands once.
func TestDetected(t *testing.T) {
	dir := module(t, map[string]string{"shop.go": shop})
	file := filepath.Join(dir, "shop.go")
	finding := func(kind string, score, line int, file string) Finding {
		return Finding{casefile.Finding{Kind: kind, Title: "About " + kind, Score: score,
			Where:    []casefile.Frame{{File: file, Line: line}},
			Impact:   casefile.Impact{Resource: "cpu", Share: .4, Gain: casefile.Gain{Low: .1, High: .2}},
			Remedies: []casefile.Remedy{{Title: "Do less"}}}, file}
	}
	res := run(t, Request{Dir: dir, Heat: costOf(t, file, map[int]int64{8: 30, 11: 69, 17: 5},
		map[int]string{8: "fmt.Sprintf", 11: "strings.Split"}), Findings: []Finding{
		finding("cpu-regexp", 25, 17, file),
		finding("alloc-fmt", 60, 8, file), // sprintfkey has it
		finding("io-small", 24, 18, file),
		finding("cpu-linear-search", 49, 18, file),
		finding("mem-leak", 80, 18, file),
		finding("io-reread", 80, 18, filepath.Join(dir, "other", "a.go")),
		{casefile.Finding{Kind: "cpu-regexp", Score: 80}, ""},
	}})
	if got, want := names(res), []string{"splitone", "sprintfkey", "cpu-regexp"}; !slices.Equal(got, want) {
		t.Fatalf("the reports are %v, want %v", got, want)
	}
	if also := res.Reports[1].Also; !slices.Contains(also, "alloc-fmt") {
		t.Errorf("of the key say the same: %v, want alloc-fmt among them", also)
	}
	if r := res.Reports[2]; r.Share != .4 || r.By != "cpu" || r.Gain != .15 || r.Source != Detector ||
		r.Message != "About cpu-regexp: Do less" || r.Text != "out += s" || r.Lines["cpu"] < .04 {
		t.Errorf("the finding is reported as %+v", r)
	}
}
