package report

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// A plot is a chart as SVG. All positions are percentages of its area, from the left and from the top, so that it takes
// any width; text and marks keep their size.
type plot struct {
	Label  string // what it shows, for a screen reader; the numbers are in a table next to it
	Class  string
	X, Y   []tick
	Bands  []band
	Areas  []polyline // filled
	Lines  []polyline
	Dots   []dot
	Wide   bool // its Y ticks are words
	Height int  // CSS pixels
}

// A tick is a labelled position of an axis. Anchor is "start", "middle" or "end".
type tick struct {
	At     float64
	Text   string
	Anchor string
}

// A band is a rectangle.
type band struct {
	Class      string
	X, Y, W, H float64
	Title      string
}

// A polyline is points of a line, as SVG's "points" has them.
type polyline struct{ Class, Points string }

// A dot is one measured value: a sign whose shape shows the side.
type dot struct {
	Class, Title string
	X, Y         float64
}

// A scale turns values into 0–1.
type scale struct {
	low, high float64
	log       bool
	unit      float64 // ticks are round multiples of it; 0 is 1
}

// logFrom is the ratio of the largest to the smallest value from which a scale is logarithmic: below it a linear one
// shows the small values well enough, and is easier to read.
const logFrom = 30

// What is larger than greatest is drawn at the edge, what is nearer to 0 than least at 0: the width of a scale, its
// logarithms and the room at its ends stay finite numbers.
const (
	greatest = 1e150
	least    = 1e-150
)

// newScale spans values, which may hold NaN; ok is false without a finite one. Nothing is between its ends when all are
// equal.
func newScale(values ...[]float64) (s scale, ok bool) {
	s.low, s.high = math.Inf(1), math.Inf(-1)
	for _, list := range values {
		for _, v := range list {
			if finite(v) {
				s.low, s.high = min(s.low, drawable(v)), max(s.high, drawable(v))
			}
		}
	}
	if s.low > s.high {
		return scale{low: 0, high: 1}, false
	}
	s.log = s.low > 0 && s.high/s.low > logFrom
	return s.padded(), true
}

func drawable(v float64) float64 {
	if math.Abs(v) < least {
		return 0
	}
	return min(max(v, -greatest), greatest)
}

// padded leaves room at the ends, so that marks are not cut.
func (s scale) padded() scale {
	if s.log {
		f := math.Pow(s.high/s.low, 0.04)
		return scale{low: s.low / f, high: s.high * f, log: true}
	}
	room := 0.04 * (s.high - s.low)
	if !(room > 0) {
		room = max(math.Abs(s.high)*0.05, 1e-12)
	}
	low := s.low - room
	if s.low >= 0 {
		low = max(low, 0)
	}
	return scale{low: low, high: s.high + room}
}

// at returns where a value is, 0–1, cut at the ends.
func (s scale) at(v float64) float64 {
	if s.log {
		return clamp(math.Log(max(v, math.SmallestNonzeroFloat64)/s.low) / math.Log(s.high/s.low))
	}
	return clamp((v - s.low) / (s.high - s.low))
}

// ticks returns about n round values inside of the scale.
func (s scale) ticks(n int) []float64 {
	if s.log {
		return s.logTicks(n)
	}
	unit := max(s.unit, 1)
	step := roundStep((s.high-s.low)/float64(n)/unit) * unit
	var out []float64
	for k := math.Ceil(s.low / step); k*step <= s.high && len(out) < 4*n; k++ {
		out = append(out, k*step)
	}
	return out
}

// logTicks are 1, 2 and 5 of each power of ten, or the powers alone where that is enough.
func (s scale) logTicks(n int) []float64 {
	var all, tens []float64
	for e := math.Floor(math.Log10(s.low)); e <= math.Log10(s.high); e++ {
		for _, m := range [...]float64{1, 2, 5} {
			v := m * math.Pow(10, e)
			if v < s.low || v > s.high {
				continue
			}
			if all = append(all, v); m == 1 {
				tens = append(tens, v)
			}
		}
	}
	if len(all) > 2*n && len(tens) >= 2 {
		all = tens
	}
	for len(all) > 2*n {
		all = slices.DeleteFunc(all, everySecond())
	}
	return all
}

func everySecond() func(float64) bool {
	i := 0
	return func(float64) bool { i++; return i%2 == 0 }
}

// roundStep is 1, 2 or 5 times a power of ten, at least v.
func roundStep(v float64) float64 {
	if !(v > 0) || math.IsInf(v, 0) {
		return 1
	}
	ten := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range [...]float64{1, 2, 5} {
		if m*ten >= v*(1-1e-9) {
			return m * ten
		}
	}
	return 10 * ten
}

// points writes a line of an SVG whose area is 100 × 100.
func points(xs, ys []float64) string {
	var b strings.Builder
	for i := range xs {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(position(100 * xs[i]))
		b.WriteByte(',')
		b.WriteString(position(100 * ys[i]))
	}
	return b.String()
}

// xTicks labels the horizontal axis: its first and last label stay inside.
func xTicks(s scale, n int, text func(float64) string) []tick {
	return edged(tickList(s, n, text, func(at float64) float64 { return 100 * at }))
}

// yTicks labels the vertical axis, which rises.
func yTicks(s scale, n int, text func(float64) string) []tick {
	return tickList(s, n, text, func(at float64) float64 { return 100 * (1 - at) })
}

func tickList(s scale, n int, text func(float64) string, place func(float64) float64) []tick {
	var out []tick
	for _, v := range s.ticks(n) {
		out = append(out, tick{place(s.at(v)), text(v), "middle"})
	}
	return out
}

// edged moves labels that would stick out of the plot to its edge.
func edged(ticks []tick) []tick {
	for i := range ticks {
		switch {
		case ticks[i].At < 4:
			ticks[i].Anchor = "start"
		case ticks[i].At > 96:
			ticks[i].Anchor = "end"
		}
	}
	return ticks
}

func ordinal(n int) string { return strconv.Itoa(n) }
