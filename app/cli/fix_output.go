package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/fix"
	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/internal/number"
)

func (f *fixFlags) output(out io.Writer, dir string, res *fix.Result, note string, named bool) error {
	if f.json {
		return writeJSON(out, res)
	}
	p := terminal.New(out)
	if note != "" {
		p.Text("Source   ", "other code than here may have run: "+note)
		fmt.Fprintln(p.W)
	}
	alone := 0
	for i := range res.Proposals {
		c := &res.Proposals[i]
		if c.Refused != "" && !named && !f.verbose {
			alone++
			continue
		}
		printProposal(p, dir, c)
	}
	if alone > 0 {
		p.Text("Alone    ", fmt.Sprintf("%s left alone; --verbose says why", number.Things(alone, "place")))
	}
	if len(res.Proposals) == 0 {
		p.Text("Changes  ", "none: nothing in the evidence has a cure that fix can write")
	}
	if next := f.next(res); next != "" {
		p.Text("Next     ", next)
	}
	for _, file := range res.Written {
		p.Text("Wrote    ", nearName(file))
	}
	for _, g := range res.Gaps {
		p.Text("Left out ", g.What+": "+g.Reason)
	}
	return nil
}

// next is how changes that are only printed get into the code.
func (f *fixFlags) next(res *fix.Result) string {
	switch {
	case f.write || f.branch != "" || !res.Changed(f.prove):
		return ""
	case f.prove:
		return "--write puts what is kept into the files, --branch NAME into commits with the proof"
	}
	return "--write changes the files; --prove builds, tests and measures first"
}

func printProposal(p *terminal.Printer, dir string, c *fix.Proposal) {
	at := ""
	if c.File != "" {
		rel, err := filepath.Rel(dir, c.File)
		if err != nil {
			rel = c.File
		}
		at = fmt.Sprintf(" at %s:%d", rel, c.Line)
	}
	p.Text("", c.Target.Name+at)
	if c.Refused != "" {
		p.Text("  alone  ", c.Refused)
		if s := fix.Setting(c.Target.Kind); s != "" && len(c.Target.Settings) == 0 {
			p.Text("  setting ", s)
		}
		fmt.Fprintln(p.W)
		return
	}
	p.Text("  change ", c.Text+" ("+c.By+")")
	if c.Price != "" {
		p.Text("  price  ", c.Price)
	}
	if g := c.Target.Gain; g.High > 0 && c.Proof == nil {
		p.Text("  gain   ", "promised: "+prove.GainRange(g)+" of "+c.Target.Resource)
	}
	if c.Proof != nil {
		printFixProof(p, c.Proof)
	}
	fmt.Fprintln(p.W)
	for line := range strings.Lines(c.Diff) {
		fmt.Fprint(p.W, line)
	}
	fmt.Fprintln(p.W)
}

func printFixProof(p *terminal.Printer, proof *fix.Proof) {
	if proof.Tests != "" {
		p.Text("  tests  ", proof.Tests)
	}
	if proof.Measurement != nil {
		for _, f := range proof.Figures {
			sure := ""
			if !f.Sure {
				sure = ", not sure"
			}
			p.Text("         ", f.String()+sure)
		}
	}
	if proof.Promise != "" {
		p.Text("         ", proof.Promise)
	}
	switch {
	case proof.Kept && proof.Commit != "":
		p.Text("  kept   ", "better; commit "+proof.Commit[:min(12, len(proof.Commit))])
	case proof.Kept:
		p.Text("  kept   ", "better")
	default:
		p.Text("  dropped ", proof.Reason)
	}
}

func (f *fixFlags) printCures(cmd *cobra.Command) error {
	cures := fix.Cures()
	if f.json {
		return writeJSON(cmd.OutOrStdout(), cures)
	}
	p := terminal.New(cmd.OutOrStdout())
	for _, c := range cures {
		p.Text(fmt.Sprintf("%-14s ", c.Name), c.Does)
		if len(c.Kinds) > 0 {
			p.Text(strings.Repeat(" ", 15), "findings: "+strings.Join(c.Kinds, ", "))
		}
		if len(c.Checks) > 0 && c.Checks[0] != c.Name {
			p.Text(strings.Repeat(" ", 15), "diagnostics: "+strings.Join(c.Checks, ", "))
		}
		if c.Price != "" {
			p.Text(strings.Repeat(" ", 15), "price: "+c.Price)
		}
	}
	return nil
}
