package vitals

import (
	"fmt"
	"testing"
	"time"
)

func BenchmarkMean(b *testing.B) {
	h := NewHistory(600)
	for i := range 900 {
		s := NewSample(start.Add(time.Duration(i) * time.Second))
		s.Set(Goroutines, float64(i))
		h.Add(s)
	}
	for _, n := range []int{60, 300} {
		b.Run(fmt.Sprintf("samples=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			since := start.Add(time.Duration(900-n) * time.Second)
			for b.Loop() {
				h.Mean(Goroutines, since)
			}
		})
	}
}
