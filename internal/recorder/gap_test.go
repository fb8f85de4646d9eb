//go:build unix

package recorder

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gocasebook/casebook/internal/profiletest"
	"github.com/gocasebook/casebook/internal/victimtest"
)

// BenchmarkSpikes counts how many spikes of 200 ms leave fewer than half of their samples in windows of 0.5 s: with
// windows that wait for a calm moment to end, and with windows that do not.
func BenchmarkSpikes(b *testing.B) {
	for name, cfg := range map[string]CPUConfig{
		"calm": {Window: 500 * time.Millisecond, Keep: 2},
		"due":  {Window: 500 * time.Millisecond, Keep: 2, Take: takeSelf},
	} {
		b.Run("end="+name, func(b *testing.B) {
			c, stop := runReal(b, cfg)
			lost, all := 0, 0
			for b.Loop() {
				<-time.After(rand.N(500 * time.Millisecond))
				victimtest.Spike(200 * time.Millisecond)
				n := 0
				for _, w := range c.Cut(b.Context()) {
					n += profiletest.Samples(b, w.Data, "victimtest.Spike")
				}
				all++
				if n < 10 {
					lost++
				}
				<-time.After(1500 * time.Millisecond)
			}
			stop()
			b.ReportMetric(float64(lost)/float64(all), "lost/spike")
			b.ReportMetric(0, "ns/op")
		})
	}
}
