package terminal

import (
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

func TestUndecidedStandTogether(t *testing.T) {
	var out strings.Builder
	p := New(&out)
	p.undecided([]casefile.Undecided{
		{Kind: "gc-cpu", Reason: "too few samples", CaptureNext: "take cpu"},
		{Kind: "surge", Reason: "too few goroutines", CaptureNext: "take goroutine"},
		{Kind: "hot", Reason: "too few samples", CaptureNext: "take cpu"},
		{Kind: "stacks", Reason: "too few of both", CaptureNext: "take cpu"},
		{Kind: "odd", Reason: "nobody knows"},
	})
	const want = `
Not judged, for lack of evidence:
  gc-cpu, hot: too few samples
  stacks: too few of both
    next: take cpu
  surge: too few goroutines
    next: take goroutine
  odd: nobody knows
`
	if out.String() != want {
		t.Errorf("it prints:\n%s\nwant:\n%s", out.String(), want)
	}
}

// In short it is a line, and where nothing was found, the capture that decides most.
func TestUndecidedInShort(t *testing.T) {
	missing := func(n int) (all []casefile.Undecided) {
		for _, d := range diagnose.Detectors()[:n] {
			if len(d.Needs) > 0 {
				all = append(all, casefile.Undecided{ID: d.ID, Kind: d.Kind, Reason: d.Needs[0].Reason,
					CaptureNext: "take cpu", Lacks: d.Needs[0].Kinds})
			}
		}
		return all
	}
	same := casefile.Undecided{ID: "x", Kind: "mem-leak", Reason: "both heap profiles are of one collection",
		CaptureNext: "take heap"}
	long := casefile.Undecided{ID: "y", Kind: strings.Repeat("long", 8), Reason: "it is"}
	for _, c := range []struct {
		name string
		all  []casefile.Undecided
		want string
	}{
		{"nothing", nil, ""},
		{"missing", missing(5), "\nNot judged: 5 kinds; why: --verbose\nnext: take cpu\n"},
		{"one reason", []casefile.Undecided{same}, "\nNot judged: mem-leak; why: --verbose\nnext: take heap\n"},
		{"both", append(missing(2), same),
			"\nNot judged: mem-leak, 2 more kinds; why: --verbose\nnext: take cpu\n"},
		{"long names", append(missing(2), long, long),
			"\nNot judged: " + long.Kind + ", 3 more kinds; why: --verbose\nnext: take cpu\n"},
	} {
		var out strings.Builder
		p := New(&out)
		p.undecidedInShort(casefile.Diagnosis{Undecided: c.all}, "--verbose")
		if out.String() != c.want {
			t.Errorf("%s: it prints\n%q, want\n%q", c.name, out.String(), c.want)
		}
		out.Reset()
		p.undecidedInShort(casefile.Diagnosis{Undecided: c.all, Findings: make([]casefile.Finding, 1)}, "--verbose")
		if n := strings.Count(out.String(), "\n"); n > 2 {
			t.Errorf("%s: %d lines beside a finding, want an empty one and one", c.name, n)
		}
	}
}

// What a detector says of the evidence that there is stands before the list of what is missing, which is shortened.
func TestUndecidedOfWhatIsMissing(t *testing.T) {
	var out strings.Builder
	p := New(&out)
	var all []casefile.Undecided
	for _, d := range diagnose.Detectors() {
		if strings.HasPrefix(d.Kind, "mem-") {
			all = append(all, casefile.Undecided{ID: d.ID, Kind: d.Kind, Reason: d.Needs[0].Reason,
				CaptureNext: "take heap", Lacks: d.Needs[0].Kinds})
		}
	}
	p.undecided(append(all, casefile.Undecided{Kind: "evidence-short", Reason: "it spans 2 s: too short",
		CaptureNext: "take longer"}))
	if got := out.String(); !strings.HasPrefix(got,
		"\nNot judged, for lack of evidence:\n  evidence-short: it spans 2 s: too short\n    next: take "+
			"longer\n  mem-") ||
		strings.Count(got, ": no heap profile\n") != 1 || strings.Contains(got, "not in other evidence") {
		t.Errorf("it prints:\n%s", got)
	}
}

// TestHardlyJudged: that nothing was found says something only where something could be.
func TestHardlyJudged(t *testing.T) {
	lacking := func(share float64) (all []casefile.Undecided) {
		for _, d := range diagnose.Detectors() {
			if len(d.Needs) > 0 && !strings.HasPrefix(d.Kind, "evidence-") {
				all = append(all, casefile.Undecided{ID: d.ID, Kind: d.Kind, Lacks: []string{casefile.CPU}})
			}
		}
		return all[:int(share*float64(len(all)))]
	}
	for _, c := range []struct {
		share float64
		want  string
	}{{0, nothingFound}, {0.5, nothingFound}, {0.95, "Hardly anything"}, {1, "Nothing could be judged"}} {
		var b strings.Builder
		Diagnosis(&b, casefile.Diagnosis{Undecided: lacking(c.share)}, "--verbose")
		if !strings.Contains(b.String(), c.want) {
			t.Errorf("%v of the kinds lack evidence: want %q in\n%s", c.share, c.want, b.String())
		}
	}
}
