package batch

import (
	"math/rand/v2"
	"testing"
	"time"
)

// TestLateness: the 99th percentile of timers that are late at random is found, and found again when it changes.
func TestLateness(t *testing.T) {
	const ms = time.Millisecond
	rnd := rand.New(rand.NewPCG(1, 2))
	l := lateness{maxDelay: 10 * ms}
	for _, tt := range []struct {
		name     string
		late     func() time.Duration
		min, max time.Duration // of the estimate
	}{
		{"always 1 ms", func() time.Duration { return ms }, ms / 2, 2 * ms},
		{"up to 4 ms", func() time.Duration { return upTo(rnd, 4*ms) }, 3 * ms, 5 * ms},
		{"always more than can be made up for", func() time.Duration { return time.Second }, 7500 * time.Microsecond,
			7500 * time.Microsecond},
		{"exponential, 0.2 ms in the mean",
			func() time.Duration { return time.Duration(rnd.ExpFloat64() * float64(ms) / 5) }, ms / 2, 3 * ms},
		{"in time", func() time.Duration { return 0 }, 0, 0},
	} {
		for range 5000 {
			l.fired(tt.late())
		}
		if l.p99 < tt.min || l.p99 > tt.max {
			t.Errorf("%s: the estimate is %s, want %s to %s", tt.name, l.p99, tt.min, tt.max)
		}
	}
}

// TestPacerLearns gives a pacer batches, and looks at what it expects.
func TestPacerLearns(t *testing.T) {
	const ms = time.Millisecond
	start := time.Unix(1e9, 0)
	at := func(d time.Duration) time.Time { return start.Add(d) }
	p := newPacer(10 * ms)
	for i, tt := range []struct {
		what   string
		do     func() bool
		ready  bool
		peers  int
		probes time.Duration
	}{
		{"a lone item", func() bool { p.came(at(0), 1, false); return p.ready(at(0), 1, at(0)) }, true, 1, 4},
		{"a second during its flush", func() bool {
			p.came(at(ms), 2, false)
			p.landed(at(ms))
			return p.ready(at(ms),
				1, at(ms))
		}, false, 2, 4},
		{"a third: enough, but a probe", func() bool { p.came(at(ms), 2, false); return p.ready(at(ms), 2, at(ms)) },
			false, 2, 4},
		{"the probe finds 64", func() bool { p.came(at(2*ms), 64, false); return p.ready(at(11*ms), 64, at(ms)) }, true,
			64, 4},
		{"it goes", func() bool { p.went(at(11*ms), 64); return true }, true, 64, 4},
		{"64 are enough now", func() bool { return p.ready(at(12*ms), 64, at(12*ms)) }, true, 64, 4},
		{"32 are too few", func() bool { return p.ready(at(12*ms), 32, at(12*ms)) }, false, 64, 4},
		{"until their time is up", func() bool { return p.ready(at(22*ms), 32, at(12*ms)) }, true, 56, 4},
		{"the next probe", func() bool { return p.ready(at(52*ms), 56, at(52*ms)) }, false, 56, 4},
		{"is in vain", func() bool { p.went(at(62*ms), 56); return p.ready(at(62*ms), 56, at(62*ms)) }, true, 56, 8},
		{"few join: the next is a probe", func() bool { return p.ready(at(80*ms), 8, at(70*ms)) }, true, 44, 4},
		{"it is", func() bool { return p.ready(at(81*ms), 44, at(81*ms)) }, false, 44, 4},
		{"in vain", func() bool { p.went(at(91*ms), 44); return p.ready(at(91*ms), 44, at(91*ms)) }, true, 44, 8},
		{"nobody joins", func() bool { return p.ready(at(110*ms), 1, at(100*ms)) }, true, 1, 4},
		{"a lone item goes, though a probe would be due",
			func() bool { p.came(at(111*ms), 1, false); return p.ready(at(111*ms), 1, at(111*ms)) }, true, 1, 4},
		{"but for the 16th within a delay", func() bool {
			for range crowd {
				p.came(at(112*ms), 1, false)
			}
			return p.ready(at(112*ms), 1, at(112*ms))
		}, false, 1, 4},
	} {
		if ready := tt.do(); ready != tt.ready || p.peers != tt.peers || p.probes != tt.probes {
			t.Errorf("%d, %s: ready %t, peers %d, probes %d; want %t, %d, %d", i, tt.what, ready, p.peers, p.probes,
				tt.ready, tt.peers, tt.probes)
		}
	}
}

// TestPacerBlamesTheTimer: time that an item waits for another flush does not count as a late timer.
func TestPacerBlamesTheTimer(t *testing.T) {
	const maxDelay = 10 * time.Millisecond
	start := time.Unix(1e9, 0)
	for _, tt := range []struct {
		name   string
		landed time.Duration // the flush before
		want   bool
	}{
		{"free long since", maxDelay / 2, true},
		{"busy until now", 3 * maxDelay, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPacer(maxDelay)
			p.landed(start.Add(tt.landed))
			if !p.ready(start.Add(3*maxDelay), 1, start) {
				t.Fatal("not ready after three delays")
			}
			if got := p.late.p99 > 0; got != tt.want {
				t.Errorf("lateness %s, want more than none: %t", p.late.p99, tt.want)
			}
		})
	}
}

// TestPacerHoldsTheDelay: whatever it was given, a batch whose oldest item is older than the delay is ready. A batch of
// one item without company is ready before that. An item is never due later than after the delay, or earlier than after
// a quarter of it.
func TestPacerHoldsTheDelay(t *testing.T) {
	for seed := range uint64(100) {
		rnd := rand.New(rand.NewPCG(seed, 3))
		const maxDelay = 10 * time.Millisecond
		p := newPacer(maxDelay)
		now := time.Unix(1e9, 0)
		for range 1000 {
			oldest := now
			now = now.Add(upTo(rnd, 2*maxDelay))
			n := 1 + rnd.IntN(100)
			switch rnd.IntN(4) {
			case 0:
				p.came(now, n, rnd.IntN(2) == 0)
			case 1:
				p.late.fired(upTo(rnd, maxDelay))
			case 2:
				p.moved = now
				p.went(now, n)
			default:
				age := now.Sub(oldest)
				if ready := p.ready(now, n, oldest); age >= maxDelay && !ready {
					t.Fatalf("seed %d: a batch that waited %s is not ready", seed, age)
				}
			}
			if d := p.due(now).Sub(now); d > maxDelay || d < maxDelay/4 {
				t.Fatalf("seed %d: due after %s, want %s to %s", seed, d, maxDelay/4, maxDelay)
			}
			quiet := p
			later := now.Add(maxDelay + 1)
			quiet.came(later, 1, false)
			if !quiet.ready(later, 1, later) {
				t.Fatalf("seed %d: a lone item waits: %+v", seed, quiet)
			}
		}
	}
}

func upTo(rnd *rand.Rand, d time.Duration) time.Duration { return time.Duration(rnd.Int64N(int64(d))) }
