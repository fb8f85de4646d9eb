package gctune

import (
	"fmt"
	"sync"
	"time"
)

// A loop is one run of a tuner.
type loop struct {
	tuner  *Tuner
	sensor sensor
	d      decider
	start  time.Time
	found  settings // before
	set    settings // by us, or found
	now    reading  // the latest; kept, so that a look makes no garbage

	forced sync.WaitGroup // the running collection that the loop has asked for

	mu   sync.Mutex    // guards what follows
	busy bool          // one is running
	last time.Duration // when the latest ended
	took time.Duration // and how long it took
}

// settings are GOGC in percent, -1 for off, and GOMEMLIMIT in bytes.
type settings struct {
	gogc  int
	limit int64
}

// begin notes what it finds.
func (l *loop) begin() error {
	l.start = time.Now()
	r, err := l.read()
	if err != nil {
		return err
	}
	l.found = settings{r.gogc, r.goLimit}
	l.set = l.found
	return nil
}

func (l *loop) read() (*reading, error) {
	l.now = reading{at: time.Since(l.start)}
	if err := l.sensor.read(&l.now); err != nil {
		return &l.now, fmt.Errorf("gctune: reading the memory: %w", err)
	}
	return &l.now, nil
}

// look is one tick: read, decide, set, report.
func (l *loop) look() error {
	r, err := l.read()
	if err != nil {
		return err
	}
	if now := (settings{r.gogc, r.goLimit}); now != l.set {
		return fmt.Errorf("%w (GOGC %s, GOMEMLIMIT %s)", ErrTakenOver, percentText(now.gogc), limitText(now.limit))
	}
	if len(r.bounds) == 0 { // the limit was removed: the current settings are safe
		l.tuner.note(r, decision{gogc: r.gogc, limit: r.goLimit})
		return nil
	}
	d := l.d.decide(r)
	l.apply(r, &d)
	l.tuner.note(r, d)
	if d.collect {
		l.collect(r.at)
	}
	return nil
}

// apply sets what was decided, and reports it.
func (l *loop) apply(r *reading, d *decision) {
	if d.reason == Unchanged {
		return
	}
	l.move(settings{d.gogc, d.limit})
	l.tuner.tell(change(r, d))
}

func (l *loop) move(to settings) {
	if to.limit != l.set.limit {
		l.tuner.hand.setLimit(to.limit)
	}
	if to.gogc != l.set.gogc {
		l.tuner.hand.setGOGC(to.gogc)
	}
	l.set = to
}

// restore sets what was found, except where somebody else has set something since.
func (l *loop) restore() {
	r, err := l.read()
	if err != nil { // then nothing can check whether it was changed
		r.gogc, r.goLimit = l.set.gogc, l.set.limit
	}
	to := l.found
	if r.gogc != l.set.gogc {
		to.gogc = l.set.gogc
	}
	if r.goLimit != l.set.limit {
		to.limit = l.set.limit
	}
	if to == l.set {
		return
	}
	c := Change{Reason: Restored, OldGOGC: r.gogc, OldLimit: r.goLimit, GOGC: to.gogc, Limit: to.limit, Live: r.live}
	l.move(to)
	l.tuner.tell(c)
}

// rest is how many times the duration of a forced collection the loop waits before it asks for another, so that they
// take at most a tenth of the time.
const rest = 9

// collect runs a collection and releases all free memory, in a goroutine of its own: with a large heap it takes
// seconds.
func (l *loop) collect(at time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.busy || l.took > 0 && at-l.last < rest*l.took {
		return
	}
	l.busy = true
	l.tuner.count(func(s *Stats) { s.Collections++ }) // no other lock is taken under Tuner.mu
	l.forced.Go(func() {
		began := time.Since(l.start)
		l.tuner.hand.collect()
		l.mu.Lock()
		defer l.mu.Unlock()
		l.busy, l.last = false, time.Since(l.start)
		l.took = l.last - began
	})
}

// join waits for the running collection.
func (l *loop) join() { l.forced.Wait() }
