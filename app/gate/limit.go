package gate

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"golang.org/x/perf/benchunit"

	"github.com/gocasebook/casebook/internal/number"
)

// A Limit is how far a figure may move.
type Limit struct {
	Figure string  `json:"figure"` // "time", "allocs", "p99"
	Rise   bool    `json:"rise"`   // bounds a rise; otherwise a fall
	Share  float64 `json:"share"`  // of the base: 0.05 for 5 %
}

// aliases returns the figures of go test -bench by the names that people use.
func aliases() map[string]string {
	return map[string]string{"time": "sec/op", "bytes": "B/op", "allocs": "allocs/op", "throughput": "B/s"}
}

// nameOf returns how a benchmark's unit is called here: "time" for sec/op, and any other unit by itself.
func nameOf(unit string) string {
	for name, u := range aliases() {
		if u == unit {
			return name
		}
	}
	return unit
}

const limitExample = `want figures with the change that is allowed, such as "time:+5%,allocs:+0%"`

// ParseLimits reads "time:+5%,allocs:+1%,throughput:-5%". A figure is time, bytes, allocs, throughput, a unit that
// benchmarks report, or a figure of casebook prove. +5% bounds a rise, -5% a fall; a figure may have one of each.
func ParseLimits(text string) ([]Limit, error) {
	var out []Limit
	for part := range strings.SplitSeq(text, ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			return nil, fmt.Errorf("an empty limit in %q; %s", text, limitExample)
		}
		l, err := parseLimit(part)
		if err != nil {
			return nil, fmt.Errorf("limit %q: %w; %s", part, err, limitExample)
		}
		for _, other := range out {
			if other.Figure == l.Figure && other.Rise == l.Rise {
				return nil, fmt.Errorf("limit %q: %s has two limits; keep one", part, l.Figure)
			}
		}
		out = append(out, l)
	}
	return out, nil
}

func parseLimit(text string) (Limit, error) {
	colon := strings.LastIndexByte(text, ':') // a unit may hold one
	if colon < 0 {
		return Limit{}, fmt.Errorf("there is no \":\" between the figure and its change")
	}
	name, change := strings.TrimSpace(text[:colon]), strings.TrimSpace(text[colon+1:])
	if name == "" {
		return Limit{}, fmt.Errorf("it names no figure")
	}
	l := Limit{Figure: tidy(name)}
	switch {
	case strings.HasPrefix(change, "+"):
		l.Rise = true
	case !strings.HasPrefix(change, "-"):
		return Limit{}, fmt.Errorf("%q has no sign: + limits a rise, - limits a fall", change)
	}
	percent, ok := strings.CutSuffix(change[1:], "%")
	if !ok {
		return Limit{}, fmt.Errorf("%q has no %%", change)
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(percent), 64)
	if err != nil || math.IsNaN(v) || v < 0 || v > maxPercent || !l.Rise && v >= 100 ||
		strings.ContainsAny(percent, "+-xX_") {
		return Limit{}, fmt.Errorf("%q is not a percentage: want 0 to %d; for a fall, below 100", change, maxPercent)
	}
	l.Share = v / 100
	return l, nil
}

// maxPercent bounds a rise: a limit of 100 times is a mistake in writing it.
const maxPercent = 10_000

// tidy turns ns/op into time: benchmarks are read in base units.
func tidy(name string) string {
	if _, known := aliases()[name]; known {
		return name
	}
	_, unit := benchunit.Tidy(1, name)
	return nameOf(unit)
}

func (l Limit) String() string {
	sign := "-"
	if l.Rise {
		sign = "+"
	}
	return l.Figure + ":" + sign + strconv.FormatFloat(100*l.Share, 'g', 6, 64) + "%"
}

// percent returns the limit alone: "+5 %".
func (l Limit) percent() string {
	if l.Rise {
		return "+" + number.Share(l.Share)
	}
	return "−" + number.Share(l.Share)
}

// beyond returns how far beyond the limit a ratio is, as a logarithm: above 0 when it is exceeded. What only rounding
// causes is 0.
func (l Limit) beyond(ratio float64) float64 {
	over := math.Log(ratio) - math.Log1p(l.Share)
	if !l.Rise {
		over = math.Log1p(-l.Share) - math.Log(ratio)
	}
	if math.Abs(over) < 1e-12 {
		return 0
	}
	return over
}

// width returns how far from no change the limit is, as a logarithm.
func (l Limit) width() float64 {
	if l.Rise {
		return math.Log1p(l.Share)
	}
	return -math.Log1p(-l.Share)
}
