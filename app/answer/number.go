package answer

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// numbers checks the numbers that the answer lists, and those in its prose that stand in a sentence with a fact's ID,
// or before the name of a number of a fact.
func (c *check) numbers(context.Context) {
	for _, n := range c.a.Numbers {
		c.listed(n)
	}
	c.inProse(c.a.Cause, true)
	c.inProse(c.a.Change, false)
}

// listed checks a number of the answer's list.
func (c *check) listed(n Number) {
	of, cites := c.at, n.Fact != ""
	if cites {
		f := c.fact(n.Fact)
		if f == nil {
			return // the check of facts says so
		}
		of = []*facts.Fact{f}
	}
	unit, factor, known := unitOf(n.Unit)
	if !known && n.Name == "" {
		n.Name = n.Unit // "472 goroutines"
	}
	q := quote{value: n.Value * factor, unit: unit, name: n.Name, written: n.Value, factor: factor}
	q.anyUnit = n.Unit == ""
	c.compare(q, of, cites)
}

// A quote is a number of an answer.
type quote struct {
	value   float64 // in the unit
	unit    vitals.Unit
	name    string
	written float64 // as it was written
	factor  float64 // of its written unit
	anyUnit bool    // no unit was written
}

// compare holds a number against those of facts.
func (c *check) compare(q quote, of []*facts.Fact, cites bool) {
	var named *facts.Number
	var by *facts.Fact
	for _, f := range of {
		for i := range f.Numbers {
			n := &f.Numbers[i]
			switch same := sameName(q.name, n.Name); {
			case !q.mayBe(n):
			case q.agrees(n) && (cites || same):
				c.say(casefile.Supported, AboutNumber, fmt.Sprintf("%s has %s: %s", f.ID, n.Name, n), f)
				return
			case same && (named == nil || q.nearer(n, named)):
				named, by = n, f
			}
		}
	}
	switch {
	case named != nil:
		c.say(casefile.Contradicted, AboutNumber, fmt.Sprintf("%s has %s for %s, and not %s", by.ID, named, named.Name,
			q), by)
	case cites:
		c.say(casefile.Unsupported, AboutNumber, fmt.Sprintf("%s has no number like %s", of[0].ID, q), of[0])
	case q.name != "" && len(of) > 0:
		c.say(casefile.Unsupported, AboutNumber, fmt.Sprintf("no fact at the place has a number of %s", q.name), of...)
	}
}

func (q quote) String() string {
	n := facts.Number{Value: q.value, Unit: string(q.unit)}
	if q.name == "" {
		return n.String()
	}
	return n.String() + " for " + q.name
}

// mayBe reports whether a number of a fact is in the unit of a quote.
func (q quote) mayBe(n *facts.Number) bool {
	unit := vitals.Unit(n.Unit)
	if !unit.Known() {
		unit = vitals.Count
	}
	return q.unit == unit || q.anyUnit
}

// How much a quoted number may differ: copied ones are the same, rounded ones as far as their last digit says, but not
// more than a seventh, so that "1,000" is not 600. Bytes of 1000 and 1024 differ by 5 % at M.
const (
	sameWithin    = 0.05
	roundedWithin = 0.15
)

// agrees reports whether a quote is a fact's number, within its doubt and the quote's rounding.
func (q quote) agrees(n *facts.Number) bool {
	v, candidates := q.value, []float64{q.value}
	if q.anyUnit && vitals.Unit(n.Unit) == vitals.Share && v > 1 {
		candidates = append(candidates, v/100) // per cent
	}
	return slices.ContainsFunc(candidates, func(v float64) bool {
		low, high := n.Value, n.Value
		if n.Low != 0 || n.High != 0 {
			low, high = min(n.Low, low), max(n.High, high)
		}
		room := math.Abs(n.Value) * sameWithin
		room = max(room, min(math.Abs(n.Value)*roundedWithin, lastDigit(q.written)/2*q.factor))
		return v >= low-room && v <= high+room
	})
}

// nearer reports whether a quote means a number rather than another one: that which has no more in its name, otherwise
// the one that is closer. "goroutines" is not "goroutines in capture 1".
func (q quote) nearer(n, other *facts.Number) bool {
	words := len(nameWords(q.name))
	if whole := len(nameWords(n.Name)) == words; whole != (len(nameWords(other.Name)) == words) {
		return whole
	}
	return q.off(n) < q.off(other)
}

// off is how far a quote is from a number.
func (q quote) off(n *facts.Number) float64 { return math.Abs(q.value - n.Value) }

// lastDigit is the worth of the last digit of a number that is not 0: 100 of 4,700, 0.01 of 0.58.
func lastDigit(v float64) float64 {
	text := strings.TrimRight(strconv.FormatFloat(math.Abs(v), 'f', 6, 64), "0")
	whole, part, _ := strings.Cut(text, ".")
	if part != "" {
		return math.Pow10(-len(part))
	}
	return math.Pow10(len(whole) - len(strings.TrimRight(whole, "0")))
}

// units are how people write units, with those of package vitals.
var units = map[string]struct {
	unit   vitals.Unit
	factor float64
}{
	"%": {vitals.Share, 0.01}, "percent": {vitals.Share, 0.01}, "per cent": {vitals.Share, 0.01},
	"share": {vitals.Share, 1}, "ratio": {vitals.Share, 1}, "fraction": {vitals.Share, 1},
	"b": {vitals.Bytes, 1}, "byte": {vitals.Bytes, 1}, "bytes": {vitals.Bytes, 1},
	"kb": {vitals.Bytes, 1 << 10}, "kib": {vitals.Bytes, 1 << 10}, "mb": {vitals.Bytes, 1 << 20},
	"mib": {vitals.Bytes, 1 << 20}, "gb": {vitals.Bytes, 1 << 30}, "gib": {vitals.Bytes, 1 << 30},
	"ns": {vitals.Seconds, 1e-9}, "us": {vitals.Seconds, 1e-6}, "µs": {vitals.Seconds, 1e-6}, "ms": {vitals.Seconds,
		1e-3},
	"s": {vitals.Seconds, 1}, "sec": {vitals.Seconds, 1}, "second": {vitals.Seconds, 1}, "seconds": {vitals.Seconds, 1},
	"min": {vitals.Seconds, 60}, "minute": {vitals.Seconds, 60}, "minutes": {vitals.Seconds, 60},
	"h": {vitals.Seconds, 3600}, "hours": {vitals.Seconds, 3600},
	"core": {vitals.Cores, 1}, "cores": {vitals.Cores, 1}, "cpus": {vitals.Cores, 1},
	"1/s": {vitals.PerSecond, 1}, "/s": {vitals.PerSecond, 1}, "per second": {vitals.PerSecond, 1},
	"req/s": {vitals.PerSecond, 1}, "requests/s": {vitals.PerSecond, 1},
	"b/s": {vitals.BytesPerSecond, 1}, "bytes/s": {vitals.BytesPerSecond, 1},
	"mb/s": {vitals.BytesPerSecond, 1 << 20}, "mib/s": {vitals.BytesPerSecond, 1 << 20},
	"count": {vitals.Count, 1},
}

// unitOf is a unit as people write it; one that is not known is a name of things that are counted.
func unitOf(said string) (unit vitals.Unit, factor float64, known bool) {
	u, ok := units[strings.ToLower(strings.TrimSpace(said))]
	if !ok {
		return vitals.Count, 1, false
	}
	return u.unit, u.factor, true
}

// sameName reports whether all words of the shorter name are in the longer one: "goroutines" is "goroutines at the
// trip".
func sameName(said, has string) bool {
	x, y := nameWords(said), nameWords(has)
	if len(x) == 0 || len(y) == 0 {
		return false
	}
	if len(x) > len(y) {
		x, y = y, x
	}
	return !slices.ContainsFunc(x, func(w string) bool { return !slices.Contains(y, w) })
}

// nameWords are the words of a name that tell something, in the singular.
func nameWords(name string) (words []string) {
	for _, w := range strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return r != '%' && (r < '0' || r > '9' && r < 'a' || r > 'z')
	}) {
		switch w {
		case "the", "of", "a", "in", "at", "that", "and", "is", "are", "to", "all", "total", "count", "number":
			continue
		}
		words = append(words, strings.TrimSuffix(w, "s"))
	}
	return words
}
