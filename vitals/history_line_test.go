package vitals

import (
	"math"
	"testing"
)

// t99 against the integral of the density (Simpson's rule).
func TestT99(t *testing.T) {
	for _, f := range []float64{1, 2, 2.3, 2.5, 3, 3.7, 5, 9, 11, 25, 45, 90, 500, 1e6} {
		a, _ := math.Lgamma((f + 1) / 2)
		b, _ := math.Lgamma(f / 2)
		scale := math.Exp(a-b) / math.Sqrt(f*math.Pi)
		density := func(x float64) float64 { return scale * math.Pow(1+x*x/f, -(f+1)/2) }
		const steps = 20_000
		q := t99(f)
		w, sum := q/steps, density(0)+density(q)
		for i := 1; i < steps; i++ {
			sum += density(float64(i)*w) * float64(2+2*(i%2))
		}
		p := 0.5 + sum*w/3
		if p < 0.98995 || p > 0.993 {
			t.Errorf("with %g degrees of freedom, %.3f is the %.4f quantile, want 0.99", f, q, p)
		}
	}
}
