package terminal_test

import (
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/casefile"
)

// A story is about the finding that the proof names, though another is the first; its end depends on the verdict.
func TestStory(t *testing.T) {
	figure := casefile.Figure{Name: prove.CPUPerRequest, Before: casefile.Stat{Value: 6e-3, N: 9},
		After: casefile.Stat{Value: 3e-3, N: 9}}
	c := casefile.Case{Proof: &casefile.Proof{Verdict: casefile.Better, Summary: "cpu_per_request halved",
		Finding: &casefile.Treated{ID: "GC003", Kind: "gc-pointer-heap"}, Figures: []casefile.Figure{figure}}}
	c.Findings = []casefile.Finding{
		{ID: "GC006", Kind: "gc-death-spiral", Title: "The heap has no room",
			Impact: casefile.Impact{Resource: "cpu", Gain: casefile.Gain{Low: .1, High: .2}}},
		{ID: "GC003", Kind: "gc-pointer-heap", Title: "The heap is full of small objects",
			Impact: casefile.Impact{Resource: "cpu", Gain: casefile.Gain{Low: .4, High: .6}}},
	}
	var b strings.Builder
	terminal.Story(&b, &c, "another cache")
	want := `  finding   GC003: The heap is full of small objects
  change    another cache
  promised  40–60 % less cpu
  brought   cpu_per_request −50 %: better
  The finding GC003 is closed.
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
	b.Reset()
	c.Proof.Verdict = casefile.Worse
	terminal.Story(&b, &c, "another cache")
	if !strings.HasSuffix(b.String(), "  The finding GC003 stays open: the verdict is worse.\n") {
		t.Errorf("of a change that is worse:\n%s", b.String())
	}
	b.Reset()
	c.Proof.Finding = nil
	terminal.Story(&b, &c, "another cache")
	if b.Len() > 0 {
		t.Errorf("of a proof about no finding:\n%s", b.String())
	}
}
