package terminal

import (
	"fmt"
	"io"

	"github.com/gocasebook/casebook/app/closing"
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
	p.Text("  ", storyEnd(&f, c.Proof))
}

// storyEnd is the closing line.
func storyEnd(f *casefile.Finding, proof *casefile.Proof) string {
	if why := closing.Open(proof, f); why != "" {
		return "The finding " + f.ID + " stays open: " + why + "."
	}
	return "The finding " + f.ID + " is closed."
}

// StaysOpen prints why a proof that is better leaves the finding open that it is about, and what would close it: it
// measured something else. Otherwise it prints nothing.
func StaysOpen(w io.Writer, findings []casefile.Finding, proof *casefile.Proof) {
	i := prove.About(proof, findings)
	if proof.Verdict == casefile.Better && i >= 0 && !closing.Closes(proof, &findings[i]) {
		fmt.Fprintln(w)
		New(w).Text("", storyEnd(&findings[i], proof))
	}
}
