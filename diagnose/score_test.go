package diagnose

import "testing"

// TestScalesRise: no detector's scale falls, and each gives 25 and 75 at its limits.
func TestScalesRise(t *testing.T) {
	for name, s := range map[string]Scale{"gc": gcCPUScale(), "pointer heap": pointerHeapScale(), "hot": hotScale(),
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
