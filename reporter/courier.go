package reporter

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"
)

// A courier is the way from a report by the spool to the server.
type courier struct {
	spool spool
	pack  func(context.Context, *spool, Report) (item, int, error) // into the spool; the number is of what made room
	put   func(context.Context, *os.File, item) error              // from the spool to the server

	mu      sync.Mutex // guards what follows
	cleared bool       // deliver has looked at what an earlier process left
	counts  tally
	tries   map[string]int // failed uploads by name, of what still waits
}

func newCourier(s spool, pack func(context.Context, *spool, Report) (item, int, error),
	put func(context.Context, *os.File, item) error) *courier {
	return &courier{spool: s, pack: pack, put: put, tries: map[string]int{}}
}

func (c *courier) outbox() *outbox { return &outbox{keep: c.keep, deliver: c.deliver, tally: c.tally} }

// send is the Send of those who have no Queue.
func (c *courier) send(ctx context.Context, r Report) error {
	it, err := c.add(ctx, r)
	if err != nil {
		return err
	}
	err = c.spool.locked(func(root *os.Root) error { return c.upload(ctx, root, it) })
	if err != nil {
		return fmt.Errorf("the report is kept and not yet delivered: %w", err)
	}
	return nil
}

func (c *courier) keep(ctx context.Context, r Report) error {
	_, err := c.add(ctx, r)
	return err
}

func (c *courier) add(ctx context.Context, r Report) (item, error) {
	it, dropped, err := c.pack(ctx, &c.spool, r)
	c.count(dropped)
	if err != nil {
		return item{}, fmt.Errorf("keeping the report in the spool %s: %w", c.spool.dir, explain(err))
	}
	return it, nil
}

// deliver uploads one case of the spool.
func (c *courier) deliver(ctx context.Context) error {
	defer c.count(0)
	return c.spool.locked(func(root *os.Root) error {
		if err := c.clear(root); err != nil {
			return err
		}
		waiting, err := c.spool.waiting(root)
		if err != nil {
			return err
		}
		if len(waiting) == 0 {
			return errNothing
		}
		return c.upload(ctx, root, c.pick(waiting))
	})
}

// pick takes the oldest of those tried least: one case that breaks the server must not hold up the others.
func (c *courier) pick(waiting []item) item {
	c.mu.Lock()
	defer c.mu.Unlock()
	best := waiting[0]
	left := map[string]int{}
	for _, it := range waiting {
		n := c.tries[it.name()]
		if n > 0 {
			left[it.name()] = n
		}
		if n < c.tries[best.name()] {
			best = it
		}
	}
	c.tries = left
	return best
}

func (c *courier) failed(it item) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tries[it.name()]++
}

// clear cleans up after earlier processes.
func (c *courier) clear(root *os.Root) error {
	c.mu.Lock()
	first := !c.cleared
	c.cleared = true
	c.mu.Unlock()
	var err error
	if first {
		err = c.spool.reprieve(root)
	}
	return errors.Join(err, c.spool.sweep(root, time.Now()))
}

// count notes what waits and what was dropped.
func (c *courier) count(dropped int) {
	waiting := c.spool.count()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.counts.waiting = waiting
	c.counts.dropped += dropped
}

func (c *courier) tally() tally {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.counts
}

// upload sends one report of the spool and, when it has arrived or was refused for good, takes it out of those that
// wait. The spool's lock is held.
func (c *courier) upload(ctx context.Context, root *os.Root, it item) error {
	err := c.carry(ctx, root, it)
	var no *refusal
	switch {
	case err == nil:
		return c.spool.remove(root, it)
	case errors.Is(err, os.ErrNotExist):
		return errGone
	case isFinal(err) && errors.As(err, &no):
		if moved := root.Rename(it.name(), it.refusedWith(no.code).name()); moved != nil {
			c.failed(it)
			return fmt.Errorf("marking case %s as refused: %w; %w", it.id, moved, err)
		}
		return &refusedError{fmt.Errorf("case %s was refused and stays in the spool: %w", it.id, err)}
	}
	c.failed(it)
	return fmt.Errorf("uploading case %s: %w", it.id, err)
}

// carry opens what waits, for as long as it is sent.
func (c *courier) carry(ctx context.Context, root *os.Root, it item) error {
	f, err := root.Open(it.name())
	if err != nil {
		return err
	}
	defer f.Close()
	return c.put(ctx, f, it)
}
