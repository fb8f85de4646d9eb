package diagnose

import "testing"

// TestEnoughPlaces: with callers that wait for their answers, with those that come from everywhere, and where nothing
// is known of them.
func TestEnoughPlaces(t *testing.T) {
	for _, tt := range []struct {
		name                    string
		waiting, using, callers float64
		want                    float64
	}{
		// 50 callers pause for 16 ms between requests of 6.6 ms: 50/22.6 ms × 6.6 ms = 14.6 at a time, and √14.6 more.
		{"50 callers at 3 connections", 39.6, 2.97, 50, 19},
		{"one connection for 30 callers", 24.3, 1, 30, 8},
		{"few of many wait", 4, 8, 1000, 11},
		{"nobody waits", 0, 4, 100, 4},
		{"callers are not known", 20, 4, 0, 24},
		{"all callers wait or have one", 20, 4, 24, 24},
	} {
		if got := enoughPlaces(tt.waiting, tt.using, tt.callers); got != tt.want {
			t.Errorf("%s: %g places, want %g", tt.name, got, tt.want)
		}
	}
}

// TestEnoughForCallersThatGrow: callers that do not wait for their answers need places for all that come, and not only
// for those who wait now.
func TestEnoughForCallersThatGrow(t *testing.T) {
	serving := func(n int) crowd { return crowd{n, "chan receive", "runtime.chanrecv1 main.take:7 " + conn, ""} }
	for _, tt := range []struct {
		name          string
		first, second int
		perSecond     float64
		want          float64
	}{
		{"as many come as get through, and as many more", 100, 1100, 100, 6}, // 2·(1+100/100) = 4, and √4 more
		{"a constant number of callers", 600, 600, 100, 29},
		{"throughput is not known", 100, 1100, 0, 6},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, _ := read(t.Context(), apart(10, dumpOf(serving(tt.first)), dumpOf(serving(tt.second))))
			if got := enoughFor(r, 550, 2, tt.perSecond); got != tt.want {
				t.Errorf("%g places, want %g", got, tt.want)
			}
		})
	}
}
