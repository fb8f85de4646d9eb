package vitals_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// BenchmarkAdd is what a sample costs with 45 signals: a third of them constant, a third whole numbers, a third rates.
func BenchmarkAdd(b *testing.B) {
	for name, h := range map[string]*vitals.History{"packed=no": vitals.NewHistory(601),
		"packed=yes": vitals.NewPackedHistory(601)} {
		b.Run(name, func(b *testing.B) { benchmarkAdd(b, h) })
	}
}

func benchmarkAdd(b *testing.B, h *vitals.History) {
	b.ReportAllocs()
	r := rand.New(rand.NewPCG(1, 2))
	s := vitals.NewSample(start)
	for id := range vitals.ID(45) {
		s.Set(id, 1)
	}
	for b.Loop() {
		s.Time = s.Time.Add(time.Second)
		for id := vitals.ID(0); id < 30; id += 2 {
			s.Values[id], s.Values[id+1] = float64(r.IntN(5000)), r.Float64()
		}
		h.Add(s)
	}
}
