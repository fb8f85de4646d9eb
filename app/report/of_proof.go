package report

import (
	"math"
	"strings"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/casefile"
)

// OfProof returns the page of a proof with the blocks that it was made of. The caller adds what else it knows: latency
// curves, profiles, the machine, further commands.
func OfProof(p casefile.Proof, blocks []prove.Block) Comparison {
	rounds := make([][3]prove.Round, len(blocks))
	for i, b := range blocks {
		rounds[i] = [3]prove.Round{b.A, b.A2, b.B}
	}
	c := ofRounds(p, rounds)
	c.Round = "block"
	c.Method = append(c.Method, readingBlocks...)
	return c
}

// ofRounds returns the page of a proof with its rounds: of the side before, of a second start of it, and of the side
// after.
func ofRounds(p casefile.Proof, rounds [][3]prove.Round) Comparison {
	c := Comparison{
		Taken: p.Taken, Verdict: p.Verdict, Summary: p.Summary, Promise: p.Promise, Load: p.Load,
		Sides: []Side{{p.Before.Label, p.Before.Command}, {p.After.Label, p.After.Command}},
	}
	if p.Method != "" {
		c.Method = append(c.Method, p.Method)
	}
	c.Method = append(c.Method, reading...)
	if s := p.Similarity; s != nil && s.Low {
		c.Warnings = append(c.Warnings, s.Text)
	} else if s != nil {
		c.Method = append(c.Method, s.Text)
	}
	if p.Machine != "" {
		c.Machine = facts(p.Machine)
	}
	for _, side := range c.Sides {
		if side.Command != "" {
			c.Commands = append(c.Commands, Command{"Start " + side.Label, side.Command})
		}
	}
	texts := make(map[string]string)
	for _, s := range prove.Figures() {
		texts[s.Name] = s.Text
	}
	for _, f := range p.Figures {
		c.Figures = append(c.Figures, Measured{
			Figure: f, Text: texts[f.Name],
			Rounds: Rounds{valuesOf(rounds, 0, f.Name), valuesOf(rounds, 1, f.Name), valuesOf(rounds, 2, f.Name)},
		})
	}
	return c
}

// reading says how to read the page, for somebody who has not seen such a measurement.
var reading = []string{
	"The 95 % interval is the range in which the true change lies, as far as these rounds can tell: that holds in 95 " +
		"of 100 such measurements. Better and worse mean that the procedure would rarely say so if nothing had " +
		"changed. The same means that the interval lies within the margin. Cannot tell means that it needs more " +
		"rounds or a quieter machine.",
	fromDue,
}

const fromDue = "Latencies count from the time a request was due, not from when it was sent: if a server hangs for a " +
	"second, every request of that second shows it."

// readingBlocks is for two servers that were measured at the same time.
var readingBlocks = []string{
	"In a block all servers run at the same time and are loaded in turns. The change is measured within each block, " +
		"so that anything that affects all of them cancels out. The values before and after are geometric means over " +
		"the blocks; the change is their ratio.",
	"Two runs of the same program never give the same figures. The noise floor is how much the version before " +
		"differed from itself when it was measured twice; it is the grey band in the charts. A change inside the " +
		"band says nothing.",
	"If a function is called from a different place, the difference of the profiles shows it as less in one place " +
		"and more in another. The table of functions adds up all places.",
}

// facts splits a description of the machine at its commas: "linux/amd64, 2 CPUs" has no names.
func facts(machine string) []Fact {
	name := "Machine"
	var out []Fact
	for part := range strings.SplitSeq(machine, ", ") {
		out = append(out, Fact{name, part})
		name = ""
	}
	return out
}

// valuesOf returns the values of one figure on one side, NaN where a round has none; nil if no round has it.
func valuesOf(rounds [][3]prove.Round, side int, name string) []float64 {
	var out []float64
	any := false
	for _, r := range rounds {
		v, ok := r[side][name]
		if !ok {
			v = math.NaN()
		}
		any = any || ok
		out = append(out, v)
	}
	if !any {
		return nil
	}
	return out
}
