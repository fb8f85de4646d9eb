package report

import (
	"math"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// An effectRow is the change of one figure on the axis that all figures share, in percent of the axis.
type effectRow struct {
	Text         string // "−12.4 %"
	Interval     string // "−14 to −11 %"; "" without one
	Noise        string // "± 1.2 %"; "" if not known
	Drawn        bool
	At, From, To float64
	Low, High    float64 // the noise floor, on the axis
	Banded       bool
	CutLow       bool // the interval continues beyond the axis
	CutHigh      bool
}

// effectAxis is symmetric around no change. Its half width is limit, as the logarithm of the ratio, so that halving and
// doubling are equally far out.
type effectAxis struct{ limit float64 }

// Bounds of the axis. Above the larger one the exact size of a change does not matter; below the smaller one noise
// would fill the page.
const (
	leastAxis = 0.03
	mostAxis  = 1.4 // ×4
)

// newEffectAxis makes an axis wide enough for the changes and for the intervals that are not much wider.
func newEffectAxis(figures []Measured) effectAxis {
	a := effectAxis{leastAxis}
	for i := range figures {
		e := figures[i].Effect
		if e == nil {
			e = &casefile.Effect{Value: figures[i].ratio()}
		}
		if e.Absolute {
			continue
		}
		for _, v := range [...]float64{e.Value, e.Noise, -e.Noise} {
			if w := math.Abs(logRatio(v)); finite(w) {
				a.limit = max(a.limit, 1.3*w)
			}
		}
	}
	a.limit = min(a.limit, mostAxis)
	return a
}

// ratio returns the change of the centres as a share of the side before; NaN if one is missing or not above 0.
func (m *Measured) ratio() float64 {
	if m.Before.N == 0 || m.After.N == 0 || !(m.Before.Value > 0 && m.After.Value > 0) {
		return math.NaN()
	}
	return m.After.Value/m.Before.Value - 1
}

// logRatio returns the logarithm of 1+v.
func logRatio(v float64) float64 { return math.Log1p(max(v, -0.999999)) }

func (a effectAxis) at(v float64) float64 {
	return 100 * clamp(0.5+0.5*logRatio(v)/a.limit)
}

// ticks are no change and a round percentage to each side.
func (a effectAxis) ticks() []tick {
	const part = 0.8 // of the way to the end
	more, less := roundDown(math.Expm1(part*a.limit)), roundDown(-math.Expm1(-part*a.limit))
	return []tick{{a.at(-less), "−" + percent(less), "middle"}, {50, "0", "middle"},
		{a.at(more), "+" + percent(more), "middle"}}
}

// roundDown is 1, 2 or 5 times a power of ten, at most v > 0.
func roundDown(v float64) float64 {
	ten := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range [...]float64{5, 2} {
		if m*ten <= v*(1+1e-9) {
			return m * ten
		}
	}
	return ten
}

// row places one figure on the axis. Absolute changes have no place on it.
func (a effectAxis) row(m *Measured) effectRow {
	e := m.Effect
	if e == nil || !finite(e.Value) {
		r := effectRow{Text: figureChange(m.Figure)}
		if v := m.ratio(); finite(v) { // without an interval it is a point
			r.Drawn, r.At = true, a.at(v)
			r.From, r.To = r.At, r.At
		}
		return r
	}
	r := effectRow{Text: m.changeText(e.Value)}
	if finite(e.Low) && finite(e.High) && e.High > e.Low {
		r.Interval = between(m.changeText(e.Low), m.changeText(e.High))
	}
	if e.Noise > 0 {
		r.Noise = "±" + nbsp + m.sizeText(e.Noise)
	}
	if e.Absolute {
		return r
	}
	r.Drawn, r.At, r.From, r.To = true, a.at(e.Value), a.at(e.Low), a.at(e.High)
	r.CutLow, r.CutHigh = logRatio(e.Low) < -a.limit, logRatio(e.High) > a.limit
	if e.Noise > 0 {
		r.Banded, r.Low, r.High = true, a.at(-e.Noise), a.at(e.Noise)
	}
	return r
}

// Width returns the width of the noise floor.
func (r effectRow) Width() float64 { return r.High - r.Low }

// changeText writes a change with its sign.
func (m *Measured) changeText(v float64) string {
	if m.Effect.Absolute {
		return number.Signed(m.sizeText, v)
	}
	return change(1, 1+v)
}

func (m *Measured) sizeText(v float64) string {
	switch u := vitals.Unit(m.Unit); {
	case m.Effect.Absolute && u == vitals.Share:
		return unbroken(number.Points(v))
	case m.Effect.Absolute:
		return quantity(v, u)
	}
	return unbroken(number.Percent(v))
}
