package prove

import (
	"math"
	"slices"
)

// clipped returns how many of n values are drawn in at either end before their mean is taken: a tenth, one at least
// from minLag1 on. A stall of the machine is a round or two.
func clipped(n int) int {
	if n < minLag1 {
		return 0
	}
	return max(n/10, 1)
}

// level returns the mean of a series whose neighbours resemble each other by rho, with its error.
//
// The values at either end are drawn in (clipped), so that one round does not decide. The mean is that of generalised
// least squares for a first-order process (Prais and Winsten 1954), which is exact for any number of rounds when ρ is
// known: its variance is γ(1+ρ)/(n−(n−2)ρ), with γ from the residuals. Clipping makes residuals smaller than the noise
// is, by which the error is widened again, and takes degrees of freedom (Dixon and Tukey 1968).
func level(vs []float64, rho float64) estimate {
	vs, g := clip(vs)
	e := unclipped(vs, rho)
	if kept := float64(len(vs) - 2*g); len(vs) > 1 {
		e.se *= float64(len(vs)-1) / (kept - 1)
		e.free = kept - 1
	}
	return e
}

// unclipped returns the mean by generalised least squares.
func unclipped(vs []float64, rho float64) estimate {
	n := len(vs)
	e := estimate{n: n}
	if n == 0 {
		return e
	}
	ends, inner := 1.0, 1-rho
	weight, sum := 0.0, 0.0
	for i, v := range vs {
		w := inner
		if i == 0 || i == n-1 {
			w = ends
		}
		weight, sum = weight+w, sum+w*v
	}
	e.centre = sum / weight
	if n < 2 {
		return e
	}
	first := vs[0] - e.centre
	square := first * first
	for i := 1; i < n; i++ {
		d := (vs[i] - e.centre) - rho*(vs[i-1]-e.centre)
		square += d * d / (1 - rho*rho)
	}
	e.free = float64(n - 1)
	e.se = math.Sqrt(square / e.free * (1 + rho) / (float64(n) - float64(n-2)*rho))
	return e
}

// batched returns the mean of a series by the means of batches of √n rounds one after another, which hardly resemble
// each other whatever the rounds do within one (Law and Carson 1979). It sees what a first-order process does not have:
// a slow drift beneath fast noise.
func batched(vs []float64) estimate {
	n := len(vs)
	size := int(math.Sqrt(float64(n)))
	k := n / size
	vs, _ = clip(vs)
	means := make([]float64, k)
	for i := range means {
		part := vs[i*n/k : (i+1)*n/k]
		means[i] = locate(part).centre
	}
	return locate(means)
}

// clip draws the g values at either end in to their neighbours, unless all would be equal then: that they differ is
// known.
func clip(vs []float64) (out []float64, g int) {
	g = clipped(len(vs))
	if g == 0 {
		return vs, 0
	}
	sorted := slices.Sorted(slices.Values(vs))
	low, high := sorted[g], sorted[len(sorted)-1-g]
	if low == high {
		return vs, 0
	}
	out = make([]float64, len(vs))
	for i, v := range vs {
		out[i] = min(max(v, low), high)
	}
	return out, g
}

// minBatched is how many rounds a side needs for batches.
const minBatched = 12

// difference returns how much higher b lies than a: by series of rounds that resemble their neighbours by rho at most,
// and by batches; the wider of the two counts.
func difference(a, b []float64, rho float64) estimate {
	e := less(level(b, rho), level(a, rho))
	if len(a) < minBatched || len(b) < minBatched {
		return e
	}
	if by := less(batched(b), batched(a)); by.half(1-familyAlpha) > e.half(1-familyAlpha) {
		by.n, by.centre = e.n, e.centre
		return by
	}
	return e
}

// less returns b − a, with the degrees of freedom of Welch (1947).
func less(b, a estimate) estimate {
	e := estimate{n: min(a.n, b.n), centre: b.centre - a.centre}
	va, vb := a.se*a.se, b.se*b.se
	e.se = math.Sqrt(va + vb)
	switch {
	case va+vb == 0:
		e.free = a.free + b.free
	default:
		e.free = max((va+vb)*(va+vb)/(va*va/max(a.free, 1)+vb*vb/max(b.free, 1)), 1)
	}
	return e
}
