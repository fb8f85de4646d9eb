package vitals

import (
	"math"
	"time"
)

// A Line is the least-squares line through a signal's values, and how far its slope can be trusted.
type Line struct {
	N     int           // values it was fitted to; below 3 the rest is zero
	Span  time.Duration // from the first of them to the last
	Level float64       // of the line at the last value, in the signal's unit
	Slope float64       // in the signal's unit per second

	// StdErr is the standard error of the slope, and Freedom its degrees of freedom, both corrected for the
	// autocorrelation of the residuals.
	StdErr, Freedom float64
}

// minEffective is the floor under the number of independent values that a Line counts. Residuals of a smooth curve are
// so alike that the correction leaves less than one value, which is too few to judge even the straightest rise.
// With four, a slope is certain (99 %) only where the line explains 96 % of the variance: 6.965² / (6.965² + 2).
const minEffective = 4

// Line fits a line to a signal's values since a time and in last, which is not in the history yet. It allocates
// nothing and visits every sample twice.
//
// Vitals are samples of a process with a memory: a value is close to the one before it. Taken for independent, they
// make every random walk a trend. So the standard error follows Santer et al., "Statistical significance of trends and
// trend differences in layer-average atmospheric temperature time series", J. Geophys. Res. 105 (2000), section 4.1:
// with r the lag-1 autocorrelation of the residuals, n values count as n(1−r)/(1+r) independent ones.
func (h *History) Line(id ID, since time.Time, last *Sample) Line {
	end, ok := last.Get(id)
	if !ok {
		return Line{}
	}
	// Times are relative to the last sample and values to its value, which keeps the sums small.
	var n, st, sv, stt, stv, svv, first float64
	n = 1
	if h.columns[id] == nil {
		return Line{N: 1}
	}
	var values cursor
	values.from(h.columns[id])
	window := last.Time.Sub(since)
	for j := range h.backward {
		age := last.Time.Sub(h.times[j])
		if age > window {
			break
		}
		if v := values.at(j); v == v { // present
			t, v := -float64(age)*1e-9, v-end
			n, st, sv, stt, stv, svv, first = n+1, st+t, sv+v, stt+t*t, stv+t*v, svv+v*v, t
		}
	}
	l := Line{N: int(n), Span: time.Duration(-first * float64(time.Second))}
	stt -= st * st / n
	if n < 3 || stt <= 0 {
		return l
	}
	l.Slope = (stv - st*sv/n) / stt
	level := (sv - l.Slope*st) / n // relative to end
	l.Level = end + level
	sse, lagged := h.residuals(id, window, last, level, l.Slope)
	l.doubt(sse, lagged, svv, stt)
	return l
}

// doubt sets the standard error and its freedom from the sums of the residuals.
func (l *Line) doubt(sse, lagged, svv, stt float64) {
	n := float64(l.N)
	if sse <= roundingShare*svv { // a perfect line; the autocorrelation of rounding errors means nothing
		l.Freedom = n - 2
		return
	}
	r := lagged / sse
	effective := math.Min(math.Max(n*(1-r)/(1+r), minEffective), n) // residuals that alternate earn no credit
	l.Freedom = math.Max(effective-2, 1)
	l.StdErr = math.Sqrt(sse / l.Freedom / stt)
}

// roundingShare is the share of a signal's sum of squares below which residuals are floating-point rounding.
const roundingShare = 1e-20

// residuals is the sum of the squared distances from a line, and of the products of neighbouring ones.
func (h *History) residuals(id ID, window time.Duration, last *Sample, level, slope float64) (sse, lagged float64) {
	end, _ := last.Get(id)
	var values cursor
	values.from(h.columns[id])
	before := -level // the residual of last
	sse = before * before
	for j := range h.backward {
		age := last.Time.Sub(h.times[j])
		if age > window {
			break
		}
		if v := values.at(j); v == v { // present
			e := v - end - level + slope*float64(age)*1e-9
			sse += e * e
			lagged += e * before
			before = e
		}
	}
	return sse, lagged
}

// backward yields the ring's indices, newest sample first. It spares the division of slot.
func (h *History) backward(yield func(int) bool) {
	j := h.next
	for range h.n {
		if j == 0 {
			j = len(h.times)
		}
		j--
		if !yield(j) {
			return
		}
	}
}

// SlopeBounds are the values that the true slope exceeds, and stays below, each with 99 % confidence (one-sided
// t-tests). Too few values make them infinite.
func (l Line) SlopeBounds() (low, high float64) {
	if l.N < 3 || l.Freedom <= 0 {
		return math.Inf(-1), math.Inf(1)
	}
	d := t99(l.Freedom) * l.StdErr
	return l.Slope - d, l.Slope + d
}

// t99 is the 99 % quantile of Student's t distribution with a number of degrees of freedom, 1 or more and not
// necessarily whole. Between the rows of the usual table it interpolates in 1/freedom, in which the quantile is convex,
// so it errs to the side of caution: the result is between the 99 and the 99.3 % quantile.
func t99(freedom float64) float64 {
	table := [...]struct{ freedom, t float64 }{
		{1, 31.821}, {2, 6.965}, {3, 4.541}, {4, 3.747}, {5, 3.365}, {6, 3.143}, {7, 2.998}, {8, 2.896}, {10, 2.764},
		{12, 2.681}, {15, 2.602}, {20, 2.528}, {30, 2.457}, {60, 2.390}, {120, 2.358}, {math.Inf(1), 2.326},
	}
	if freedom <= 1 {
		return table[0].t
	}
	i := 1
	for table[i].freedom < freedom {
		i++
	}
	a, b := table[i-1], table[i]
	share := (1/a.freedom - 1/freedom) / (1/a.freedom - 1/b.freedom)
	return a.t + share*(b.t-a.t)
}
