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
	figure := casefile.Figure{Name: prove.CPUPerRequest, Verdict: casefile.Better, Before: casefile.Stat{Value: 6e-3,
		N: 9},
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
	c.Findings[1].Impact = casefile.Impact{Resource: "goroutines"}
	terminal.Story(&b, &c, "another cache")
	if !strings.Contains(b.String(), "GC003 stays open: it is about goroutines, which") {
		t.Errorf("of a leak and a proof of CPU:\n%s", b.String())
	}
	b.Reset()
	terminal.StaysOpen(&b, c.Findings, c.Proof)
	if !strings.Contains(b.String(), "What would prove it: run the") {
		t.Errorf("nothing says what would prove it: %q", b.String())
	}
	b.Reset()
	c.Findings[1].Impact.Resource = "cpu"
	if terminal.StaysOpen(&b, c.Findings, c.Proof); b.Len() > 0 {
		t.Errorf("of a finding that is closed: %s", b.String())
	}
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
