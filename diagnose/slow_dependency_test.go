package diagnose

import (
	"testing"
	"time"

	"github.com/gocasebook/casebook/diagnose/traces"
)

// TestHedgeDelay: the time in which 95 % have answered, where that is not already the time of a late call.
func TestHedgeDelay(t *testing.T) {
	const ms = time.Millisecond
	for _, tt := range []struct {
		name  string
		times traces.Times
		want  time.Duration
	}{
		{"one in fifty is late", traces.Times{Count: 1000, P50: 2 * ms, P95: 4 * ms, P99: 90 * ms}, 4 * ms},
		{"one in ten is late", traces.Times{Count: 1000, P50: 2 * ms, P95: 80 * ms, P99: 90 * ms}, 10 * ms},
		{"a few calls", traces.Times{Count: 40, P50: 2 * ms, P95: 4 * ms, P99: 90 * ms}, 10 * ms},
		{"a summary without it", traces.Times{Count: 1000, P50: 2 * ms, P99: 90 * ms}, 10 * ms},
	} {
		if got, why := hedgeDelay(tt.times); got != tt.want || why == "" {
			t.Errorf("%s: %v (%s), want %v", tt.name, got, why, tt.want)
		}
	}
}

// TestFewCalls: the mean of few calls counts if no outlier makes it.
func TestFewCalls(t *testing.T) {
	for _, c := range []struct {
		calls      int64
		total, max time.Duration
		want       bool
	}{
		{20, 2 * time.Second, 1900 * time.Millisecond, true}, // many: an outlier is one of twenty
		{10, 2 * time.Second, 300 * time.Millisecond, true},
		{10, 2 * time.Second, 1900 * time.Millisecond, false},
		{4, 2 * time.Second, 500 * time.Millisecond, false},
	} {
		a := tracedAsk{calls: c.calls, times: traces.Times{Count: 2 * c.calls, Total: c.total, Max: c.max}}
		if a.enough() != c.want {
			t.Errorf("%d calls of %v, one of %v: %v", c.calls, c.total, c.max, a.enough())
		}
	}
}
