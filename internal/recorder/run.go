package recorder

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/gocasebook/casebook/internal/number"
)

// A piece is the current window.
type piece struct {
	how    takeFunc
	length time.Duration
	cut    chan struct{} // closed to end it early
	ended  bool          // cut is closed
	done   chan struct{} // closed when the window is kept, or has failed
	spans  []*span       // who is served by it
}

// end asks for the piece to be ended now. CPU.mu is held.
func (p *piece) end() {
	if !p.ended {
		p.ended = true
		close(p.cut)
	}
}

// A runState is what Run remembers from one window to the next.
type runState struct {
	c       *CPU
	ended   time.Time     // when the last window ended; zero if the one before failed
	missing absence       // the windows that could not be taken since the last one
	wait    time.Duration // before the next try
	note    string        // for the next window
}

// Run takes one window after another until ctx ends, which is not an error. Then the current window is kept as far as
// it came.
func (c *CPU) Run(ctx context.Context) error {
	if !c.begin() {
		return ErrRunning
	}
	defer c.finish()
	l := runState{c: c}
	for ctx.Err() == nil {
		p := c.open()
		began := time.Now()
		w, err := take(ctx, p.how, p.cut, p.length)
		if err == nil && time.Since(began) < tooShort && !c.wanted(ctx, p) {
			err = fmt.Errorf("a CPU profile of %s ended at once", p.length)
		}
		if err == nil {
			l.took(p, w)
			continue
		}
		l.failed(p, began, err)
		if ctx.Err() == nil {
			c.pause(ctx, &l)
		}
	}
	return nil
}

func (c *CPU) begin() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running {
		return false
	}
	c.running = true
	c.setState(Running, "")
	return true
}

// finish keeps what there is, and lets those go who still wait.
func (c *CPU) finish() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running = false
	c.setState(Stopped, "Run has ended")
	for _, s := range c.spans {
		s.end(ErrStopped)
	}
	c.spans = nil
}

// setState notes a change. mu is held.
func (c *CPU) setState(s State, why string) {
	if c.status.State != s {
		c.status.Since = time.Now()
	}
	c.status.State, c.status.Why = s, why
}

// open begins a piece: a window, or less if a profile that somebody waits for needs less.
func (c *CPU) open() *piece {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := &piece{
		how: c.calmly, length: c.cfg.Window, spans: slices.Clone(c.spans), cut: make(chan struct{}),
		done: make(chan struct{}),
	}
	for _, s := range p.spans {
		p.how, p.length = c.cfg.Take, min(p.length, s.left)
	}
	c.current = p
	return p
}

// wanted reports whether somebody asked for the piece to be ended.
func (c *CPU) wanted(ctx context.Context, p *piece) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return p.ended || ctx.Err() != nil
}

// took keeps a window and gives it to those who wait for it.
func (l *runState) took(p *piece, w Window) {
	c := l.c
	c.mu.Lock()
	defer c.mu.Unlock()
	defer close(p.done)
	c.current = nil
	c.setState(Running, "")
	c.status.Taken++
	if !l.ended.IsZero() {
		c.status.addGap(w.Began.Sub(l.ended))
	}
	w.Note = joinNotes(l.note, l.missing.until(w.Began), w.Note)
	*l = runState{c: c, ended: w.Ended}
	if len(w.Data) > maxBytes {
		c.status.Dropped++
		l.note = fmt.Sprintf("the window before was not kept: it has %s, the limit is %d MiB",
			number.Bytes(float64(len(w.Data))),
			maxBytes>>20)
	} else {
		c.ring.add(w)
	}
	for _, s := range p.spans {
		s.add(w)
	}
	c.spans = slices.DeleteFunc(c.spans, func(s *span) bool { return s.over })
}

// failed notes that a window could not be taken. A caller that waits for a profile keeps waiting while another user
// holds the profiler, and gets any other error at once.
func (l *runState) failed(p *piece, began time.Time, err error) {
	c := l.c
	c.mu.Lock()
	defer c.mu.Unlock()
	defer close(p.done)
	c.current = nil
	c.status.Failed++
	l.ended = time.Time{}
	l.missing.add(began, err)
	c.setState(StandingBack, l.missing.why)
	if inUse(err) {
		return
	}
	for _, s := range p.spans {
		s.end(err)
	}
	c.spans = slices.DeleteFunc(c.spans, func(s *span) bool { return slices.Contains(p.spans, s) })
}

// addGap counts the time between two windows.
func (s *CPUStatus) addGap(d time.Duration) {
	s.Gap = d
	s.LongestGap = max(s.LongestGap, d)
	s.TotalGap += d
}
