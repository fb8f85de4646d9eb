package answer

import (
	"context"
	"fmt"
	"regexp"
	"slices"

	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/casefile"
)

// factID is how the ID of a fact stands in prose: in brackets, or as a word of its own.
var factID = regexp.MustCompile(`\b([FSWHCMKLJN]\d{1,3})\b`)

// cited checks that the facts exist that the answer cites, also in its numbers.
func (c *check) cited(context.Context) {
	said := slices.Clone(c.a.Rests)
	for _, n := range c.a.Numbers {
		if n.Fact != "" {
			said = append(said, n.Fact)
		}
	}
	var missing []string
	var there []*facts.Fact
	for _, id := range said {
		switch f := c.fact(id); {
		case f != nil && !slices.Contains(there, f):
			there = append(there, f)
		case f == nil && !slices.Contains(missing, id):
			missing = append(missing, id)
		}
	}
	for _, id := range missing[:min(len(missing), 3)] {
		c.say(casefile.Unsupported, AboutFact, fmt.Sprintf("no fact %s is in the brief of this evidence", id))
	}
	if len(there) == 0 {
		return
	}
	related := slices.ContainsFunc(there, func(f *facts.Fact) bool { return slices.Contains(c.at, f) })
	if !related && len(c.at) > 0 && len(missing) == 0 && slices.ContainsFunc(there, located) {
		c.say(casefile.Unsupported, AboutFact, fmt.Sprintf("%s is about another place than the answer; %s is at it",
			ids(there), ids(c.at)), there...)
		return
	}
	c.say(casefile.Supported, AboutFact, fmt.Sprintf("%s is in the evidence", ids(there)), there...)
}

// located reports whether a fact is about a place in the code.
func located(f *facts.Fact) bool {
	return len(f.Stacks) > 0 && (f.Sort == facts.Wait || f.Sort == facts.Hold || f.Sort == facts.Cost)
}
