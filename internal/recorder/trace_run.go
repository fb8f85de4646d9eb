package recorder

import (
	"context"
	"runtime/trace"
	"time"

	"github.com/gocasebook/casebook/internal/own"
)

// retryTaken is how often a start is tried again after it failed: somebody else's flight recorder usually runs forever.
const retryTaken = time.Minute

// Run starts and stops the flight recorder as its cost allows, and makes the snapshots, until ctx ends, which is no
// error. One goroutine here does everything with the runtime's recorder: its methods must not run concurrently.
func (t *Trace) Run(ctx context.Context) error {
	done, ok := t.begin()
	if !ok {
		return ErrRunning
	}
	defer t.finish(done)
	f := t.open(trace.FlightRecorderConfig{MinAge: t.cfg.Window, MaxBytes: t.cfg.ringBytes()})
	defer t.stop(f)
	retry := time.NewTicker(retryTaken)
	defer retry.Stop()
	for again := true; ; {
		t.follow(f, again)
		again = false
		select {
		case <-ctx.Done():
			return nil
		case <-t.wake:
		case <-retry.C:
			again = true
		case a := <-t.asks:
			a.answer <- t.write(a.ctx, f)
		}
	}
}

func (t *Trace) begin() (done chan struct{}, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.done != nil {
		return nil, false
	}
	t.done, t.load, t.gov, t.blocked = make(chan struct{}), newLoadReader(), newGovernor(t.cfg), nil
	t.changed = time.Now()
	return t.done, true
}

func (t *Trace) finish(done chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.load.close()
	t.done, t.load, t.changed = nil, nil, time.Now()
	close(done)
}

// follow does what the governor wants. After a start that failed it tries only when asked to, or when the recorder was
// not wanted in between.
func (t *Trace) follow(f flight, again bool) {
	t.mu.Lock()
	want, on := t.gov.run, t.on
	if !want {
		t.blocked = nil
	}
	blocked := t.blocked != nil && !again
	t.mu.Unlock()
	switch {
	case want && !on && !blocked:
		shared := trace.IsEnabled() // then the goroutine that reads the trace is there already
		err := f.Start()
		t.mu.Lock()
		defer t.mu.Unlock()
		if err == nil && !shared {
			t.reader = own.Hold()
		}
		if t.blocked == nil || err == nil {
			t.changed = time.Now()
		}
		t.on, t.blocked = err == nil, err
	case !want && on:
		t.stop(f)
	}
}

// stop ends the recorder, if it runs.
func (t *Trace) stop(f flight) {
	t.mu.Lock()
	on := t.on
	t.mu.Unlock()
	if !on {
		return
	}
	f.Stop()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reader.GiveUp()
	t.on, t.changed = false, time.Now()
}
