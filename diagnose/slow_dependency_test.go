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
