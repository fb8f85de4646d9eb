package prove

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestUnclippedIsGeneralisedLeastSquares compares the closed form with the definition: the mean that minimises
// (x−μ)'R⁻¹(x−μ), solved with the matrix R of ρ^|i−j|.
func TestUnclippedIsGeneralisedLeastSquares(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, rho := range []float64{0, 0.4, 0.9} {
		const n = 7
		vs := make([]float64, n)
		for i := range vs {
			vs[i] = 5 + r.NormFloat64()
		}
		ones := make([]float64, n)
		for i := range ones {
			ones[i] = 1
		}
		u := solve(rho, ones) // R⁻¹1
		var weight, sum float64
		for i := range vs {
			weight, sum = weight+u[i], sum+u[i]*vs[i]
		}
		mean := sum / weight
		off := make([]float64, n)
		for i, v := range vs {
			off[i] = v - mean
		}
		square := 0.0
		for i, w := range solve(rho, off) {
			square += w * off[i]
		}
		se := math.Sqrt(square / (n - 1) / weight)
		if e := unclipped(vs, rho); math.Abs(e.centre-mean) > 1e-9 || math.Abs(e.se-se) > 1e-9 || e.free != n-1 {
			t.Errorf("ρ = %v: %+v, want %v ± %v", rho, e, mean, se)
		}
	}
}

// solve gives R⁻¹b by Gaussian elimination.
func solve(rho float64, b []float64) []float64 {
	n := len(b)
	m := make([][]float64, n)
	for i := range m {
		m[i] = make([]float64, n+1)
		for j := range n {
			m[i][j] = math.Pow(rho, math.Abs(float64(i-j)))
		}
		m[i][n] = b[i]
	}
	for i := range n {
		for k := range n {
			if k == i {
				continue
			}
			f := m[k][i] / m[i][i]
			for j := range n + 1 {
				m[k][j] -= f * m[i][j]
			}
		}
	}
	x := make([]float64, n)
	for i := range x {
		x[i] = m[i][n] / m[i][i]
	}
	return x
}

// TestLevelIgnoresARoundThatStoodStill wants one outlier to move the mean by less than its error.
func TestLevelIgnoresARoundThatStoodStill(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	vs := make([]float64, 20)
	for i := range vs {
		vs[i] = 1 + 0.05*r.NormFloat64()
	}
	calm := level(vs, 0)
	vs[7] = 30
	if odd := level(vs, 0); math.Abs(odd.centre-calm.centre) > odd.se || odd.se > 2*calm.se {
		t.Errorf("%v ± %v with an outlier, %v ± %v without", odd.centre, odd.se, calm.centre, calm.se)
	}
}

// TestClipKeepsWhatDiffers: five equal values and another one are not a constant.
func TestClipKeepsWhatDiffers(t *testing.T) {
	if vs, g := clip([]float64{3, 3, 3, 4, 3, 3}); g != 0 || constant(vs) {
		t.Errorf("%v, %d drawn in", vs, g)
	}
}

// TestBatchedSeesSlowDrift has a slow drift beneath fast noise, which lag-1 autocorrelation hardly shows.
func TestBatchedSeesSlowDrift(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	drifting := func() []float64 {
		vs := make([]float64, 100)
		for i := range vs {
			vs[i] = math.Sin(float64(i)/15) + r.NormFloat64()
		}
		return vs
	}
	a, b := drifting(), drifting()
	if series, both := less(level(b, 0.2), level(a, 0.2)),
		difference(a, b, 0.2); both.half(0.99) < 1.2*series.half(0.99) {
		t.Errorf("±%v, want it clearly wider than ±%v", both.half(0.99), series.half(0.99))
	}
}
