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

// saturated is the estimate of a process that uses both of its cores, by the recorder's share of that.
func saturated(share, bytes float64) estimate {
	return estimate{cpu: 2 * share, bytes: bytes, used: 2, procs: 2}
}

// idle is that of a process that does nothing.
func idle() estimate { return load{procs: 2, used: 0.002}.estimated() }

var governed = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) // when the tests begin

func TestGovernor(t *testing.T) {
	type stretch struct {
		seconds int
		est     estimate
		warn    bool // at its start
		run     bool // wanted at its end
	}
	at := func(seconds int, share float64, run bool) stretch {
		return stretch{seconds, saturated(share, 0), false, run}
	}
	warned := func(seconds int, share float64, run bool) stretch {
		return stretch{seconds, saturated(share, 0), true, run}
	}
	doingNothing := func(seconds int, run bool) stretch { return stretch{seconds, idle(), false, run} }
	for _, tt := range []struct {
		name      string
		stretches []stretch
	}{
		{"idle from the start", []stretch{doingNothing(10, false), doingNothing(1, true)}},
		{"cheap from the start", []stretch{at(10, 0.002, false), at(1, 0.002, true)}},
		{"costly from the start", []stretch{at(600, 0.02, false)}},
		{"a peak does not end it", []stretch{at(11, 0.002, true), at(1, 0.03, true), at(60, 0.002, true)}},
		{"what a peak owes is paid by cheap seconds", []stretch{at(11, 0.002, true), at(1, 0.03, true),
			at(60, 0.002, true), at(1, 0.03, true)}},
		{"lasting cost ends it", []stretch{at(11, 0.002, true), at(11, 0.0105, false)}},
		{"the account ends it sooner", []stretch{at(11, 0.002, true), at(1, 0.03, true), at(1, 0.03, false)}},
		{"idle seconds pay nothing", []stretch{doingNothing(11, true), at(1, 0.03, true), doingNothing(5, true),
			at(1, 0.03, false), doingNothing(300, false)}},
		{"an hour of doing nothing forgives", []stretch{doingNothing(11, true), at(3, 0.06, false),
			doingNothing(3600, true), at(3, 0.06, false)}},
		{"busy seconds without it pay", []stretch{at(11, 0.002, true), at(3, 0.06, false), at(9, 0.002, false),
			at(11, 0.002, true)}},
		{"too much memory ends it soon", []stretch{at(11, 0.002, true), {4, saturated(0.002, 35e6), false, false}}},
		{"memory is enough", []stretch{{11, saturated(0.002, 10e6), false, true}}},
		{"at the limit it does not flap", []stretch{at(11, 0.002, true), at(600, 0.009, true), at(11, 0.011, false),
			at(600, 0.009, false)}},
		{"a warning arms it", []stretch{at(20, 0.03, false), warned(59, 0.03, true), at(2, 0.03, false)}},
		{"a further warning prolongs", []stretch{at(20, 0.03, false), warned(59, 0.03, true), warned(59, 0.03, true),
			at(2, 0.03, false)}},
		{"further warnings do not for ever", []stretch{at(20, 0.03, false), warned(59, 0.03, true),
			warned(59, 0.03, true), warned(59, 0.03, false)}},
		{"armed, but beyond all limits", []stretch{at(20, 0.2, false), warned(30, 0.2, false)}},
		{"armed, and then beyond all limits", []stretch{at(20, 0.03, false), warned(5, 0.03, true),
			at(5, 0.2, false), at(5, 0.03, false), at(10, 0.03, true)}},
		{"armed before anything is known", []stretch{warned(1, 0.03, true)}},
		{"armed while cheap, then costly", []stretch{at(11, 0.002, true), warned(30, 0.03, true), at(31, 0.03, false)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g, now := newTestGovernor(t), governed
			for i, s := range tt.stretches {
				if s.warn {
					g.arm(now, now.Add(time.Minute), "rule gc-cpu")
				}
				for range s.seconds {
					g.step(now, s.est)
					now = now.Add(time.Second)
				}
				if g.run != s.run {
					t.Fatalf("stretch %d: it wants run=%t, want %t (%.3g s owed)", i, g.run, s.run, g.owed)
				}
			}
		})
	}
}

// A service of bursts with pauses between them, as the one that the recorder cost 6 % of CPU a request.
func TestGovernorBoundsBusySeconds(t *testing.T) {
	for _, tt := range []struct {
		name string
		est  func(second int) estimate
	}{
		{"a saturated second in eight", func(i int) estimate {
			if i%8 == 0 {
				return saturated(0.06, 0)
			}
			return idle()
		}},
		{"an eighth of each second", func(int) estimate { return estimate{cpu: 0.03, used: 0.5, procs: 2} }},
		{"always", func(int) estimate { return saturated(0.06, 0) }},
		{"cheap work and costly in turns", func(i int) estimate {
			if i%40 < 20 {
				return saturated(0.002, 0)
			}
			return saturated(0.04, 0)
		}},
		{"a costly minute each quarter of an hour", func(i int) estimate {
			if i%900 < 60 {
				return saturated(0.06, 0)
			}
			return idle()
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g, cost, used, forgiven := newTestGovernor(t), 0.0, 0.0, 1.0
			for i := range 3600 {
				e := tt.est(i)
				if e.busy() && g.run {
					cost += e.cpu
				}
				if e.busy() {
					used += e.used
				}
				owed := g.owed
				g.step(governed.Add(time.Duration(i)*time.Second), e)
				if owed > 0 && g.owed == 0 && !e.busy() {
					forgiven++
				}
			}
			// A step is a second: one more may pass before the account is looked at.
			if most := 0.01*used + forgiven*(g.allowance()+0.12); cost > most {
				t.Errorf("it cost %.3g s of the %.3g s of CPU of busy seconds, want at most %.3g", cost, used, most)
			}
		})
	}
}

// Whatever the cost, the recorder changes state rarely: each change stops the world.
func TestGovernorDoesNotFlap(t *testing.T) {
	g := newTestGovernor(t)
	changes, last := 0, false
	for i := range 3600 {
		share := 0.002
		if i%7 < 3 {
			share = 0.03
		}
		g.step(governed.Add(time.Duration(i)*time.Second), saturated(share, 0))
		if g.run != last {
			changes, last = changes+1, g.run
		}
	}
	if changes > 1 {
		t.Errorf("%d changes in an hour of a cost that goes up and down each 7 s, want one at most", changes)
	}
}
