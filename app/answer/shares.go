package answer

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// shareOf is how a text says how much of something is spent or held: the number, and of what.
var shareOf = regexp.MustCompile(`(?i)(\d{1,3}(?:\.\d+)?) ?(?:%|per ?cent) of (?:the |all |its |what is |total )?` +
	`(?:live |process'?s? )?(cpu|processor|garbage|heap|memory|allocat\w+)\b`)

// shares checks the shares of a part of a text.
func (c *check) shares(text string) {
	for _, m := range shareOf.FindAllStringSubmatch(text, 4) {
		c.share(m, c.ofOthers(text))
	}
}

// inCode is how functions stand in prose: with a dot or brackets inside.
var inCode = regexp.MustCompile(`[\w)]\.[(*A-Za-z_]\w*`)

// ofOthers reports whether a part of a text names a function that is no place of the answer: its numbers may be that
// one's, which no fact is about.
func (c *check) ofOthers(text string) bool {
	for _, word := range strings.Fields(text) {
		word = strings.Trim(word, "`'\",;:")
		if inCode.MatchString(word) && !slices.ContainsFunc(c.a.Place,
			func(at casefile.At) bool { return sameFunction(word, at.Function) || sameFunction(at.Function, word) }) {
			return true
		}
	}
	return false
}

// share checks how much of something is said to go to the place: no more than facts there show together. Less may be a
// part of it.
func (c *check) share(m []string, others bool) {
	v, ok := plainNumber(m[1])
	if !ok {
		return
	}
	thing := strings.ToLower(m[2])
	word := thing
	switch {
	case strings.HasPrefix(thing, "allocat"):
		word = "garbage"
	case thing == "memory":
		word = "heap"
	case thing == "processor":
		word = "cpu"
	}
	q := quote{value: v / 100, unit: vitals.Share, written: v, factor: 0.01, name: word}
	said := strings.TrimSpace(m[1]) + " %"
	if n, other, by := c.ofOther(q, word); other != nil {
		c.say(casefile.Contradicted, AboutNumber, fmt.Sprintf("%s has %s for %s and %s for %s, and not %s of %s",
			by.ID, n, n.Name,
			other, other.Name, said, thing), by)
		return
	}
	if c.anywhere(q, word) {
		return
	}
	if most, by := c.sharesOf(word); len(by) > 0 && q.value > most*(1+sameWithin) {
		c.say(casefile.Contradicted, AboutNumber, fmt.Sprintf("all lines of the program together have %s of %s "+
			"by %s, and not %s",
			shareText(min(most, 1)), thing, ids(by), said), by...)
		return
	}
	if !others && !c.isBetween(q, word) {
		c.nowhere(q, said+" of "+thing, c.here())
	}
}

// leastPart is the part of the least share that a fact at the place has from which on another one may be of a part of
// what is done there, as of the function alone, or of one that it calls.
const leastPart = 0.5

// isBetween reports whether a share may be of a part of what facts show at the places, or of several together.
func (c *check) isBetween(q quote, word string) bool {
	together := 0.0
	for _, f := range c.here() {
		low, high := 1.0, 0.0
		for _, n := range f.Numbers {
			if f.Sort != facts.Judged && vitals.Unit(n.Unit) == vitals.Share && isShareOf(n.Name, word) {
				low, high = min(low, n.Value), max(high, n.Value)
			}
		}
		together += high
		if high > 0 && q.value >= low*leastPart && q.value <= together+apart {
			return true
		}
	}
	return false
}

// sharesOf is the part of a total that goes to all lines of the program that facts name: no line, with all that it
// calls in the program, has more.
func (c *check) sharesOf(word string) (most float64, by []*facts.Fact) {
	for i := range c.sheet.Facts {
		f := &c.sheet.Facts[i]
		if at, ok := f.Place(); f.Sort != facts.Cost && f.Sort != facts.Hold || !ok || at.Owner != facts.User {
			continue
		}
		for _, n := range f.Numbers {
			if vitals.Unit(n.Unit) == vitals.Share && isShareOf(n.Name, word) {
				most += n.Value
				by = append(by, f)
				break
			}
		}
	}
	return most, by
}

// Where shares of two totals are told apart: what is copied differs by its rounding alone, and two shares that are
// nearer to each other than some per cent may both be meant.
const (
	copiedWithin = 0.006
	apart        = 0.04
)

// ofOther is a fact at the place that has a share for another total, and another one for the total that a quote names.
func (c *check) ofOther(q quote, word string) (own, other *facts.Number, by *facts.Fact) {
	for _, f := range c.at {
		for i := range f.Numbers {
			n := &f.Numbers[i]
			switch {
			case vitals.Unit(n.Unit) != vitals.Share || !slices.Contains(nameWords(n.Name), "share"):
			case isShareOf(n.Name, word):
				if own == nil || q.off(n) < q.off(own) {
					own, by = n, f
				}
			case q.off(n) <= copiedWithin:
				other = n
			}
		}
	}
	if own == nil || other == nil || q.off(own) < apart {
		return nil, nil, nil
	}
	return own, other, by
}

// isShareOf reports whether a number is a share of CPU, garbage or the heap.
func isShareOf(name, word string) bool {
	words := nameWords(name)
	return slices.Contains(words, "share") && (slices.Contains(words, word) ||
		word == "garbage" && slices.Contains(words, "allocated"))
}
