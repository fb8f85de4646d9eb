package diagnose

import (
	"reflect"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

// findingAt makes a finding with the confidence of much evidence.
func findingAt(kind, function string, line, score int, share float64) casefile.Finding {
	f := casefile.Finding{ID: "X", Kind: kind, Score: score, Confidence: 0.9,
		Impact: casefile.Impact{Resource: "cpu", Share: share}}
	if function != "" {
		f.Where = []casefile.Frame{{Function: function, File: "/src/a.go", Line: line}}
	}
	return f
}

func diagnosisOf(fs ...casefile.Finding) casefile.Diagnosis { return casefile.Diagnosis{Findings: fs} }

// states writes a comparison as "worse cpu-json main.f +12".
func states(c Comparison) []string {
	var out []string
	for _, ch := range c.Changes {
		f := ch.Finding()
		out = append(out, strings.TrimSpace(ch.State+" "+f.Kind+" "+spotOf(f).Function))
	}
	return out
}

func TestCompare(t *testing.T) {
	thinNow := findingAt("cpu-json", "main.f", 10, 58, 0.2)
	thinNow.Confidence = 0.4
	blind := diagnosisOf()
	blind.Undecided = []casefile.Undecided{{Kind: "cpu-json", Reason: "no CPU profile"}}
	for _, c := range []struct {
		name      string
		base, now casefile.Diagnosis
		want      []string
	}{
		{"nothing on either side", diagnosisOf(), diagnosisOf(), nil},
		{"new", diagnosisOf(), diagnosisOf(findingAt("cpu-json", "main.f", 10, 50, 0.2)),
			[]string{"new cpu-json main.f"}},
		{"gone", diagnosisOf(findingAt("cpu-json", "main.f", 10, 50, 0.2)), diagnosisOf(),
			[]string{"gone cpu-json main.f"}},
		{"not judged now", diagnosisOf(findingAt("cpu-json", "main.f", 10, 50, 0.2)), blind,
			[]string{"unjudged cpu-json main.f"}},
		{"the line moved", diagnosisOf(findingAt("cpu-json", "main.f", 10, 50, 0.2)),
			diagnosisOf(findingAt("cpu-json", "main.f", 90, 50, 0.2)), []string{"same cpu-json main.f"}},
		{"4 points are chance", diagnosisOf(findingAt("cpu-json", "main.f", 10, 50, 0.2)),
			diagnosisOf(findingAt("cpu-json", "main.f", 10, 54, 0.22)), []string{"same cpu-json main.f"}},
		{"5 points are not", diagnosisOf(findingAt("cpu-json", "main.f", 10, 50, 0.2)),
			diagnosisOf(findingAt("cpu-json", "main.f", 10, 55, 0.22)), []string{"worse cpu-json main.f"}},
		{"5 points down", diagnosisOf(findingAt("cpu-json", "main.f", 10, 55, 0.2)),
			diagnosisOf(findingAt("cpu-json", "main.f", 10, 50, 0.18)), []string{"better cpu-json main.f"}},
		{"8 points of weak evidence are chance", diagnosisOf(findingAt("cpu-json", "main.f", 10, 50, 0.2)),
			diagnosisOf(thinNow), []string{"same cpu-json main.f"}},
		{"both capped, the share tells", diagnosisOf(findingAt("cpu-json", "main.f", 10, 74, 0.5)),
			diagnosisOf(findingAt("cpu-json", "main.f", 10, 74, 0.2)), []string{"better cpu-json main.f"}},
		{"a literal was counted up", diagnosisOf(findingAt("cpu-json", "main.f.func1", 10, 50, 0.2)),
			diagnosisOf(findingAt("cpu-json", "main.f.func2.1", 20, 50, 0.2)),
			[]string{"same cpu-json main.f.func2.1"}},
		{"a function called funcs is no literal", diagnosisOf(findingAt("cpu-json", "main.funcs", 10, 50, 0.2)),
			diagnosisOf(findingAt("cpu-json", "main.funcx", 20, 50, 0.2)),
			[]string{"new cpu-json main.funcx", "gone cpu-json main.funcs"}},
		{"of the process", diagnosisOf(findingAt("gc-cpu", "main.f", 10, 50, 0.2)),
			diagnosisOf(findingAt("gc-cpu", "main.g", 20, 30, 0.1)), []string{"better gc-cpu main.g"}},
		{"another function of one kind", diagnosisOf(findingAt("alloc-site", "main.f", 10, 50, 0.2)),
			diagnosisOf(findingAt("alloc-site", "main.g", 20, 50, 0.2)),
			[]string{"new alloc-site main.g", "gone alloc-site main.f"}},
		{"said more exactly", diagnosisOf(findingAt("alloc-site", "main.f", 10, 50, 0.2)),
			diagnosisOf(findingAt("alloc-fmt", "main.f", 10, 50, 0.2)), []string{"same alloc-fmt main.f"}},
		{"two lines of a function, one repaired", diagnosisOf(findingAt("alloc-fmt", "main.f", 10, 60, 0.3),
			findingAt("alloc-fmt", "main.f", 20, 40, 0.1)),
			diagnosisOf(findingAt("alloc-fmt", "main.f", 20, 40, 0.1)),
			[]string{"same alloc-fmt main.f", "gone alloc-fmt main.f"}},
		{"order", diagnosisOf(findingAt("a", "f", 1, 60, 0), findingAt("b", "f", 1, 50, 0),
			findingAt("c", "f", 1, 50, 0)),
			diagnosisOf(findingAt("b", "f", 1, 30, 0), findingAt("c", "f", 1, 90, 0), findingAt("d", "f", 1, 30, 0),
				findingAt("e", "f", 1, 40, 0)),
			[]string{"new e f", "new d f", "worse c f", "better b f", "gone a f"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := states(Compare(c.base, c.now)); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestCompareNotes(t *testing.T) {
	blind := diagnosisOf()
	blind.Undecided = []casefile.Undecided{{Kind: "cpu-json", Reason: "no CPU profile"}}
	for _, c := range []struct {
		name      string
		base, now casefile.Diagnosis
		want      string
	}{
		{"gone at the limit", diagnosisOf(findingAt("cpu-json", "main.f", 10, 27, 0.1)), diagnosisOf(), "close to 25"},
		{"gone from afar", diagnosisOf(findingAt("cpu-json", "main.f", 10, 60, 0.1)), diagnosisOf(), ""},
		{"the base was blind", blind, diagnosisOf(findingAt("cpu-json", "main.f", 10, 60, 0.1)),
			"the base could not judge this: no CPU profile"},
		{"now is blind", diagnosisOf(findingAt("cpu-json", "main.f", 10, 60, 0.1)), blind, "no CPU profile"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Compare(c.base, c.now).Changes[0].Note
			if got == "" != (c.want == "") || !strings.Contains(got, c.want) {
				t.Errorf("note %q, want %q", got, c.want)
			}
		})
	}
}

// Differences are now minus base. Shares of different resources are not compared.
func TestCompareDifferences(t *testing.T) {
	base, now := findingAt("cpu-json", "main.f", 10, 50, 0.2), findingAt("cpu-json", "main.f", 10, 62, 0.3)
	if c := Compare(diagnosisOf(base), diagnosisOf(now)).Changes[0]; c.Score != 12 || c.Share != 0.1 {
		t.Errorf("score %+d, share %+g; want +12, +0.1", c.Score, c.Share)
	}
	now.Impact.Resource = "memory"
	if c := Compare(diagnosisOf(base), diagnosisOf(now)).Changes[0]; c.Share != 0 {
		t.Errorf("a share of memory less one of CPU is %g, want 0", c.Share)
	}
	if c := Compare(diagnosisOf(base), diagnosisOf()).Changes[0]; c.Score != -50 || c.Share != -0.2 {
		t.Errorf("gone: score %+d, share %+g; want -50, -0.2", c.Score, c.Share)
	}
}

func TestCompareReportsStatesTheBasis(t *testing.T) {
	base := Report{Read: []Artefact{{Kind: "cpu", Text: "CPU profile: 1,204 samples over 10 s"}}}
	now := Report{Read: []Artefact{{Kind: "cpu", Text: "CPU profile: 3,611 samples over 30 s"},
		{Kind: "goroutine", Text: "12 goroutines"}}}
	want := []BasisPair{{"cpu", "1,204 samples over 10 s", "3,611 samples over 30 s"},
		{"goroutine", "", "12 goroutines"}}
	if got := CompareReports(base, now).Against; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A finding counts as gone only if the evidence that it rested on was captured again.
func TestCompareReportsDoubts(t *testing.T) {
	found := findingAt("alloc-fmt", "main.f", 10, 60, 0.3)
	found.Evidence = []casefile.Basis{{Kind: casefile.CPU}, {Kind: casefile.Allocs}}
	base := Report{Diagnosis: diagnosisOf(found)}
	for _, c := range []struct {
		name  string
		read  []Artefact
		state string
		note  string
	}{
		{"all captured again", []Artefact{{Kind: casefile.CPU}, {Kind: casefile.Heap}}, StateGone, ""},
		{"one of two", []Artefact{{Kind: casefile.CPU}}, StateGone, "missing now: allocs"},
		{"nothing of it", []Artefact{{Kind: casefile.Goroutine}}, StateUnjudged, "missing now: cpu, allocs"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := CompareReports(base, Report{Read: c.read}).Changes[0]
			if got.State != c.state || !strings.Contains(got.Note, c.note) || got.Note == "" != (c.note == "") {
				t.Errorf("%s, %q; want %s, %q", got.State, got.Note, c.state, c.note)
			}
		})
	}
}
