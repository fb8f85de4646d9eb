package terminal

import (
	"fmt"

	"github.com/gocasebook/casebook/casefile"
)

// verdict prints the diagnosis in a sentence, with what settles an open question below it, and a blank line.
func (p *Printer) verdict(v *casefile.CaseVerdict) {
	if v == nil {
		return
	}
	p.Text("Verdict  ", v.Text)
	if v.Settle != "" {
		p.Text("settle   ", v.Settle)
	}
	fmt.Fprintln(p.W)
}

// causes prints the chains of two links or more: how what is wrong leads to what is noticed.
func (p *Printer) causes(all []casefile.Cause, more string) {
	for i, c := range all {
		if len(c.Links) < 2 || more != "" && i > 0 {
			continue
		}
		p.Text("chain    ", c.Links[0].ID+" "+c.Links[0].Kind)
		for _, l := range c.Links[1:] {
			p.link(l, more == "")
		}
		fmt.Fprintln(p.W)
	}
}

// link prints a link behind the root of a chain, and why it follows where the reader wants all.
func (p *Printer) link(l casefile.Link, why bool) {
	text := l.Text
	if l.ID != "" {
		text = l.ID + " " + text
	}
	if why && l.Why != "" {
		text += ", because " + l.Why
	}
	p.Text("      →  ", text)
}
