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

// holding is how a text says how much is held or allocated.
var holding = regexp.MustCompile(`(?i)\b(hold|holds|held|keep|keeps|retain|retains|allocates?` +
	`|allocated)((?: [^\s\d]+){0,3}?) ` +
	`(?:about |some |~|over |more than |nearly )?(\d[\d,]*(?:\.\d+)?) ?([KMGT]i?B)\b`)

// A size in a part of a text that speaks of memory is one that is held, or made.
var (
	sized    = regexp.MustCompile(`(?i)(?:^|[\s(~])(\d[\d,]*(?:\.\d+)?) ?([MGT]i?B)(/s| per second| each)?\b`)
	ofMemory = regexp.MustCompile(`(?i)\b(?:heap|memory|resident|rss|live|alive|garbage)\b`)
)

// sizes checks the sizes of a part of a text.
func (c *check) sizes(text string) {
	said := holding.FindAllStringSubmatch(text, 4)
	for _, m := range sized.FindAllStringSubmatch(text, 4) {
		again := slices.ContainsFunc(said, func(x []string) bool { return x[3] == m[1] })
		if m[3] == "" && !again && ofMemory.MatchString(text) {
			said = append(said, []string{m[0], "", "", m[1], m[2]})
		}
	}
	for _, m := range said {
		c.size(m, text)
	}
}

// size checks how much is said to be held or allocated: not in another unit than facts have it, no more than all
// memory, and no less than what facts saw being allocated there.
func (c *check) size(m []string, text string) {
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
		return
	}
	if !c.ofOthers(text) && !c.isTogether(q) {
		c.nowhere(q, said, c.here())
	}
}

// isTogether reports whether a size is what two facts at the places have together.
func (c *check) isTogether(q quote) bool {
	var seen []float64
	for _, f := range c.at {
		i := slices.IndexFunc(f.Numbers, func(n facts.Number) bool { return n.Name == "bytes" })
		if i < 0 {
			continue
		}
		for _, other := range seen {
			if q.agrees(&facts.Number{Value: f.Numbers[i].Value + other, Unit: f.Numbers[i].Unit}) {
				return true
			}
		}
		seen = append(seen, f.Numbers[i].Value)
	}
	return false
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
			if other.agrees(&facts.Number{Value: n.Value, Unit: n.Unit}) { // of a wide doubt many a number is in
				return true
			}
		}
	}
	return false
}

// isMade reports whether a number is of what was allocated, whether or not it is there still.
func isMade(name string) bool { return name == "allocated" || name == "made" }
