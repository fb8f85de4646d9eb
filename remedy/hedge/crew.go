package hedge

import (
	"context"
	"sync"
)

// A crew counts the attempts that run in goroutines of their own. A sync.WaitGroup would not do: it must not be added
// to while somebody waits and it is empty.
type crew struct {
	mu   sync.Mutex // guards what follows; no other lock is taken under it
	n    int
	idle chan struct{} // closed when n is 0; nil while nobody waits
}

func (c *crew) enter() {
	c.mu.Lock()
	c.n++
	c.mu.Unlock()
}

func (c *crew) leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n--; c.n == 0 && c.idle != nil {
		close(c.idle)
		c.idle = nil
	}
}

func (c *crew) wait(ctx context.Context) error {
	idle := c.whenIdle()
	if idle == nil {
		return nil
	}
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// whenIdle is closed when the crew has finished; nil if there is none.
func (c *crew) whenIdle() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n == 0 {
		return nil
	}
	if c.idle == nil {
		c.idle = make(chan struct{})
	}
	return c.idle
}
