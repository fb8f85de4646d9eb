package terminal

import (
	"io"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
)

// Story prints how a case ended, as one: the finding that its proof is about, the change that was made for it, what it
// promised and what the change brought. It prints nothing of a case whose proof names no finding.
func Story(w io.Writer, c *casefile.Case, change string) {
	if c.Proof == nil || c.Proof.Finding == nil {
		return
	}
	i := prove.About(c.Proof, c.Findings)
	if i < 0 {
		return
	}
	f, p := c.Findings[i], New(w)
	p.Text("  finding   ", f.ID+": "+f.Title)
	p.Text("  change    ", change)
	kept, measured := prove.Keeps(f, c.Proof)
	if f.Impact.Gain.High > 0 {
		p.Text("  promised  ", prove.GainRange(f.Impact.Gain)+" less "+f.Impact.Resource)
	}
	brought := c.Proof.Summary
	if measured {
		brought = kept.Figure + " " + number.Signed(number.Share, -kept.Measured) + ": " + string(c.Proof.Verdict)
	}
	p.Text("  brought   ", brought)
	p.Text("  ", storyEnd(f.ID, c.Proof.Verdict))
}

// storyEnd is the closing line.
func storyEnd(id string, v casefile.Verdict) string {
	if v == casefile.Better {
		return "The finding " + id + " is closed."
	}
	return "The finding " + id + " stays open: the verdict is " + string(v) + "."
}
