package diagnose_test

import (
	"bytes"
	"fmt"
	"sort"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// TestOtherProfilers: what Go's own profile of a faulty program shows is also found when an eBPF agent sampled the
// program, with names and nothing else, and in folded stacks.
func TestOtherProfilers(t *testing.T) {
	in := loadCase(t, "regexp_compile/faulty")
	var own *profile.Profile
	for _, e := range in.Evidence {
		if e.Kind == casefile.CPU {
			p, err := profile.ParseData(e.Data)
			if err != nil {
				t.Fatal(err)
			}
			own = p
		}
	}
	if own == nil {
		t.Fatal("no CPU profile in regexp_compile/faulty")
	}
	only := func(data []byte) casefile.Finding {
		rep := diagnose.Run(t.Context(), diagnose.Input{Build: in.Build, Limits: in.Limits,
			Evidence: []diagnose.Evidence{{Name: "stacks", Data: data}}}, diagnose.Options{})
		for _, f := range rep.Findings {
			if f.Kind == "regexp-compile" {
				return f
			}
		}
		t.Errorf("regexp-compile is not among %v; read %v, problems %v", kinds(rep.Findings), rep.Read, rep.Problems)
		return casefile.Finding{Where: []casefile.Frame{{}}}
	}
	var b bytes.Buffer
	if err := own.Write(&b); err != nil {
		t.Fatal(err)
	}
	want := only(b.Bytes()).Where[0].Function
	if want == "" || !strings.Contains(want, "regexp_compile") {
		t.Fatalf("Go's own profile blames %q", want)
	}
	if got := only(byAgent(t, own)).Where[0].Function; got != want {
		t.Errorf("an agent's profile blames %s, want %s", got, want)
	}
	if f := only(foldedOf(own)); f.Where[0].Function != want || f.Score > capUnsure {
		t.Errorf("folded stacks blame %s with %d, want %s with %d at most: they tell no time", f.Where[0].Function,
			f.Score, want, capUnsure)
	}
}

// byAgent is a profile as an eBPF agent would have sampled it: counts, a period of time, names.
func byAgent(t *testing.T, own *profile.Profile) []byte {
	t.Helper()
	p := own.Copy()
	p.SampleType = []*profile.ValueType{{Type: "samples", Unit: "count"}}
	p.PeriodType = &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}
	p.Period = 10_000_000
	for _, s := range p.Sample {
		s.Value = s.Value[:1]
	}
	for _, f := range p.Function {
		f.Filename = ""
	}
	for _, l := range p.Location {
		for i := range l.Line {
			l.Line[i].Line = 0
		}
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// foldedOf is the text that flame graphs are drawn from.
func foldedOf(own *profile.Profile) []byte {
	var lines []string
	for _, s := range own.Sample {
		var names []string
		for _, l := range s.Location {
			for _, line := range l.Line {
				names = append([]string{line.Function.Name}, names...)
			}
		}
		lines = append(lines, fmt.Sprintf("shop;%s %d\n", strings.Join(names, ";"), s.Value[0]))
	}
	sort.Strings(lines)
	return []byte(strings.Join(lines, ""))
}
