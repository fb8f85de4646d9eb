package diagnose

import "testing"

// TestScalesRise: no detector's scale falls, and each gives 25 and 75 at its limits.
func TestScalesRise(t *testing.T) {
	for name, s := range map[string]Scale{"gc": GCCPUScale(), "pointer heap": pointerHeapScale(), "hot": hotScale(),
		"alloc cost": allocCostScale(), "alloc share": allocShareScale(), "surge": surgeScale(),
		"lock queue": lockQueueScale(),
		"lock share": lockShareScale(), "lock waiters": lockWaiterScale(), "lock slow path": lockSlowPathScale()} {
		if s.Score(s.Worth) != 25 || s.Score(s.Hurts) != 75 {
			t.Errorf("%s: %d at Worth and %d at Hurts, want 25 and 75", name, s.Score(s.Worth), s.Score(s.Hurts))
		}
		last := 0
		for i := range 1000 {
			got := s.Score(s.Hurts * 3 * float64(i) / 1000)
			if got < last {
				t.Fatalf("%s falls from %d to %d", name, last, got)
			}
			last = got
		}
	}
}

func TestDurationsFold(t *testing.T) {
	for _, c := range []struct {
		got, want string
	}{
		{seconds(30_855_720), "357 days"}, // thousands of goroutines that wait for hours, in one block profile
		{seconds(2 * 86400), "2 days"}, {seconds(30_000), "8.33 h"}, {seconds(1200), "20 min"},
		{seconds(599), "599 s"},
		{seconds(0.038), "38 ms"}, {seconds(5e9), "57,870 days"},
		{minutes(1), "1 minute"}, {minutes(12), "12 minutes"}, {minutes(119), "119 minutes"}, {minutes(570), "9.5 h"},
		{minutes(514262), "357 days"},
		{size(1000 << 20), "1,000 MiB"}, {size(1 << 30), "1 GiB"}, {size(12), "12 B"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
