package diagnose

import (
	"math"
	"testing"
)

func TestScale(t *testing.T) {
	open, closed := Scale{Worth: 10, Hurts: 20}, Scale{Worth: 10, Hurts: 20, Top: 40}
	tests := []struct {
		scale Scale
		x     float64
		want  int
	}{
		{open, -1, 0}, {open, 0, 0}, {open, math.NaN(), 0}, {open, 5, 12}, {open, 9.99, 24}, {open, 10, 25},
		{open, 15, 50},
		{open, 20, 75}, {open, 40, 87}, {open, math.Inf(1), 100},
		{closed, 20, 75}, {closed, 30, 87}, {closed, 40, 100}, {closed, 400, 100},
	}
	for _, tt := range tests {
		if got := tt.scale.Score(tt.x); got != tt.want {
			t.Errorf("%+v at %v: %d, want %d", tt.scale, tt.x, got, tt.want)
		}
	}
}

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

func TestConfidence(t *testing.T) {
	tests := []struct{ p, n, want float64 }{
		{0.3, 1000, 0.9}, {0.3, 100, 0.69}, {0.3, 10, 0.03}, {1, 5, 0.99}, {0, 100, 0}, {0.5, 0, 0}, {0.01, 4, 0},
	}
	for _, tt := range tests {
		if got := Confidence(tt.p, tt.n); got != tt.want {
			t.Errorf("share %v of %v samples: %v, want %v", tt.p, tt.n, got, tt.want)
		}
	}
}

func TestPhrases(t *testing.T) {
	for got, want := range map[string]string{
		short("github.com/bluele/gcache.(*LRUCache).set"): "gcache.(*LRUCache).set",
		short("main.Map[example.com/x/y.T].Get"):          "main.Map[...].Get",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
