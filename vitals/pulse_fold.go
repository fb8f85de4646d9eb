package vitals

import (
	"cmp"
	"math"
	"slices"
)

// A candidate is a period at which a course may have a pulse.
type candidate struct {
	period   float64
	trials   float64 // how many periods were looked at to find it
	contrast float64 // of the best window
	window   window
}

// A window is a stretch of the bins of a period; it may go over its end.
type window struct{ start, width int }

// has reports whether the window has a bin, of n.
func (w window) has(bin, n int) bool { return (bin-w.start+n)%n < w.width }

// candidates are the periods of clocks, and those proposals with the greatest contrast.
func (c *course) candidates() []candidate {
	var onClock, all []candidate
	clocks := 0.0
	for _, period := range clockPeriods {
		if c.fits(period) {
			clocks++
		}
	}
	for _, period := range clockPeriods {
		if c.fits(period) {
			onClock = append(onClock, c.look(period, clocks))
		}
	}
	for _, lag := range c.proposals() {
		all = append(all, c.refine(float64(lag)*c.step))
	}
	slices.SortFunc(all, func(a, b candidate) int { return cmp.Compare(b.contrast, a.contrast) })
	return append(onClock, all[:min(len(all), pulseTested)]...)
}

// fits reports whether a course has enough samples in a period, and enough of the periods.
func (c *course) fits(period float64) bool {
	return period >= pulseBins*c.step && period*pulseCycles <= float64(len(c.values))*c.step
}

// proposals are the lags, in cells, at which the autocorrelation has its highest tops.
func (c *course) proposals() []int {
	mean, n := 0.0, 0
	for _, v := range c.values {
		if !math.IsNaN(v) {
			mean, n = mean+v, n+1
		}
	}
	mean /= float64(n)
	at := make([]float64, c.lags+2)
	for i := range at {
		at[i] = c.alike(pulseBins-1+i, mean)
	}
	var tops []int
	for i := 1; i < len(at)-1; i++ {
		if at[i] > 0 && at[i] >= at[i-1] && at[i] >= at[i+1] {
			tops = append(tops, i)
		}
	}
	slices.SortFunc(tops, func(a, b int) int { return cmp.Compare(at[b], at[a]) })
	tops = tops[:min(len(tops), pulseLags)]
	for i := range tops {
		tops[i] += pulseBins - 1
	}
	return tops
}

// alike is the autocovariance at a lag, of the cells that have both values.
func (c *course) alike(lag int, mean float64) float64 {
	sum, n := 0.0, 0
	for i := lag; i < len(c.values); i++ {
		if d := (c.values[i] - mean) * (c.values[i-lag] - mean); !math.IsNaN(d) {
			sum, n = sum+d, n+1
		}
	}
	return sum / float64(max(n, 1))
}

// refine tries periods that a lag of whole cells stands for: after the last cycle they differ by half a cell.
func (c *course) refine(period float64) candidate {
	cycles := max(int(float64(len(c.values))*c.step/period), 1)
	var best candidate
	for i := -cycles; i <= cycles; i++ {
		p := period + float64(i)*c.step/float64(2*cycles)
		if found := c.look(p, float64(c.lags)); c.fits(p) && found.contrast > best.contrast {
			best = found
		}
	}
	return best
}

// look folds the course at a period.
func (c *course) look(period, trials float64) candidate {
	f := c.fold(period, 0)
	w, contrast := bestWindow(f.columns(-1))
	return candidate{period: period, trials: trials, contrast: contrast, window: w}
}

// A folded course has a row for each cycle and a column for each bin; NaN where there is no value.
type folded [][]float64

// fold cuts the course into cycles, the first of which begins at a phase of the period, in seconds.
func (c *course) fold(period, from float64) folded {
	bins := max(int(period/c.step+0.5), 1)
	first := math.Floor((c.began - from) / period)
	rows := int(math.Floor((c.began+float64(len(c.values))*c.step-from)/period)-first) + 1
	f := make(folded, rows)
	for i := range f {
		f[i] = slices.Repeat([]float64{math.NaN()}, bins)
	}
	for i, v := range c.level(period) {
		at := c.began + (float64(i)+0.5)*c.step - from // the middle of the cell: rounding must not move it
		row := int(math.Floor(at/period) - first)
		bin := min(int(phase(at, period)/period*float64(bins)), bins-1)
		if row < rows && !math.IsNaN(v) {
			f[row][bin] = v
		}
	}
	return f
}

// level is the course without what changes more slowly than within a period: less the mean of the period around each
// cell, which towards the ends of the course is as much shorter on both sides.
func (c *course) level(period float64) []float64 {
	n := len(c.values)
	sums, counts := make([]float64, n+1), make([]float64, n+1)
	for i, v := range c.values {
		sums[i+1], counts[i+1] = sums[i], counts[i]
		if !math.IsNaN(v) {
			sums[i+1], counts[i+1] = sums[i]+v, counts[i]+1
		}
	}
	half, out := int(period/c.step/2+0.5), make([]float64, n)
	for i, v := range c.values {
		h := min(half, max(i, 1), max(n-1-i, 1))
		a, b := max(i-h, 0), min(i+h+1, n)
		out[i] = v - (sums[b]-sums[a])/(counts[b]-counts[a])
	}
	return out
}

// A column is the sum of the values of one bin.
type column struct{ sum, n float64 }

// columns adds up the cycles, without one of them; −1 leaves out none.
func (f folded) columns(without int) []column {
	out := make([]column, len(f[0]))
	for r, row := range f {
		for b, v := range row {
			if r != without && !math.IsNaN(v) {
				out[b].sum, out[b].n = out[b].sum+v, out[b].n+1
			}
		}
	}
	return out
}

// bestWindow is the window whose values are highest above the rest, in standard errors but for a factor.
func bestWindow(cols []column) (best window, contrast float64) {
	n := len(cols)
	prefix := make([]column, 2*n+1)
	for i := range 2 * n {
		prefix[i+1] = column{prefix[i].sum + cols[i%n].sum, prefix[i].n + cols[i%n].n}
	}
	all := prefix[n]
	for width := 1; width <= max(n/pulsePart, 1); width++ {
		for start := range n {
			in := column{prefix[start+width].sum - prefix[start].sum, prefix[start+width].n - prefix[start].n}
			out := column{all.sum - in.sum, all.n - in.n}
			if in.n == 0 || out.n == 0 {
				continue
			}
			z := (in.sum/in.n - out.sum/out.n) * math.Sqrt(in.n*out.n/all.n)
			if z > contrast {
				best, contrast = window{start, width}, z
			}
		}
	}
	return best, contrast
}

// widened is the window with the slopes at its sides: bins next to it that are a quarter as high, as far as it is no
// longer than half of the period.
func (w window) widened(cols []column) window {
	n := len(cols)
	var in, out column
	for b, c := range cols {
		if w.has(b, n) {
			in.sum, in.n = in.sum+c.sum, in.n+c.n
		} else {
			out.sum, out.n = out.sum+c.sum, out.n+c.n
		}
	}
	if in.n == 0 || out.n == 0 {
		return w
	}
	low := out.sum/out.n + (in.sum/in.n-out.sum/out.n)/4
	high := func(bin int) bool {
		c := cols[(bin+n)%n]
		return c.n > 0 && c.sum/c.n >= low
	}
	for 2*(w.width+1) <= n && high(w.start-1) {
		w = window{(w.start - 1 + n) % n, w.width + 1}
	}
	for 2*(w.width+1) <= n && high(w.start+w.width) {
		w.width++
	}
	return w
}

// judge tests a candidate cycle by cycle.
func (c *course) judge(k candidate) (p Pulse, ok bool) {
	if k.contrast <= 0 {
		return p, false
	}
	bins := max(int(k.period/c.step+0.5), 1)
	bin := k.period / float64(bins)
	// Each cycle begins half a period away from the pulse, so that none is cut.
	from := phase((float64(k.window.start)+float64(k.window.width)/2)*bin+k.period/2, k.period)
	f := c.fold(k.period, from)
	cols := f.columns(-1)
	w, _ := bestWindow(cols)
	w = w.widened(cols)
	p = Pulse{Period: k.period, Start: phase(from+float64(w.start)*bin-c.step/2, k.period),
		Width: float64(w.width) * bin}
	sum := 0.0
	for r := range f {
		w, _ := bestWindow(f.columns(r))
		luck, ok := w.luck(f[r])
		if !ok {
			continue
		}
		p.Cycles++
		sum -= 2 * math.Log(luck)
		if luck <= pulseLuck {
			p.Hits++
		}
	}
	p.Chance = min(k.trials*chiSquareAbove(sum, p.Cycles), 1)
	return p, p.Hits >= pulseCycles && float64(p.Hits) >= pulseHits*float64(p.Cycles) && p.Chance <= pulseChance
}

// luck is the share of all windows of the same width in a cycle whose mean is at least that of the window itself; ok is
// false where the cycle lacks half of its values or the window all.
func (w window) luck(row []float64) (share float64, ok bool) {
	own, n := w.mean(row)
	present := 0
	for _, v := range row {
		if !math.IsNaN(v) {
			present++
		}
	}
	if n == 0 || 2*present < len(row) {
		return 0, false
	}
	asHigh, all := 0, 0
	for start := range row {
		if mean, n := (window{start, w.width}).mean(row); n > 0 {
			all++
			if mean >= own {
				asHigh++
			}
		}
	}
	return float64(asHigh) / float64(all), true
}

// mean is that of the window's values in a cycle, and how many there are.
func (w window) mean(row []float64) (mean float64, n int) {
	for i := range w.width {
		if v := row[(w.start+i)%len(row)]; !math.IsNaN(v) {
			mean, n = mean+v, n+1
		}
	}
	return mean / float64(max(n, 1)), n
}

// chiSquareAbove is the probability that a chi-square variable with 2m degrees of freedom is above x.
func chiSquareAbove(x float64, m int) float64 {
	term, sum := 1.0, 0.0
	for i := range m {
		sum += term
		term *= x / 2 / float64(i+1)
	}
	return math.Exp(-x/2) * sum
}
