package gctune

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// Errors that a caller may want to tell apart.
var (
	// ErrNoLimit: neither a cgroup nor Config.Limit says how much memory there is.
	ErrNoLimit = errors.New("gctune: no memory limit is known: the cgroup of this process sets none; set one, or " +
		"Config.Limit")
	// ErrRunning: a process has only one GOGC and one GOMEMLIMIT, so it can have only one tuner.
	ErrRunning = errors.New("gctune: another Tuner runs in this process: stop that one first, or use it")
	// ErrTakenOver: something else has set GOGC or GOMEMLIMIT while the tuner ran. The tuner stops and leaves that
	// setting.
	ErrTakenOver = errors.New("gctune: GOGC or GOMEMLIMIT was set by somebody else: the tuner stands back; let only " +
		"one of the two set it")
)

// running is whether a tuner runs. It is a variable of the package because what it guards, the runtime's two settings,
// are variables of the process.
var running atomic.Bool

// noLimit is a GOMEMLIMIT that limits nothing, in the runtime's form.
const noLimit = math.MaxInt64

// A Tuner sets GOGC and GOMEMLIMIT while it runs. Make it with New and call Run, or use Start. Its methods are safe for
// concurrent use.
type Tuner struct {
	cfg  Config
	hand hand // on the runtime

	mu    sync.Mutex // guards what follows; no other lock is taken under it
	stats Stats

	end    context.CancelCauseFunc // of Start; nil with Run
	ended  chan struct{}           // closed when Start's goroutine has ended
	result error                   // of Run; to be read after ended
}

// New makes a Tuner and starts nothing. The error names the field of the configuration that is wrong, or is ErrNoLimit.
func New(cfg Config) (*Tuner, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	t := &Tuner{cfg: cfg, hand: runtimeHand()}
	s, err := t.hand.open(cfg)
	if err != nil {
		return nil, err
	}
	defer s.close()
	var r reading
	if err := s.read(&r); err != nil {
		return nil, fmt.Errorf("gctune: reading the memory limits: %w", err)
	}
	if len(r.bounds) == 0 {
		return nil, ErrNoLimit
	}
	return t, nil
}

// Start is New and Run in a goroutine of its own, until Stop.
func Start(cfg Config) (*Tuner, error) {
	t, err := New(cfg)
	if err != nil {
		return nil, err
	}
	if !running.CompareAndSwap(false, true) {
		return nil, ErrRunning
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	t.end, t.ended = cancel, make(chan struct{})
	go func() {
		defer close(t.ended)
		t.result = t.run(ctx)
	}()
	return t, nil
}

// errStopped is why Stop ends a tuner.
var errStopped = errors.New("stopped")

// Stop ends a tuner that Start made, waits for it and returns when GOGC and GOMEMLIMIT are restored. It may be called
// more than once. The error says why the tuner had ended before, if it had.
func (t *Tuner) Stop() error {
	if t.end == nil {
		return errors.New("gctune: Stop is for a Tuner of Start: end the context of Run")
	}
	t.end(errStopped)
	<-t.ended
	if errors.Is(t.result, errStopped) {
		return nil
	}
	return t.result
}

// Run tunes until ctx is done, then restores what it found and returns the context's cause. It returns earlier with
// ErrRunning, with ErrTakenOver, or when memory cannot be read any more.
func (t *Tuner) Run(ctx context.Context) error {
	if !running.CompareAndSwap(false, true) {
		return ErrRunning
	}
	return t.run(ctx)
}

func (t *Tuner) run(ctx context.Context) (err error) {
	defer running.Store(false)
	defer func() {
		if p := recover(); p != nil { // a fault of the guest must not end the service
			err = fmt.Errorf("gctune: a fault of its own has ended the tuner, report it: %v", p)
		}
	}()
	s, err := t.hand.open(t.cfg)
	if err != nil {
		return err
	}
	defer s.close()
	l := &loop{tuner: t, sensor: s, d: decider{cfg: t.cfg, keep: t.hand.operator(t.cfg)}}
	defer l.join()
	if err := l.begin(); err != nil {
		return err
	}
	defer l.restore()
	tick := time.NewTicker(t.cfg.Interval)
	defer tick.Stop()
	for {
		if err := l.look(); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-tick.C:
		}
	}
}
