package report

import (
	"math"
	"slices"
	"strconv"

	"github.com/gocasebook/casebook/vitals"
)

// percentiles are the rows of the latency table and the ticks of its chart.
var percentiles = [...]float64{0, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999, 0.99999}

// labelled are the percentiles that are a tick of the chart: the others would be too close.
var labelled = [...]float64{0, 0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999}

// A latencyRow is one percentile of all sides.
type latencyRow struct {
	Name   string
	Values []string
	Change string
}

// A latencies is the section of the distributions.
type latencies struct {
	Plot  *plot
	Rows  []latencyRow
	Sides []lane // for the legend; without values
	Noise bool
}

// newLatencies draws the curves over the percentiles, whose axis is logarithmic in 1/(1−q), as HdrHistogram's plotter
// has it: each further nine takes the same room, because the tail is what is looked for.
func newLatencies(c *Comparison) *latencies {
	curves := c.Latency[:min(len(c.Latency), 2)]
	var seconds []float64
	last := 0.0
	for _, curve := range curves {
		for _, p := range curve {
			seconds = append(seconds, p.Seconds)
			if p.Q < 1 {
				last = max(last, p.Q)
			}
		}
	}
	for _, b := range c.Noise {
		seconds = append(seconds, b.Low, b.High)
	}
	y, ok := newScale(seconds)
	if !ok || last <= 0 {
		return nil
	}
	x := scale{low: 0, high: nines(last) * 1.02}
	l := &latencies{Noise: len(c.Noise) > 0}
	l.Plot = &plot{Label: "latency by percentile, percentiles on a logarithmic axis", Class: "latency", Height: 280,
		X: percentileTicks(x), Y: yTicks(y, 6, func(v float64) string {
			return quantity(v,
				vitals.Seconds)
		})}
	if l.Noise {
		l.Plot.Areas = []polyline{{"floor", bandPoints(c.Noise, x, y)}}
	}
	for i, curve := range curves {
		class := [...]string{"before", "after"}[i]
		if len(c.Sides) == 1 {
			class = "after"
		}
		l.Sides = append(l.Sides, lane{Class: class, Label: sideLabel(c.Sides, i)})
		l.Plot.Lines = append(l.Plot.Lines, polyline{class, curvePoints(curve, x, y)})
		for _, q := range labelled[1:] {
			if v, ok := curve.at(q); ok && nines(q) <= x.high {
				l.Plot.Dots = append(l.Plot.Dots, dot{class, percentileName(q) + ": " + quantity(v, vitals.Seconds),
					100 * x.at(nines(q)), 100 * (1 - y.at(v))})
			}
		}
	}
	l.Rows = latencyRows(curves)
	return l
}

// BandBetween returns the noise floor of latencies: the area between two distributions of the same side.
func BandBetween(a, b Curve) []CurveBand {
	var out []CurveBand
	for _, p := range a {
		v, ok := b.at(p.Q)
		if !ok || p.Q >= 1 || !finite(p.Seconds) {
			continue
		}
		out = append(out, CurveBand{p.Q, min(v, p.Seconds), max(v, p.Seconds)})
	}
	return out
}

// nines returns how many nines a quantile has: 1 for 0.9, 2 for 0.99.
func nines(q float64) float64 { return -math.Log10(1 - min(max(q, 0), 1-1e-9)) }

func curvePoints(c Curve, x, y scale) string {
	var xs, ys []float64
	for _, p := range c {
		if finite(p.Seconds) && finite(p.Q) {
			xs, ys = append(xs, x.at(nines(min(p.Q, 1)))), append(ys, 1-y.at(p.Seconds))
		}
	}
	return points(xs, ys)
}

// bandPoints goes along the lower ends and back along the upper ones.
func bandPoints(bands []CurveBand, x, y scale) string {
	var xs, ys []float64
	for _, b := range bands {
		xs, ys = append(xs, x.at(nines(b.Q))), append(ys, 1-y.at(b.Low))
	}
	for _, b := range slices.Backward(bands) {
		xs, ys = append(xs, x.at(nines(b.Q))), append(ys, 1-y.at(b.High))
	}
	return points(xs, ys)
}

func percentileTicks(x scale) []tick {
	var out []tick
	for _, q := range labelled {
		if nines(q) <= x.high {
			out = append(out, tick{100 * x.at(nines(q)), percentileName(q), "middle"})
		}
	}
	return edged(out)
}

func percentileName(q float64) string {
	if q == 0 {
		return "min"
	}
	return "p" + strconv.FormatFloat(math.Round(q*1e9)/1e7, 'f', -1, 64)
}

// at returns the value at a percentile: that of the first point that is not below it. ok is false beyond the last.
func (c Curve) at(q float64) (float64, bool) {
	for _, p := range c {
		if p.Q >= q-1e-12 {
			return p.Seconds, finite(p.Seconds)
		}
	}
	return 0, false
}

func latencyRows(curves []Curve) []latencyRow {
	var rows []latencyRow
	for _, q := range append(percentiles[:len(percentiles):len(percentiles)], 1) {
		row := latencyRow{Name: percentileName(q), Change: absent}
		if q == 1 {
			row.Name = "max"
		}
		var vs []float64
		for _, c := range curves {
			v, ok := c.at(q)
			if !ok {
				row.Values = append(row.Values, absent)
				continue
			}
			vs = append(vs, v)
			row.Values = append(row.Values, quantity(v, vitals.Seconds))
		}
		if len(vs) == 2 {
			row.Change = change(vs[0], vs[1])
		}
		if len(vs) > 0 {
			rows = append(rows, row)
		}
	}
	return rows
}
