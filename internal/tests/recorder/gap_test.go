//go:build unix

package recorder_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/gocasebook/casebook/internal/recorder"
)

// BenchmarkGap prints for how long nobody records between two windows, when idle and with both cores and more busy.
func BenchmarkGap(b *testing.B) {
	for _, burners := range []int{0, 2, 20} {
		b.Run(fmt.Sprintf("burners=%d", burners), func(b *testing.B) {
			stopBurning := burning(burners)
			defer stopBurning()
			c, stop := runReal(b, recorder.CPUConfig{})
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
