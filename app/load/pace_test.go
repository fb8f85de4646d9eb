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
