package cost

import (
	"math/rand/v2"
	"testing"
)

// TestStepwise: sizes that grow by equal steps are told from all others that a request makes many of
// (docs/evidence/costs.md).
func TestStepwise(t *testing.T) {
	// rounded is the size that the heap gives out: whole pages above 32 KiB, and steps of an eighth below.
	rounded := func(n float64) float64 {
		step := 8192.0
		for n < 32<<10 && step > n/8 {
			step /= 2
		}
		return step * float64(int(n/step)+1)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, tt := range []struct {
		name string
		of   func() []float64 // of one request
		want bool
	}{
		{"a document that an item of 90 bytes is added to, 2,000 times", func() []float64 { return steps(90, 2000) }, true},
		{"a list of 300 words that is copied for each", func() []float64 { return steps(64, 300) }, true},
		{"exports of 20 to 1,000 items", func() []float64 { return steps(90, 20+random.IntN(980)) }, true},
		{"a buffer that doubles", func() []float64 { return times(512, 2, 11) }, false},
		{"append, which grows by a quarter", func() []float64 { return times(1024*(1+random.Float64()), 1.25, 24) }, false},
		{"pieces of 64 KiB", func() []float64 { return []float64{65536, 65536, 65536, 65536, 65536, 65536, 65536, 65536} }, false},
		{"twelve images, the same for each", func() []float64 {
			return []float64{81e3, 95e3, 130e3, 212e3, 340e3, 350e3, 512e3, 600e3, 610e3, 900e3, 1.1e6, 1.9e6}
		}, false},
		{"messages, few of them long", func() (out []float64) {
			for range 20 {
				out = append(out, 200*(1+random.ExpFloat64()*random.ExpFloat64()*10))
			}
			return out
		}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			number := make(map[float64]float64)
			for range 300 {
				for _, n := range tt.of() {
					number[rounded(n)]++
				}
			}
			o := &objects{}
			for size, n := range number {
				o.sizes = append(o.sizes, sized{size, n})
			}
			if got := o.stepwise(); got != tt.want {
				t.Errorf("stepwise is %v, want %v: sizes up to %v", got, tt.want, o.largest())
			}
		})
	}
}

func steps(by float64, n int) (out []float64) {
	for i := range n {
		out = append(out, by*float64(i+1))
	}
	return out
}

func times(from, by float64, n int) (out []float64) {
	for range n {
		out = append(out, from)
		from *= by
	}
	return out
}
