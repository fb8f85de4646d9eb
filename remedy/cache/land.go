package cache

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// land keeps the result of a flight, unless something newer replaced it, and takes it off the list.
func (c *Cache[K, V]) land(f *flight[K, V]) {
	none := errors.Is(f.result.Err, ErrNotFound)
	free := c.buffers.Get().(*buffers)
	defer free.to(&c.buffers)
	d, keep := c.draftLanded(f, none, free)
	gone := c.keepLanded(f, &d, keep, none)
	c.tell(gone)
	if f.trip.background && f.result.Err != nil && !none && c.cfg.OnError != nil {
		c.tellError(f.key, f.result.Err)
	}
}

// draftLanded is what is to be kept from a flight, if anything. A panic of a codec must not end the process, because
// nobody is there to recover from it.
func (c *Cache[K, V]) draftLanded(f *flight[K, V], none bool, free *buffers) (d draft, keep bool) {
	value, ttl := &f.result.Value, c.cfg.TTL
	if none {
		value, ttl = nil, c.cfg.NegativeTTL
	}
	if ttl == NoNegative || f.result.Err != nil && !none {
		return d, false
	}
	defer func() {
		if recover() != nil || !keep {
			c.counts.undecodable.Add(1)
		}
	}()
	d, err := c.draft([]byte(f.bytes), value, ttl, free)
	return d, err == nil
}

func (c *Cache[K, V]) keepLanded(f *flight[K, V], d *draft, keep, none bool) (gone []removal) {
	c.loads.mu.Lock()
	defer c.loads.mu.Unlock()
	failed := f.result.Err != nil && !none
	if failed {
		c.loads.stats.Failed++
	}
	if f.trip.background {
		c.loads.background--
		if failed {
			c.loads.rest(f.bytes, c.cfg.MaxRefreshes)
		}
	}
	if c.loads.flights[f.bytes] != f {
		return nil
	}
	c.loads.forget(f)
	if keep && !c.loads.closed {
		_, gone = c.put(c.hash(d.key), d)
	}
	return gone
}

func (c *Cache[K, V]) tellError(key K, err error) {
	defer c.countPanic()
	c.cfg.OnError(key, err)
}

// countPanic recovers from a panic of a callback.
func (c *Cache[K, V]) countPanic() {
	if recover() != nil {
		c.counts.panics.Add(1)
	}
}

// A PanicError is the error of a load whose loader panicked.
type PanicError struct {
	Value any    // what panic was called with
	Stack []byte // of the goroutine that panicked
}

func newPanicError(v any) *PanicError { return &PanicError{v, debug.Stack()} }

// Error leaves out the stack.
func (e *PanicError) Error() string { return fmt.Sprintf("cache: the loader panicked: %v", e.Value) }

// Unwrap is the value if that is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// errGoexit stands for a loader that ended its goroutine.
var errGoexit = errors.New("cache: the loader ended its goroutine instead of an answer (runtime.Goexit, or FailNow " +
	"of a test)")
