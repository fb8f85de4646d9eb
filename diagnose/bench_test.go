package diagnose

import (
	"runtime"
	"testing"

	"github.com/gocasebook/casebook/internal/profiletest"
)

// BenchmarkRun reads a CPU profile and runs every detector on it.
func BenchmarkRun(b *testing.B) {
	data := profiletest.CPU(b, 100_000, 25)
	b.Run("samples=100000/depth=25", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if rep := Run(b.Context(), Input{Evidence: []Evidence{{Name: "cpu", Data: data}}}); len(rep.Problems) > 0 {
				b.Fatal(rep.Problems)
			}
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		b.ReportMetric(float64(m.Sys)/(1<<20), "MiB-sys")
	})
}
