package stage

import (
	"math"
	"testing"
	"time"
)

func TestGCOfARound(t *testing.T) {
	start := time.Unix(1000, 0)
	at := func(s float64) time.Time { return start.Add(time.Duration(s * float64(time.Second))) }
	p := &probe{cycles: []cycles{{at(0), at(4), 0.2, 8}, {at(4), at(10), 0.5, 3}}}
	for _, c := range []struct {
		name     string
		from, to float64
		want     float64
		rate     float64
		known    bool
	}{
		{"inside one cycle", 1, 3, 0.2, 2, true},
		{"over the end of a cycle, by time", 3, 7, (1*0.2 + 3*0.5) / 4, (1*2 + 3*0.5) / 4, true},
		{"all of it", 0, 10, (4*0.2 + 6*0.5) / 10, 1.1, true},
		{"the last cycle ended before it", 11, 12, 0, 0, false},
		{"the last cycle ended within it", 9, 11, 0, 0, false},
		{"before the first", -2, 1, 0, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, rate, known := p.gc(at(c.from), at(c.to))
			if known != c.known || math.Abs(got-c.want) > 1e-9 || math.Abs(rate-c.rate) > 1e-9 {
				t.Errorf("share %g, %g cycles/s, known %v; want %g, %g, %v", got, rate, known, c.want, c.rate, c.known)
			}
		})
	}
}
