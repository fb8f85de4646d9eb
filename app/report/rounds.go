package report

import (
	"math"
	"slices"

	"github.com/gocasebook/casebook/app/stat"
	"github.com/gocasebook/casebook/vitals"
)

// maxMarks bounds the rounds of a side that are drawn one by one; with more, the distribution is drawn as a cumulative
// curve and the time line as a line.
const maxMarks = 60

// maxLine bounds the points of a time line.
const maxLine = 600

// A lane is the rounds of one start of a side.
type lane struct {
	Class  string // "before", "again", "after"
	Label  string // short: next to an axis
	Values []float64
}

// lanes returns the lanes that have values. A side that is alone is drawn like the side after: solid.
func (m *Measured) lanes(sides []Side) []lane {
	all := []lane{
		{"before", "before", m.Rounds.Before},
		{"again", "again", m.Rounds.Again},
		{"after", "after", m.Rounds.After},
	}
	if len(sides) == 1 {
		all = []lane{{"after", "this run", m.Rounds.Before}}
	}
	return slices.DeleteFunc(all, func(l lane) bool { return !slices.ContainsFunc(l.Values, finite) })
}

// constant returns the value that all rounds of all lanes have; ok is false where they differ.
func constant(lanes []lane) (v float64, ok bool) {
	v = math.NaN()
	for _, l := range lanes {
		for _, x := range finiteOf(l.Values) {
			if !math.IsNaN(v) && x != v {
				return 0, false
			}
			v = x
		}
	}
	return v, !math.IsNaN(v)
}

func sideLabel(sides []Side, i int) string {
	if i < len(sides) && sides[i].Label != "" {
		return sides[i].Label
	}
	if i > 1 {
		return "side " + ordinal(i+1)
	}
	return [...]string{"before", "after"}[i]
}

// valuesScale spans the rounds and the noise floor.
func (m *Measured) valuesScale(lanes []lane) (scale, bool) {
	var lists [][]float64
	for _, l := range lanes {
		lists = append(lists, l.Values)
	}
	if low, high, ok := m.floor(); ok {
		lists = append(lists, []float64{low, high})
	}
	s, ok := newScale(lists...)
	if u := vitals.Unit(m.Unit); u == vitals.Bytes || u == vitals.BytesPerSecond {
		s.unit = binaryUnit(s.high)
	}
	return s, ok
}

// binaryUnit returns the largest power of 1024 that v reaches: the prefix it is written with.
func binaryUnit(v float64) float64 {
	unit := 1.0
	for v >= 1024*unit && unit < 1<<50 {
		unit *= 1024
	}
	return unit
}

// floor returns the noise floor around the centre of the first side, in the figure's unit.
func (m *Measured) floor() (low, high float64, ok bool) {
	if m.Effect == nil || !(m.Effect.Noise > 0) || m.Before.N == 0 || !finite(m.Before.Value) {
		return 0, 0, false
	}
	d := m.Effect.Noise
	if !m.Effect.Absolute {
		d *= math.Abs(m.Before.Value)
	}
	return max(m.Before.Value-d, 0), m.Before.Value + d, finite(d)
}

// strip returns the distribution: every round on one axis, a lane for each start, with the median.
func (m *Measured) strip(lanes []lane) *plot {
	s, ok := m.valuesScale(lanes)
	if !ok {
		return nil
	}
	p := &plot{Label: m.Name + ": distribution of the rounds",
		Class: "strip", Wide: true, Height: max(26*len(lanes), 64), X: xTicks(s, 4, m.tickText)}
	p.Bands = m.floorBand(func(low, high float64) band { return band{X: 100 * low, W: 100 * (high - low), H: 100} }, s)
	rows := float64(len(lanes))
	for i, l := range lanes {
		middle := (float64(i) + 0.5) / rows
		p.Y = append(p.Y, tick{100 * middle, l.Label, "end"})
		mid := s.at(stat.Median(finiteOf(l.Values)))
		p.Lines = append(p.Lines, polyline{l.Class + " median",
			points([]float64{mid, mid}, []float64{middle - 0.38/rows, middle + 0.38/rows})})
		for k, y := range stacked(l.Values, s) {
			v := l.Values[k]
			if finite(v) {
				p.Dots = append(p.Dots, dot{l.Class, m.markTitle(k, v), 100 * s.at(v), 100 * (middle + y/rows)})
			}
		}
	}
	return p
}

// stacked moves marks that would cover each other up and down: the offset of each value, as a share of its lane.
func stacked(values []float64, s scale) []float64 {
	const width, step, most = 0.012, 0.14, 2 // a mark's share of the plot; how far one is moved; how often to each side
	seen := make(map[int]int)
	out := make([]float64, len(values))
	for i, v := range values {
		if !finite(v) {
			continue
		}
		cell := int(s.at(v) / width)
		n := seen[cell] % (2*most + 1)
		seen[cell]++
		out[i] = step * float64((n+1)/2) * float64(1-2*(n%2))
	}
	return out
}

// cumulative returns the distribution of many rounds: the share of them that is at most x.
func (m *Measured) cumulative(lanes []lane) *plot {
	s, ok := m.valuesScale(lanes)
	if !ok {
		return nil
	}
	p := &plot{Label: m.Name + ": cumulative distribution of the rounds",
		Class: "cumulative", Height: 110, X: xTicks(s, 4, m.tickText),
		Y: []tick{{0, "100" + nbsp + "%", "end"}, {50, "50" + nbsp + "%", "end"}, {100, "0", "end"}}}
	p.Bands = m.floorBand(func(low, high float64) band { return band{X: 100 * low, W: 100 * (high - low), H: 100} }, s)
	for _, l := range lanes {
		sorted := finiteOf(l.Values)
		slices.Sort(sorted)
		var xs, ys []float64
		before := 0.0
		for i := range min(len(sorted), maxLine) { // of more, evenly taken
			k := i * len(sorted) / min(len(sorted), maxLine)
			at, share := s.at(sorted[k]), float64(k+1)/float64(len(sorted))
			xs, ys = append(xs, at, at), append(ys, 1-before, 1-share)
			before = share
		}
		p.Lines = append(p.Lines, polyline{l.Class, points(append(xs, 1), append(ys, 0))})
	}
	return p
}

// timeline returns the rounds in the order in which they were taken.
func (m *Measured) timeline(lanes []lane) *plot {
	s, ok := m.valuesScale(lanes)
	if !ok {
		return nil
	}
	n := 0
	for _, l := range lanes {
		n = max(n, len(l.Values))
	}
	across := scale{low: 0.5, high: float64(n) + 0.5}
	p := &plot{Label: m.Name + ": the rounds in their order", Class: "order", Height: 110, Y: yTicks(s, 4, m.tickText),
		X: orderTicks(across, n)}
	p.Bands = m.floorBand(func(low, high float64) band {
		return band{Y: 100 * (1 - high), H: 100 * (high - low),
			W: 100}
	}, s)
	for _, l := range lanes {
		var xs, ys []float64
		every := max(1, (len(l.Values)+maxLine-1)/maxLine)
		for i, v := range l.Values {
			if !finite(v) || i%every != 0 {
				continue
			}
			x, y := across.at(float64(i+1)), 1-s.at(v)
			xs, ys = append(xs, x), append(ys, y)
			if n <= maxMarks {
				p.Dots = append(p.Dots, dot{l.Class, m.markTitle(i, v), 100 * x, 100 * y})
			}
		}
		p.Lines = append(p.Lines, polyline{l.Class, points(xs, ys)})
	}
	return p
}

// orderTicks numbers rounds: the first, and round numbers.
func orderTicks(s scale, n int) []tick {
	step := max(1, int(roundStep(float64(n)/6)))
	out := []tick{{100 * s.at(1), "1", "middle"}}
	for k := step + btoi(step == 1); k <= n; k += step {
		out = append(out, tick{100 * s.at(float64(k)), ordinal(k), "middle"})
	}
	return edged(out)
}

func (m *Measured) floorBand(make func(low, high float64) band, s scale) []band {
	low, high, ok := m.floor()
	if !ok {
		return nil
	}
	b := make(s.at(low), s.at(high))
	b.Class, b.Title = "floor", "noise floor: how much the same version differs from itself"
	return []band{b}
}

func (m *Measured) tickText(v float64) string { return quantity(v, vitals.Unit(m.Unit)) }

func (m *Measured) markTitle(i int, v float64) string {
	return ordinal(i+1) + ": " + quantity(v, vitals.Unit(m.Unit))
}

// finiteOf copies what is finite.
func finiteOf(vs []float64) []float64 {
	var out []float64
	for _, v := range vs {
		if finite(v) {
			out = append(out, v)
		}
	}
	return out
}
