package gctune

import (
	"math/rand/v2"
	"testing"
	"time"
)

const tickLength = 100 * time.Millisecond

// The target is 90 % of the nearest limit. The runtime gets what others leave of it, and 1 % more, because the runtime
// stops short of its limit.
func TestFirstDecision(t *testing.T) {
	for _, c := range []struct {
		name          string
		cfg           Config
		keep          kept
		bounds        []bound
		gogc          int
		limit, goLim  int64
		live          int64
		wantBoundName string
	}{
		{name: "alone", bounds: []bound{{"a", 1000 * mb, 100 * mb}}, live: mb, gogc: 10000,
			limit: 900 * mb / 100 * 101},
		{name: "half of the used is others'", bounds: []bound{{"a", 1000 * mb, 200 * mb}}, live: mb, gogc: 10000,
			limit: 800 * mb / 100 * 101},
		{name: "large live heap", bounds: []bound{{"a", 1000 * mb, 100 * mb}}, live: 400 * mb,
			limit: 900 * mb / 100 * 101,
			gogc:  137}, // (909-10-400) × 1.1 / 400
		{name: "more headroom", cfg: Config{Headroom: 0.25}, bounds: []bound{{"a", 1000 * mb, 100 * mb}}, live: mb,
			gogc: 10000, limit: 750 * mb / 100 * 101},
		{name: "the parent is nearer", bounds: []bound{{"a", 1000 * mb, 100 * mb}, {"parent", 4000 * mb, 3500 * mb}},
			live: mb,
			gogc: 10000, limit: 200 * mb / 100 * 101, wantBoundName: "parent"},
		{name: "bounded GOGC", cfg: Config{MaxGOGC: 300}, bounds: []bound{{"a", 1000 * mb, 100 * mb}}, live: 50 * mb,
			gogc: 300, limit: 900 * mb / 100 * 101},
		{name: "GOMEMLIMIT is the operator's", keep: kept{limit: true}, bounds: []bound{{"a", 1000 * mb, 100 * mb}},
			live:  400 * mb,
			goLim: 2000 * mb, limit: 2000 * mb, gogc: 118}, // (909-10-400) × 0.95 / 400
		{name: "GOGC is the operator's", keep: kept{gogc: true}, bounds: []bound{{"a", 1000 * mb, 100 * mb}},
			live: 50 * mb, gogc: 100, limit: 900 * mb / 100 * 101},
		{name: "both are", keep: kept{true, true}, bounds: []bound{{"a", 1000 * mb, 100 * mb}}, live: 50 * mb,
			goLim: 77 * mb, gogc: 100, limit: 77 * mb},
		{name: "others have everything", bounds: []bound{{"a", 100 * mb, 200 * mb}}, live: 50 * mb, gogc: 10,
			limit: minLimit},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDecider(t, c.cfg)
			d.keep = c.keep
			if c.goLim == 0 {
				c.goLim = noLimit
			}
			if c.wantBoundName == "" {
				c.wantBoundName = "a"
			}
			r := reading{bounds: c.bounds, mapped: 100 * mb, heap: 90 * mb, live: c.live, gogc: 100, goLimit: c.goLim}
			got := d.decide(&r)
			if got.gogc != c.gogc {
				t.Errorf("GOGC is %d, want %d", got.gogc, c.gogc)
			}
			if got.limit != c.limit {
				t.Errorf("GOMEMLIMIT is %d, want %d", got.limit, c.limit)
			}
			if got.bound.name != c.wantBoundName {
				t.Errorf("the nearest bound is %q, want %q", got.bound.name, c.wantBoundName)
			}
			if r.gogc == got.gogc && r.goLimit == got.limit && got.reason != Unchanged {
				t.Errorf("nothing changes, for the reason %v", got.reason)
			}
		})
	}
}

// scenario is what happens to a process. Each function returns a number for a moment.
type scenario struct {
	live, alloc, others func(at time.Duration) int64
}

// play lets a tuner work on a model for d, and calls each with every decision.
func play(m *model, d *decider, s scenario, length time.Duration, each func(decision)) {
	for m.at < length {
		live, others := s.live(m.at), s.others(m.at)
		m.garbage, m.live = max(m.garbage-max(live-m.live, 0), 0), live // what lives longer was allocated before
		m.others = others
		each(m.tick(d))
		m.pass(tickLength, s.alloc(m.at))
	}
}

func steadily(v int64) func(time.Duration) int64 { return func(time.Duration) int64 { return v } }

// ramp goes from one number to another in the given time.
func ramp(from, to int64, start, length time.Duration) func(time.Duration) int64 {
	return func(at time.Duration) int64 {
		part := min(max(float64(at-start)/float64(length), 0), 1)
		return from + int64(part*float64(to-from))
	}
}

// Whatever a process and its neighbours do, if it can be followed at all, memory stays below the target.
func TestNeverAboveTarget(t *testing.T) {
	for seed := range uint64(100) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		limit := (200 + rnd.Int64N(2000)) * mb
		target := limit / 10 * 9
		// At the end the live heap and the others leave a quarter of the target for garbage. The others grow slowly
		// enough to be followed: 5 % of the limit a second at most.
		live, others := target/100*(5+rnd.Int64N(40)), target/100*rnd.Int64N(30)
		length := 60 * time.Second
		room := target - live - others
		// At which collecting takes 30 % of the CPU.
		mostAlloc := int64(0.3 * modelProcs * modelMark / float64(live) * float64(room))
		grow := max(time.Duration(20*float64(others)/float64(limit)*float64(time.Second)), time.Second)
		s := scenario{
			live:   ramp(live/4, live, 2*time.Second, 20*time.Second),
			alloc:  steadily(min(limit/20*(1+rnd.Int64N(10)), mostAlloc)),
			others: ramp(mb, max(others, mb), 5*time.Second, grow),
		}
		m, d := newModel(limit), newDecider(t, Config{MaxGCShare: 0.5})
		play(m, d, s, length, func(got decision) {
			if got.gogc < d.cfg.MinGOGC || got.gogc > d.cfg.MaxGOGC {
				t.Fatalf("seed %d: GOGC is %d, want %d to %d", seed, got.gogc, d.cfg.MinGOGC, d.cfg.MaxGOGC)
			}
		})
		if m.peak > target {
			t.Errorf("seed %d: the peak is %d MiB above the target of %d (live %d, others %d, alloc %d MiB/s)", seed,
				(m.peak-target)/mb,
				target/mb, live/mb, others/mb, s.alloc(0)/mb)
		}
	}
}

// Whatever a process and its neighbours do, even if it cannot be followed or does not fit, GOMEMLIMIT never lets memory
// go above the ceiling, and GOGC stays within its bounds.
func TestNeverAboveCeiling(t *testing.T) {
	for seed := range uint64(100) {
		rnd := rand.New(rand.NewPCG(seed, 2))
		limit := (50 + rnd.Int64N(2000)) * mb
		jump := func(upTo int64) func(time.Duration) int64 {
			var v int64
			return func(time.Duration) int64 {
				if v == 0 || rnd.IntN(20) == 0 {
					v = mb + rnd.Int64N(upTo)
				}
				return v
			}
		}
		m, d := newModel(limit), newDecider(t, Config{MinGOGC: 20, MaxGOGC: 900})
		relief := int64(0)
		play(m, d, scenario{jump(limit * 11 / 10), jump(limit), jump(limit / 2)}, 20*time.Second, func(got decision) {
			if ceiling := max(limit/100*95-m.others, minLimit); got.limit > ceiling+limit/100 {
				t.Fatalf("seed %d at %v: GOMEMLIMIT is %d MiB, want %d at most", seed, m.at, got.limit/mb, ceiling/mb)
			}
			if got.gogc < 20 || got.gogc > 900 {
				t.Fatalf("seed %d at %v: GOGC is %d, want 20 to 900", seed, m.at, got.gogc)
			}
			relief = max(relief, got.relief)
		})
		if relief > limit/20+mb {
			t.Errorf("seed %d: %d MiB of relief, want %d at most", seed, relief/mb, limit/20/mb)
		}
	}
}

// Where GOGC decides when to collect, the tuner does not give more memory: it would not be used.
func TestNoReliefBesideGOGC(t *testing.T) {
	m, d := newModel(1000*mb), newDecider(t, Config{MaxGOGC: 20})
	play(m, d, scenario{steadily(400 * mb), steadily(150 * mb), steadily(mb)}, 20*time.Second, func(got decision) {
		if got.relief > 0 || got.starved {
			t.Fatalf("at %v the relief is %d MiB, starved is %v, with GC at %.2f of the CPU", m.at, got.relief/mb,
				got.starved, got.share)
		}
	})
	if d.share.value < d.cfg.MaxGCShare {
		t.Errorf("the collector takes %.2f of the CPU: the case is too easy", d.share.value)
	}
}

// The available memory is used: under steady load the peak comes near the target and settings hardly change.
func TestUsesWhatThereIs(t *testing.T) {
	m, d := newModel(1000*mb), newDecider(t, Config{})
	changes := 0
	s := scenario{steadily(200 * mb), steadily(300 * mb), steadily(100 * mb)}
	play(m, d, s, 10*time.Second, func(decision) {})
	play(m, d, s, 60*time.Second, func(got decision) {
		if got.reason != Unchanged {
			changes++
		}
	})
	if m.peak < 850*mb || m.peak > 900*mb {
		t.Errorf("the peak is %d MiB, want 850 to the target of 900", m.peak/mb)
	}
	if changes > 2 {
		t.Errorf("%d changes in 50 s of a steady load, want 2 at most", changes)
	}
}

// Memory that others return is used again, though not at once.
func TestOthersGiveBack(t *testing.T) {
	m, d := newModel(1000*mb), newDecider(t, Config{})
	others := func(at time.Duration) int64 {
		if at > 10*time.Second && at < 20*time.Second {
			return 400 * mb
		}
		return 10 * mb
	}
	var low, at25, at50 int64 = noLimit, 0, 0
	play(m, d, scenario{steadily(100 * mb), steadily(100 * mb), others}, 50*time.Second, func(got decision) {
		low = min(low, got.limit)
		if m.at < 20*time.Second+500*time.Millisecond {
			at25 = got.limit
		}
		at50 = got.limit
	})
	if low > 500*mb {
		t.Errorf("with others at 400 MiB the limit was %d MiB, want 500 at most", low/mb)
	}
	if at25 > 700*mb {
		t.Errorf("half a second after others have left, the limit is %d MiB already, want less than 700", at25/mb)
	}
	if at50 < 860*mb {
		t.Errorf("30 s after others have left, the limit is %d MiB, want 860 or more", at50/mb)
	}
}

// A live heap that does not fit below the target costs at most the collector's share, then memory up to the ceiling.
// What does not fit there either is reported.
func TestSpiral(t *testing.T) {
	for _, c := range []struct {
		name            string
		live            int64
		share           float64 // of CPU at the end, at most
		peak            int64
		starved, relief bool
	}{
		{"fits", 700 * mb, 0.25, 900 * mb, false, false},
		{"fits below the ceiling", 865 * mb, 0.45, 950 * mb, true, true},
		{"needs a part of the ceiling", 825 * mb, 0.25, 950 * mb, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, d := newModel(1000*mb), newDecider(t, Config{})
			var last decision
			s := scenario{ramp(100*mb, c.live, 0, 10*time.Second), steadily(30 * mb), steadily(mb)}
			play(m, d, s, 60*time.Second, func(got decision) { last = got })
			t.Logf("share %.3f, peak %d MiB, relief %d MiB", last.share, m.peak/mb, last.relief/mb)
			if m.peak > c.peak {
				t.Errorf("the peak is %d MiB, want %d at most", m.peak/mb, c.peak/mb)
			}
			if last.share > c.share {
				t.Errorf("the collector takes %.2f of the CPU, want %.2f at most", last.share, c.share)
			}
			if last.starved != c.starved || (last.relief > 0) != c.relief {
				t.Errorf("starved is %v and the relief %d MiB, want %v and some %v", last.starved, last.relief/mb,
					c.starved, c.relief)
			}
		})
	}
}

// A process that allocates nothing is made to collect while its neighbour grows.
func TestCollectsWhenIdle(t *testing.T) {
	m, d := newModel(1000*mb), newDecider(t, Config{})
	alloc := func(at time.Duration) int64 {
		if at < 4*time.Second {
			return 200 * mb
		}
		return 0
	}
	forced := 0
	play(m, d, scenario{steadily(50 * mb), alloc, ramp(mb, 600*mb, 5*time.Second, 20*time.Second)}, 40*time.Second,
		func(got decision) {
			if got.collect {
				forced++
			}
		})
	if forced == 0 || forced > 3 {
		t.Errorf("%d collections were forced, want 1 to 3", forced)
	}
	if m.peak > 900*mb {
		t.Errorf("the peak is %d MiB, want 900 at most", m.peak/mb)
	}
}
