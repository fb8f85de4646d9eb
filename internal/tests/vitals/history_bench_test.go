package vitals_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

func BenchmarkMean(b *testing.B) {
	h := vitals.NewHistory(600)
	for i := range 900 {
		s := vitals.NewSample(start.Add(time.Duration(i) * time.Second))
		s.Set(vitals.Goroutines, float64(i))
		h.Add(s)
	}
	for _, n := range []int{60, 300} {
		b.Run(fmt.Sprintf("samples=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			since := start.Add(time.Duration(900-n) * time.Second)
			for b.Loop() {
				h.Mean(vitals.Goroutines, since)
			}
		})
	}
}
