package target

import (
	"testing"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// MemStats of a process that has live bytes, allocates at a rate, and collects at times, as a sampler sees them each second.
func TestLiveFromMemStats(t *testing.T) {
	const mb, rate = 1e6, 10e6
	began := time.Unix(1000, 0)
	for _, c := range []struct {
		name   string
		every  float64 // seconds between cycles
		live   float64
		skew   float64 // of the target's clock
		within float64 // of live
	}{
		{"a cycle each 7.3 s", 7.3, 50 * mb, 0, 0.001},
		{"a cycle each second", 1.1, 50 * mb, 0, 0.001},
		{"five cycles a second", 0.21, 50 * mb, 0, 0.001},
		{"another machine's clock", 7.3, 50 * mb, 3600, 0.21}, // a second's allocations are 20 % of it
	} {
		t.Run(c.name, func(t *testing.T) {
			var r memReader
			said := 0
			for i := range 60 {
				at := float64(i) + 0.5
				cycles := float64(int(at / c.every))
				m := memStats{
					TotalAlloc: rate * at, NumGC: cycles, LastGC: (1000 + cycles*c.every + c.skew) * 1e9,
					HeapAlloc: c.live + rate*(at-cycles*c.every), NextGC: 2 * c.live,
				}
				s := vitals.NewSample(began.Add(time.Duration(at * float64(time.Second))))
				r.apply(m, &s, time.Time{})
				v, ok := s.Get(vitals.HeapLive)
				if !ok {
					continue
				}
				said++
				if v < c.live*(1-c.within) || v > c.live*(1+c.within) {
					t.Errorf("at %g s heap_live is %g, want %g", at, v, c.live)
				}
			}
			if wanted := int(59/max(c.every, 2)) - 1; said < wanted {
				t.Errorf("heap_live was said %d times, want %d", said, wanted)
			}
		})
	}
}
