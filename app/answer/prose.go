package answer

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// sentence ends where one of a text does, and part where one of its parts does.
var (
	sentence = regexp.MustCompile(`[.;!?](?:\s|$)|\n`)
	part     = regexp.MustCompile(`[,.;:!?](?:\s|$)|\n`)
)

const maxSentences = 200

// relative are words that make a number that of one of many, or one that is to be.
var relative = regexp.MustCompile(`(?i)\b(?:each|per|every|limit\w*|at most|up to|should|would|could|max\w*|one of)\b`)

// inProse checks the numbers of a text: those in a sentence with a fact's ID, which the fact has to have; and in a
// cause those that say how much of the CPU, the garbage or the heap something takes, how many wait or stay, how much is
// held or allocated, and how long a wait is.
func (c *check) inProse(text string, cause bool) {
	for _, s := range sentence.Split(text, maxSentences) {
		var cited []*facts.Fact
		for _, id := range factID.FindAllString(s, 8) {
			if f := c.fact(id); f != nil {
				cited = append(cited, f)
			}
		}
		if len(cited) > 0 {
			c.besideIDs(s, cited)
		}
		if !cause {
			continue
		}
		for _, p := range part.Split(s, maxSentences) {
			if relative.MatchString(p) {
				continue
			}
			c.shares(p)
			c.counts(p)
			c.sizes(p)
			c.times(p)
		}
	}
}

// quoted is a number with a unit, or before what is counted.
var quoted = regexp.MustCompile(`(?:^|[\s(~≈])(\d[\d,]*(?:\.\d+)?) ?(%|per ?cent|[KMG]i?B|bytes|µs|us|ms|ns|s\b|` +
	`seconds|minutes|min\b|cores|goroutines|requests)(?: of (?:the |all )?(\w+))?`)

// besideIDs checks the numbers of a sentence against the facts whose IDs are in it.
func (c *check) besideIDs(s string, cited []*facts.Fact) {
	for _, m := range quoted.FindAllStringSubmatch(s, 8) {
		v, ok := plainNumber(m[1])
		if !ok {
			continue
		}
		unit, factor, known := unitOf(m[2])
		q := quote{value: v * factor, unit: unit, written: v, factor: factor, name: strings.ToLower(m[3])}
		if !known {
			q.name = m[2]
		}
		if c.anywhere(q, "") {
			continue
		}
		if n, by := firstNamed(q, cited); n != nil {
			c.say(casefile.Contradicted, AboutNumber, fmt.Sprintf("%s has %s for %s, and not %s", by.ID, n, n.Name,
				strings.TrimSpace(m[0])), by)
		}
	}
}

// firstNamed is the first number of facts that has the name and the unit of a quote.
func firstNamed(q quote, of []*facts.Fact) (*facts.Number, *facts.Fact) {
	for _, f := range of {
		for i := range f.Numbers {
			if n := &f.Numbers[i]; q.mayBe(n) && q.name != "" && sameName(q.name, n.Name) {
				return n, f
			}
		}
	}
	return nil, nil
}

func plainNumber(s string) (float64, bool) {
	v, err := strconv.ParseFloat(strings.ReplaceAll(s, ",", ""), 64)
	return v, err == nil && !math.IsInf(v, 0)
}

// here are the facts that a number of the cause may be of: those at the places, those that the answer cites, and what
// is said of the whole process.
func (c *check) here() []*facts.Fact {
	all := append(slices.Clone(c.at), c.rests()...)
	for i := range c.sheet.Facts {
		if f := &c.sheet.Facts[i]; f.Sort == facts.Felt || f.Sort == facts.Machine {
			add(&all, f)
		}
	}
	return all
}

// nowhere says that no fact has a number, if facts have others of its sort: the nearest is named.
func (c *check) nowhere(q quote, said string, of []*facts.Fact) {
	var nearest *facts.Number
	var by *facts.Fact
	for _, f := range of {
		for i := range f.Numbers {
			n := &f.Numbers[i]
			is := q.mayBe(n) && n.Value > 0 && isCount(n.Name)
			if q.unit == vitals.Share {
				is = is && isShareOf(n.Name, q.name)
			}
			if is && (nearest == nil || q.off(n) < q.off(nearest)) {
				nearest, by = n, f
			}
		}
	}
	if nearest != nil {
		c.say(casefile.Unsupported, AboutNumber, fmt.Sprintf("no fact at the place has %s; the nearest is "+
			"%s for %s of %s", said, nearest, nearest.Name, by.ID), by)
	}
}

// anywhere reports whether some fact has a number; with a word, one that is a share of that.
func (c *check) anywhere(q quote, word string) bool {
	return c.has(q, func(name string) bool {
		if word != "" {
			return isShareOf(name, word)
		}
		return q.unit != vitals.Count || !slices.Contains(nameWords(name), "object") // of objects there are any number
	})
}

// has reports whether some fact has a number of such a name.
func (c *check) has(q quote, is func(name string) bool) bool {
	return slices.ContainsFunc(c.sheet.Facts, func(f facts.Fact) bool {
		return f.Sort != facts.Judged && hasNumber(&f, q, is)
	})
}

// hasOf reports whether one of some facts does.
func hasOf(all []*facts.Fact, q quote, is func(name string) bool) bool {
	return slices.ContainsFunc(all, func(f *facts.Fact) bool { return hasNumber(f, q, is) })
}

func hasNumber(f *facts.Fact, q quote, is func(name string) bool) bool {
	return slices.ContainsFunc(f.Numbers, func(n facts.Number) bool { return q.mayBe(&n) && q.agrees(&n) && is(n.Name) })
}
