package recorder

import (
	"testing"
	"time"
)

// newTestGovernor has limits of 1 %, 5 % when armed, and 64 MiB.
func newTestGovernor(t *testing.T) governor {
	t.Helper()
	cfg, err := TraceConfig{}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	return newGovernor(cfg)
}

func TestGovernor(t *testing.T) {
	start := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	type stretch struct {
		seconds int
		share   float64
		rate    float64 // bytes a second
		warn    bool    // at its start
		run     bool    // wanted at its end
	}
	for _, tt := range []struct {
		name      string
		stretches []stretch
	}{
		{"cheap from the start", []stretch{{10, 0.002, 0, false, false}, {1, 0.002, 0, false, true}}},
		{"costly from the start", []stretch{{600, 0.02, 0, false, false}}},
		{"a peak does not end it", []stretch{{11, 0.002, 0, false, true}, {9, 0.03, 0, false, true},
			{60, 0.002, 0, false, true}}},
		{"lasting cost ends it", []stretch{{11, 0.002, 0, false, true}, {11, 0.03, 0, false, false}}},
		{"beyond all limits it ends soon", []stretch{{11, 0.002, 0, false, true}, {3, 0.2, 0, false, true},
			{1, 0.2, 0, false, false}}},
		{"too much memory ends it soon", []stretch{{11, 0.002, 0, false, true}, {4, 0.002, 35e6, false, false}}},
		{"memory is enough", []stretch{{11, 0.002, 10e6, false, true}}},
		{"at the limit it does not flap", []stretch{{11, 0.002, 0, false, true}, {600, 0.009, 0, false, true},
			{11, 0.011, 0, false, false}, {600, 0.009, 0, false, false}}},
		{"a warning arms it", []stretch{{20, 0.03, 0, false, false}, {59, 0.03, 0, true, true},
			{2, 0.03, 0, false, false}}},
		{"a further warning prolongs", []stretch{{20, 0.03, 0, false, false}, {59, 0.03, 0, true, true},
			{59, 0.03, 0, true, true}, {2, 0.03, 0, false, false}}},
		{"armed, but beyond all limits", []stretch{{20, 0.2, 0, false, false}, {30, 0.2, 0, true, false}}},
		{"armed, and then beyond all limits", []stretch{{20, 0.03, 0, false, false}, {5, 0.03, 0, true, true},
			{5, 0.2, 0, false, false}, {5, 0.03, 0, false, false}, {10, 0.03, 0, false, true}}},
		{"armed before anything is known", []stretch{{1, 0.03, 0, true, true}}},
		{"armed while cheap, then costly", []stretch{{11, 0.002, 0, false, true}, {30, 0.03, 0, true, true},
			{31, 0.03, 0, false, false}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g, now := newTestGovernor(t), start
			for i, s := range tt.stretches {
				if s.warn {
					g.arm(now, now.Add(time.Minute), "rule gc-cpu")
				}
				for range s.seconds {
					g.step(now, estimate{s.share, s.rate})
					now = now.Add(time.Second)
				}
				if g.run != s.run {
					t.Fatalf("stretch %d: it wants run=%t, want %t", i, g.run, s.run)
				}
			}
		})
	}
}

// Whatever the cost, the recorder changes state rarely: each change stops the world.
func TestGovernorDoesNotFlap(t *testing.T) {
	g, now := newTestGovernor(t), time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	changes, last := 0, false
	for i := range 3600 {
		share := 0.002
		if i%7 < 3 {
			share = 0.03
		}
		g.step(now.Add(time.Duration(i)*time.Second), estimate{share, 0})
		if g.run != last {
			changes, last = changes+1, g.run
		}
	}
	if changes != 0 {
		t.Errorf("%d changes in an hour of a cost that goes up and down each 7 s, want none", changes)
	}
}
