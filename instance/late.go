package instance

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// A service without CPU left answers late: with GOMAXPROCS=1 and 300 busy goroutines it took 7 s to answer its index
// page, which takes a millisecond (Go 1.26: each turn of the scheduler is 300 times 10 ms). Giving up early would leave
// those without evidence who need it most.

// redial is how long after a connection that was not made the next is tried: the kernel drops what a full queue of
// connections has no room for.
const redial = time.Second

// firstAnswer waits for the index page until ctx ends, or, of a process of this machine, until SilentAfter: then it
// notes since when that has been silent.
func (t *HTTP) firstAnswer(ctx context.Context) error {
	began, all := time.Now(), ctx
	if t.SilentAfter > 0 && t.proc.Load() != nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, t.SilentAfter)
		defer cancel()
	}
	err := t.awaitAnswer(ctx)
	if err != nil && ctx.Err() != nil && all.Err() == nil {
		t.asked.Store(began.UnixNano())
	}
	return err
}

// Silent reports whether the target was described without an answer, and has given none since.
func (t *HTTP) Silent() bool { return t.asked.Load() > t.answered.Load() }

// awaitAnswer asks for the index page until it comes or ctx ends. One question waits for all of that time: each further
// one would be more work for a target that has too much.
func (t *HTTP) awaitAnswer(ctx context.Context) error {
	for {
		_, err := t.index(ctx)
		var unreachable *UnreachableError
		if !errors.As(err, &unreachable) || unreachable.Connected || !unreachable.silent() || ctx.Err() != nil {
			return err
		}
		if sleep(ctx, redial) != nil {
			return err
		}
	}
}

// waiting begins to wait for an answer. The func that it returns adds the state of the process to the error of a target
// that was silent for all that time: whether it is overloaded or hangs.
func (t *HTTP) waiting() func(error) error {
	began, used := time.Now(), usedSince(t.proc.Load())
	return func(err error) error {
		var unreachable *UnreachableError
		p := t.proc.Load()
		if p == nil || !errors.As(err, &unreachable) || !unreachable.silent() {
			return err
		}
		took := time.Since(began)
		s, failed := p.standing()
		if failed != nil {
			return err
		}
		return fmt.Errorf("%w; after %s %s", err, took.Round(time.Second/10),
			s.words(p.pid, used().Seconds()/max(took.Seconds(), 0.01), p.limits.CPUs))
	}
}

// reasons say why signals are absent. The zero value is empty and ready. Nothing here but all allocates.
type reasons struct {
	mu  sync.Mutex // guards why
	why [vitals.NumSignals]string
}

// requestSignals are the signals of the requests that a service's handlers serve. No target gives them.
var requestSignals = [...]vitals.ID{
	vitals.HTTPRate, vitals.HTTPInFlight, vitals.HTTPLatencyP50, vitals.HTTPLatencyP99, vitals.HTTPErrors,
}

func (r *reasons) set(why string, ids ...vitals.ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, id := range ids {
		r.why[id] = why
	}
}

// give records a signal's value, or why there is none.
func (r *reasons) give(s *vitals.Sample, id vitals.ID, v float64, absent error) {
	if absent != nil {
		r.set(absent.Error(), id)
		return
	}
	s.Set(id, v)
}

// settle drops the reasons of the signals that a sample has after all.
func (r *reasons) settle(s *vitals.Sample) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for id := range vitals.ID(vitals.NumSignals) {
		if _, ok := s.Get(id); ok {
			r.why[id] = ""
		}
	}
}

// clear drops reasons that hold no more.
func (r *reasons) clear(ids ...vitals.ID) { r.set("", ids...) }

// all lists the reasons by the signals' names.
func (r *reasons) all() map[string]string {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := make(map[string]string)
	for id, why := range r.why {
		if why != "" {
			m[vitals.ID(id).String()] = why
		}
	}
	return m
}
