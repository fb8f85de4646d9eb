package answer

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// waiting is how a text says how many wait or stay, and counted of what it does: the number is in the first group.
var (
	waiting = regexp.MustCompile(`(?i)(?:^|[\s(]|\ball )(\d[\d,]*)((?: [A-Za-z(*][\w()*.\[\]-]*){0,5}?) (?:wait` +
		`|waits|waiting|stay|stays|sleep|are open|` +
		`are left|stand|hang|are stuck|are blocked|never end|pile up|are in progress|in progress)\b`)
	counted = regexp.MustCompile(`(?i)(?:^|[\s(~]|\ball )(\d[\d,]*)((?: [a-z][a-z-]*){0,2}? (?:goroutines|requests))\b`)
)

// counts checks the counts of a part of a text.
func (c *check) counts(text string) {
	said := waiting.FindAllStringSubmatch(text, 4)
	for _, m := range counted.FindAllStringSubmatch(text, 4) {
		if !slices.ContainsFunc(said, func(x []string) bool { return x[1] == m[1] }) {
			said = append(said, m)
		}
	}
	for _, m := range said {
		c.count(m, text)
	}
}

// someOf is how a text says that it counts some of what it has counted before.
var someOf = regexp.MustCompile(`(?i)\d of (?:the|those|them|these|its|\d)`)

// plainly is how a text counts without saying which of them it means.
var plainly = regexp.MustCompile(`(?i)^\W*(?:all )?[\d,]+ (?:goroutines|requests|wait)\b`)

// leastCounted is from which count on one is checked: of a few, a text says much else.
const leastCounted = 10

// count checks how many are said to wait or stay.
func (c *check) count(m []string, text string) {
	v, ok := plainNumber(m[1])
	if !ok || v < leastCounted {
		return
	}
	q := quote{value: v, unit: vitals.Count, written: v, factor: 1}
	of := c.here()
	if hasOf(of, q, isCount) || c.isPart(q, of) {
		return
	}
	if all, by := c.goroutines(); by != nil && v > all*(1+sameWithin) {
		c.say(casefile.Contradicted, AboutNumber, fmt.Sprintf("%s are said to, and the process has %s goroutines",
			strings.TrimSpace(m[1]), facts.Number{Value: all, Unit: string(vitals.Count)}), by)
		return
	}
	// They may be some of those that facts count together.
	part := v < c.mostCounted() && !whole.MatchString(m[0]) && (!plainly.MatchString(m[0]) || c.ofOthers(text) ||
		someOf.MatchString(text))
	if !part {
		c.nowhere(q, strings.TrimSpace(m[0]), of)
	}
}

// isCount reports whether a number is of goroutines, requests and the like, and not of objects, of which there are any
// number, or of points.
func isCount(name string) bool {
	words := nameWords(name)
	return !slices.Contains(words, "object") && !slices.Contains(words, "score")
}

// isPart reports whether a count is of the part of a fact's that has one of its stacks, or of two facts together.
func (c *check) isPart(q quote, of []*facts.Fact) bool {
	var whole []facts.Number
	for _, f := range of {
		i := slices.IndexFunc(f.Numbers, func(n facts.Number) bool { return q.mayBe(&n) && isCount(n.Name) })
		if i < 0 || f.Sort != facts.Wait && f.Sort != facts.Hold {
			continue
		}
		n := f.Numbers[i]
		for _, s := range f.Stacks {
			part := facts.Number{Value: math.Round(n.Value * s.Share), Unit: n.Unit}
			if part.Value > 0 && q.agrees(&part) {
				return true
			}
		}
		for _, other := range whole {
			if q.agrees(&facts.Number{Value: n.Value + other.Value, Unit: n.Unit}) {
				return true
			}
		}
		whole = append(whole, n)
	}
	return false
}

// whole is how a text says that a count is of all.
var whole = regexp.MustCompile(`(?i)^\W*all `)

// mostCounted is the largest count of who waits or stays at the places.
func (c *check) mostCounted() (most float64) {
	for _, f := range c.at {
		for _, n := range f.Numbers {
			if vitals.Unit(n.Unit) == vitals.Count && f.Sort != facts.Cost && !slices.Contains(nameWords(n.Name),
				"object") {
				most = max(most, n.Value)
			}
		}
	}
	return most
}

// goroutines is how many the process has at most.
func (c *check) goroutines() (most float64, by *facts.Fact) {
	for i := range c.sheet.Facts {
		f := &c.sheet.Facts[i]
		for _, n := range f.Numbers {
			if f.Sort == facts.Felt && n.Name == "goroutines" && n.Value > most {
				most, by = n.Value, f
			}
		}
	}
	return most, by
}
