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

// What numbers of prose are about. A form has the number in its first group, and the unit, where it has one, in its
// second.
var (
	shareOf = regexp.MustCompile(`(?i)(\d{1,3}(?:\.\d+)?) ?(?:%|per ?cent) of (?:the |all |its |what is )?(?:live )?` +
		`(cpu|garbage|heap|allocat\w+)\b`)
	waiting = regexp.MustCompile(`(?i)(?:^|[\s(]|\ball )(\d[\d,]*)((?: [A-Za-z(*][\w()*.\[\]-]*){0,5}?) (?:wait` +
		`|waits|waiting|stay|stays|sleep|are open|` +
		`are left|stand|hang|are stuck|are blocked|never end|pile up|are in progress|in progress)\b`)
	holding = regexp.MustCompile(`(?i)\b(hold|holds|held|keep|keeps|retain|retains|allocates?` +
		`|allocated)((?: [^\s\d]+){0,3}?) ` +
		`(?:about |some |~|over |more than |nearly )?(\d[\d,]*(?:\.\d+)?) ?([KMGT]i?B)\b`)
)

// inProse checks the numbers of a text: those in a sentence with a fact's ID, which the fact has to have; and in a
// cause those that say how much of the CPU, the garbage or the heap something takes, how many wait or stay, and how
// much is held or allocated.
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
			for _, m := range shareOf.FindAllStringSubmatch(p, 4) {
				c.share(m)
			}
			for _, m := range waiting.FindAllStringSubmatch(p, 4) {
				c.count(m)
			}
			for _, m := range holding.FindAllStringSubmatch(p, 4) {
				c.size(m)
			}
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

// share checks how much of something is said to go to the place: no more than facts there show together. Less may be a
// part of it.
func (c *check) share(m []string) {
	v, ok := plainNumber(m[1])
	if !ok {
		return
	}
	thing := strings.ToLower(m[2])
	word := thing
	if strings.HasPrefix(thing, "allocat") {
		word = "garbage"
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
	}
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

// leastCounted is from which count on one is checked: of a few, a text says much else.
const leastCounted = 10

// count checks how many are said to wait or stay.
func (c *check) count(m []string) {
	v, ok := plainNumber(m[1])
	if !ok || v < leastCounted {
		return
	}
	q := quote{value: v, unit: vitals.Count, written: v, factor: 1}
	if c.anywhere(q, "") {
		return
	}
	if all, by := c.goroutines(); by != nil && v > all*(1+sameWithin) {
		c.say(casefile.Contradicted, AboutNumber, fmt.Sprintf("%s are said to, and the process has %s goroutines",
			strings.TrimSpace(m[1]), facts.Number{Value: all, Unit: string(vitals.Count)}), by)
		return
	}
	if v < c.mostCounted() && !whole.MatchString(m[0]) {
		return // they may be some of those that facts count together
	}
	c.say(casefile.Unsupported, AboutNumber, fmt.Sprintf("no fact counts %s", strings.TrimSpace(m[0])), c.at...)
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

// size checks how much is said to be held or allocated: not in another unit than facts have it, no more than all
// memory, and no less than what facts saw being allocated there.
func (c *check) size(m []string) {
	v, ok := plainNumber(m[3])
	unit, factor, known := unitOf(m[4])
	if !ok || !known || unit != vitals.Bytes {
		return
	}
	q := quote{value: v * factor, unit: unit, written: v, factor: factor}
	allocates := strings.HasPrefix(strings.ToLower(m[1]), "allocat")
	if allocates && c.has(q, isMade) || !allocates && c.anywhere(q, "") {
		return
	}
	said := strings.TrimSpace(m[3] + " " + m[4])
	most, mostBy := 0.0, (*facts.Fact)(nil)
	for i := range c.sheet.Facts {
		f := &c.sheet.Facts[i]
		for k := range f.Numbers {
			n := &f.Numbers[k]
			if vitals.Unit(n.Unit) != vitals.Bytes {
				continue
			}
			here := slices.Contains(c.at, f)
			if here && q.slipped(n) || here && allocates && n.Name == "allocated" && 2*q.value < n.Value {
				c.say(casefile.Contradicted, AboutNumber, fmt.Sprintf("%s has %s for %s, and not %s", f.ID, n,
					n.Name, said), f)
				return
			}
			if n.Value > most {
				most, mostBy = n.Value, f
			}
		}
	}
	if limit, by := c.resident(); !allocates && by != nil {
		most, mostBy = limit, by
	}
	if mostBy != nil && q.value > most*(1+roundedWithin) {
		c.say(casefile.Contradicted, AboutNumber, fmt.Sprintf("%s is more than all that %s shows: %s", said, mostBy.ID,
			facts.Number{Value: most, Unit: string(vitals.Bytes)}), mostBy)
	}
}

// resident is the most memory that the process is seen to have.
func (c *check) resident() (most float64, by *facts.Fact) {
	for i := range c.sheet.Facts {
		f := &c.sheet.Facts[i]
		for _, n := range f.Numbers {
			is := f.Sort == facts.Felt && n.Name == "rss" || f.Sort == facts.Hold && n.Name == "resident"
			if is && n.Value > most {
				most, by = n.Value, f
			}
		}
	}
	return most, by
}

// slipped reports whether a size is a fact's number in another unit: thousands of times as much, or as little.
func (q quote) slipped(n *facts.Number) bool {
	for _, by := range []float64{1e3, 1 << 10, 1e6, 1 << 20} {
		for _, v := range []float64{q.value * by, q.value / by} {
			other := q
			other.value, other.factor = v, v/q.written
			if other.agrees(n) {
				return true
			}
		}
	}
	return false
}

// isMade reports whether a number is of what was allocated, whether or not it is there still.
func isMade(name string) bool { return name == "allocated" || name == "made" }

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
		return slices.ContainsFunc(f.Numbers,
			func(n facts.Number) bool { return q.mayBe(&n) && q.agrees(&n) && is(n.Name) })
	})
}
