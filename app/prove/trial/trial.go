// Package trial measures two servers against each other: it starts them, loads them in turns, and stops when package
// prove says that the answer is clear, or when time is up.
//
// The problem: everything else on a machine (other processes, clock speeds, caches) moves every figure of a server by
// more than the change that we are looking for. And two starts of one binary differ in memory layout and map seeds, so
// one long run of each side proves nothing about the sides.
//
// The approach: the unit is a block. It starts fresh processes, A twice and B once, in random order, warms them up, and
// loads them in turns in slices of a quarter of a second, there and back (A B A' A' B A …). So anything that affects
// the machine affects all three. The block gives one ratio of B to A for each figure, and one of A' to A: how much two
// starts of the same thing differ. All servers of a block get the same requests at the same moments of their turns: for
// a rate, random arrivals (Poisson), because evenly spaced requests do not queue; for a schedule, a sample of its
// slices (piece.go). If a queue is still growing when a slice ends, slices become longer (course.go, lengthen.go).
// prove.Sequence looks at the blocks after fixed numbers of them.
//
// Why three servers: A' takes a third of the time, but that is not wasted, because A and A' together are a better A.
// For the same time the variance of the result is 4.5, and with two servers it would be 4 (sums of 1/time). In exchange
// the noise floor is measured at the same moments as the effect.
//
// The limits: CPU and memory are read from /proc, on Linux only. The load generator shares the machine with the
// servers. A turn is short, and one server works while two idle: effects that need a long steady state (a heap that
// grows for minutes, a queue that a ramp builds up) do not show in slices of some seconds; a longer --slice helps.
package trial

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/gocasebook/casebook/app/child"
	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/casefile"
)

// Config says what is measured. A, B, Load and Rate or Pace are required.
type Config struct {
	A, B child.Spec
	// Load is the load on a server that listens at addr, and what ends it. Its schedule is replaced by Rate or Pace.
	Load func(ctx context.Context, addr string) (load.Config, func(), error)
	Rate float64 // requests per second
	// Arrivals says how those of Rate are spaced. Default load.RandomArrivals.
	Arrivals load.Arrivals
	// Pace is a schedule that ends, instead of Rate: the turns are slices of it, the same for all servers of a block.
	Pace load.Schedule
	// Slice is how long a server is loaded before the next has its turn. Default 250 ms.
	Slice time.Duration
	// Lengthen makes slices longer where a server's queue has not found its steady state when they end, as far as
	// MaxTime allows.
	Lengthen bool
	// Warmup is how long a server is loaded before anything counts. Default 500 ms.
	Warmup time.Duration
	// Ready is a path that must answer before the load begins; empty: the port must accept connections.
	Ready        string
	ReadyTimeout time.Duration // Default 30 s
	// Blocks, when above 0, is how many blocks are measured, whatever the result; MaxTime does not bound them.
	Blocks int
	// MaxTime bounds the measurement; a block that would pass it is not begun. Default 3 min.
	MaxTime time.Duration
	// Profile is how long CPU profiles of both sides take at the end; 0 for none.
	Profile time.Duration
	Seed    uint64 // of the order of the servers
	Options prove.Options
	View    View
}

// Defaults of Config.
const (
	DefaultSlice        = 250 * time.Millisecond
	DefaultWarmup       = 500 * time.Millisecond
	DefaultReadyTimeout = 30 * time.Second
	DefaultMaxTime      = 3 * time.Minute
)

// A View receives the progress, from one goroutine. Fields may be nil.
type View struct {
	Say   func(text string)
	Block func(n int, elapsed time.Duration, b prove.Block)
}

func (v View) say(format string, args ...any) {
	if v.Say != nil {
		v.Say(fmt.Sprintf(format, args...))
	}
}

// A Result is what was measured, complete or not.
type Result struct {
	Blocks  []prove.Block
	Proof   casefile.Proof
	Limited string // why the load generator limited the figures; "" if it did not
	// Totals are the requests of all blocks that counted: for A, for A's second start, and for B.
	Totals [3]load.Counts
	// Profiles are of the last block; nil without pprof.
	Profiles *Profiles
	// Left says which servers could not be stopped whole.
	Left []error
	// Slice is how long a turn was at last; Overloads says, a sentence each, which sides did not keep up with their
	// load.
	Slice     time.Duration
	Overloads []string
}

func (c Config) checked() (Config, error) {
	for _, d := range []struct {
		name                 string
		value                *time.Duration
		otherwise, low, high time.Duration
	}{
		{"slice", &c.Slice, DefaultSlice, 50 * time.Millisecond, time.Minute},
		{"warm-up", &c.Warmup, DefaultWarmup, 0, time.Hour},
		{"ready timeout", &c.ReadyTimeout, DefaultReadyTimeout, 100 * time.Millisecond, time.Hour},
		{"maximum time", &c.MaxTime, DefaultMaxTime, time.Second, 24 * time.Hour},
		{"profile", &c.Profile, 0, 0, 5 * time.Minute},
	} {
		if *d.value == 0 {
			*d.value = d.otherwise
		}
		if *d.value < d.low || *d.value > d.high {
			return c, fmt.Errorf("the %s is %v: want %v to %v", d.name, *d.value, d.low, d.high)
		}
	}
	if err := c.checkLoad(); err != nil {
		return c, err
	}
	return c, errors.Join(c.A.Check(), c.B.Check())
}

// A trial is one run.
type trial struct {
	Config
	began  time.Time
	random *rand.Rand
	result Result

	longer   bool          // slices were lengthened
	courses  [2][]course   // of A and of B, of all slices of the present length
	starting time.Duration // how long a block's servers took to start and to warm up
	timeout  time.Duration // of a request
}

// Run measures until the answer is clear, time is up, or ctx ends. What was measured by then is in the result, whatever
// the error; every server has been stopped, and what could not be is in Result.Left.
func Run(ctx context.Context, cfg Config) (Result, error) {
	cfg, err := cfg.checked()
	if err != nil {
		return Result{}, err
	}
	t := &trial{Config: cfg, began: time.Now(), random: rand.New(rand.NewPCG(cfg.Seed, 6))}
	err = t.run(ctx)
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return t.result, err
}

// bound returns how long blocks may take: the profiles of both sides are part of the time.
func (t *trial) bound() time.Duration {
	if both := 2 * t.Profile; both < t.MaxTime/2 {
		return t.MaxTime - both
	}
	return t.MaxTime
}

// run makes blocks until the sequence of looks ends.
func (t *trial) run(ctx context.Context) error {
	sequence := prove.NewSequence(t.Options, t.bound().Seconds())
	var failed error
	for done := false; !done; {
		err := t.block(ctx, func(b prove.Block) bool {
			if t.lengthen() {
				t.restart(sequence)
				return false
			}
			t.result.Blocks = append(t.result.Blocks, b)
			if t.View.Block != nil {
				t.View.Block(len(t.result.Blocks), time.Since(t.began), b)
			}
			done = sequence.Step(t.result.Blocks, time.Since(t.began).Seconds())
			if t.Blocks > 0 {
				done = len(t.result.Blocks) >= t.Blocks
			}
			return done
		})
		if err == nil && len(t.result.Left) > 0 {
			err = errLeft
		}
		if err != nil {
			failed = err
			break
		}
	}
	// What there is is judged, also when it was cut short.
	t.result.Proof = sequence.End(t.result.Blocks)
	t.result.Slice, t.result.Overloads = t.Slice, t.overloads()
	return failed
}

// restart forgets what was measured with shorter slices.
func (t *trial) restart(s *prove.Sequence) {
	s.Restart(time.Since(t.began).Seconds())
	t.result.Blocks, t.result.Totals, t.courses = nil, [3]load.Counts{}, [2][]course{}
}
