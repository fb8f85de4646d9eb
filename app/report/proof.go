package report

import (
	"math"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/closing"
	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// A proven is a proof with its figures as the page shows them, and the finding that it is about.
type proven struct {
	*casefile.Proof
	Rows    []figureRow
	Finding *finding // nil where the case has it not, or has none
	Open    string   // why the finding stays open though the proof is better; "" where it does not
}

// addProof puts the proof beneath the finding that it is about.
func (p *page) addProof(c casefile.Case) {
	if c.Proof == nil {
		return
	}
	p.Proven = &proven{Proof: c.Proof, Rows: figureRows(c.Proof)}
	if i := prove.About(c.Proof, c.Findings); i >= 0 {
		p.Proven.Finding = &p.Findings[i]
		p.Findings[i].Proven = p.Proven
		if c.Proof.Verdict == casefile.Better {
			p.Proven.Open = closing.Open(c.Proof, &c.Findings[i])
		}
	}
}

// A figureRow is one figure of the proof with its numbers written out and its bars measured.
type figureRow struct {
	casefile.Figure
	Sides  [2]side   // before, after
	Change effectRow // in words; the bars show the sides
	Drawn  bool      // at least one side has a bar
}

// A side is one side of a figure. The bars of both sides share a scale from 0 to the larger upper end; positions are in
// percent of it.
type side struct {
	Name     string // "before", "after"
	Value    string // empty when the side is absent
	Interval string // empty without one
	N        int
	Bar      float64
	Low      float64
	High     float64
}

// figureRows puts the figures the remedy was for first and keeps the order of the rest.
func figureRows(p *casefile.Proof) []figureRow {
	figures := slices.Clone(p.Figures)
	slices.SortStableFunc(figures, func(a, b casefile.Figure) int { return btoi(b.Key) - btoi(a.Key) })
	rows := make([]figureRow, len(figures))
	for i, f := range figures {
		top := max(extent(f.Before), extent(f.After))
		rows[i] = figureRow{
			Figure: f,
			Sides:  [2]side{newSide("before", f.Before, f.Unit, top), newSide("after", f.After, f.Unit, top)},
			Change: effectAxis{leastAxis}.row(&Measured{Figure: f}),
			Drawn:  top > 0,
		}
	}
	return rows
}

func newSide(name string, s casefile.Stat, unit string, top float64) side {
	if s.N == 0 {
		return side{Name: name}
	}
	u := vitals.Unit(unit)
	out := side{Name: name, Value: quantity(s.Value, u), N: s.N}
	if bounded(s) {
		out.Interval = between(quantity(s.Low, u), quantity(s.High, u))
	}
	if top > 0 && finite(s.Value) {
		out.Bar = 100 * clamp(s.Value/top)
		if bounded(s) {
			out.Low, out.High = 100*clamp(s.Low/top), 100*clamp(s.High/top)
		}
	}
	return out
}

// between writes an interval, with the unit once where both ends have the same.
func between(low, high string) string {
	number, unit, ok := strings.Cut(low, nbsp)
	if ok && strings.HasSuffix(high, nbsp+unit) {
		low = number
	}
	return low + " to " + high
}

// bounded reports whether a side has an interval to show.
func bounded(s casefile.Stat) bool {
	return finite(s.Low) && finite(s.High) && s.High > s.Low
}

// extent returns the largest number of a side that is drawn.
func extent(s casefile.Stat) float64 {
	if s.N == 0 || !finite(s.Value) {
		return 0
	}
	if bounded(s) {
		return max(s.Value, s.High)
	}
	return s.Value
}

// figureChange returns the after side against the before side. The change of nothing is not a number.
func figureChange(f casefile.Figure) string {
	if f.Before.N == 0 || f.After.N == 0 {
		return absent
	}
	return change(f.Before.Value, f.After.Value)
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// clamp limits a share to 0–1 for drawing; NaN becomes 0.
func clamp(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return min(max(v, 0), 1)
}
