package diagnose

import (
	"math"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
)

// TestPictureOfAnything: a picture that panics is reported as a failure, and the findings stay.
func TestPictureOfAnything(t *testing.T) {
	var rep Report
	rep.draw(&Reading{View: view.View{Table: stacks.NewTable("")}}) // its views are missing
	if rep.Picture != nil || len(rep.Failed) != 1 {
		t.Errorf("picture %v, failures %v; want none and one", rep.Picture, rep.Failed)
	}
	if got := (*casefile.Picture)(nil).Lines(); got != nil {
		t.Errorf("no picture has the lines %v", got)
	}
}

// TestMachineLine: one list of what the CPUs did, which adds up.
func TestMachineLine(t *testing.T) {
	use := beside(casefile.ProcessUse{PID: 42, Name: "xz", User: 1.1, Processes: 1})
	use.All = casefile.CPUUse{User: 1.4, System: 0.3, Interrupts: 0.1, Steal: 0.06, Idle: 0.14}
	use.Own.User, use.Own.System = 0.3, 0.2
	use.Unseen = 0.2 // the interrupts, and as much of processes that were not seen
	cpu := cpuProfile(t, 10, map[string]int64{workStack: 60, gcStack: 40})
	r, _ := read(t.Context(), Input{Evidence: []Evidence{cpu, neighboursEvidence(t, use)}})
	l := machineLine(r)
	sum, whats := 0.0, ""
	for _, p := range l.Places {
		sum += p.Share
		whats += p.What + "; "
	}
	if math.Abs(sum-1) > 1e-9 || l.Total != 2 || l.File != "neighbours.json" {
		t.Errorf("the shares are %g of %g CPUs: %s", sum, l.Total, l.Text)
	}
	for _, want := range []string{"2 CPUs: 55 % process 42 (xz)", "9 % this process: its code",
		"6 % this process: the garbage",
		"10 % the kernel for this process", "5 % interrupts", "3 % taken by the hypervisor", "7 % idle",
		"5 % processes that cannot be seen"} {
		if !strings.Contains(l.Text, want) {
			t.Errorf("want %q in %q", want, l.Text)
		}
	}
	if machineLine(&Reading{}) != nil {
		t.Error("a line without an account of the machine")
	}
	r, _ = read(t.Context(), Input{Evidence: []Evidence{neighboursEvidence(t, use)}})
	if l := machineLine(r); !strings.Contains(l.Text, "15 % this process in user mode") {
		t.Errorf("without a profile: %q", l.Text)
	}
}
