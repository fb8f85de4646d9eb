//go:build unix

package recorder

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// BenchmarkGap prints for how long nobody records between two windows, when idle and with both cores and more busy.
func BenchmarkGap(b *testing.B) {
	for _, burners := range []int{0, 2, 20} {
		b.Run(fmt.Sprintf("burners=%d", burners), func(b *testing.B) {
			stopBurning := burning(burners)
			defer stopBurning()
			c, stop := runReal(b, CPUConfig{})
			var gaps []time.Duration
			for b.Loop() {
				<-time.After(200 * time.Millisecond)
				c.Cut(b.Context())
				gaps = append(gaps, c.Status().Gap)
			}
			stop()
			slices.Sort(gaps)
			for name, q := range map[string]float64{"p50": 0.5, "p90": 0.9, "max": 1} {
				i := min(int(q*float64(len(gaps))), len(gaps)-1)
				b.ReportMetric(float64(gaps[i].Microseconds()), name+"-gap-µs")
			}
			b.ReportMetric(0, "ns/op") // of waiting: meaningless
		})
	}
}

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
				spike(200 * time.Millisecond)
				n := 0
				for _, w := range c.Cut(b.Context()) {
					n += samplesOf(b, w, "recorder.spike")
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
