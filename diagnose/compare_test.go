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
