package load_test

import (
	"math"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/load"
)

func TestConstant(t *testing.T) {
	for _, c := range []struct {
		name string
		rate float64
		i    uint64
		at   time.Duration
		ok   bool
	}{
		{"the first is at once", 1500, 0, 0, true},
		{"rate 1", 1, 7, 7 * time.Second, true},
		{"below 1 a second", 0.25, 3, 12 * time.Second, true},
		{"a third of a millisecond, cut to nanoseconds", 3000, 1, 333333 * time.Nanosecond, true},
		{"rounding does not add up", 3000, 3000 * 86400, 24 * time.Hour, true},
		{"beyond what a Duration holds", 1e-9, math.MaxUint64, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			at, ok := load.Constant(c.rate)(c.i)
			if at != c.at || ok != c.ok {
				t.Errorf("Constant(%v)(%d) = %v, %v; want %v, %v", c.rate, c.i, at, ok, c.at, c.ok)
			}
		})
	}
}

func TestBetween(t *testing.T) {
	ramp, err := load.ParseSchedule("constant ramp 0..100 10s")
	if err != nil {
		t.Fatal(err)
	}
	gaps := load.Replay([]time.Duration{0, 10 * time.Millisecond, 10 * time.Millisecond, time.Second, 2 * time.Second})
	for _, c := range []struct {
		name     string
		pace     load.Pace
		from, to time.Duration
		n        uint64
		first    time.Duration
	}{
		{"from the start", load.Constant(100), 0, time.Second, 100, 0},
		{"in the middle", load.Constant(100), 3 * time.Second, 3500 * time.Millisecond, 50, 0},
		{"between arrivals", load.Constant(10), 350 * time.Millisecond, 850 * time.Millisecond, 5,
			50 * time.Millisecond},
		{"half of a ramp has three quarters", ramp.Pace, 5 * time.Second, 10 * time.Second, 375, 0},
		{"beyond the end", ramp.Pace, 10 * time.Second, 20 * time.Second, 0, 0},
		{"two at once", gaps, 5 * time.Millisecond, 20 * time.Millisecond, 2, 5 * time.Millisecond},
		{"a gap", gaps, 20 * time.Millisecond, 900 * time.Millisecond, 0, 0},
		{"the last, at the end", gaps, time.Second, 2*time.Second + 1, 2, 0},
		{"backwards", gaps, time.Second, 0, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			piece, n := load.Between(c.pace, c.from, c.to)
			if n != c.n {
				t.Fatalf("%d arrivals, want %d", n, c.n)
			}
			last := time.Duration(0)
			for i := range n {
				at, ok := piece(i)
				if !ok || at < last || at >= c.to-c.from || i == 0 && (at < c.first || at > c.first+time.Millisecond) {
					t.Fatalf("arrival %d is due at %v, %v; want it at or after %v", i, at, ok, max(last, c.first))
				}
				last = at
			}
			if _, ok := piece(n); ok {
				t.Errorf("there is an arrival after the last")
			}
		})
	}
}
