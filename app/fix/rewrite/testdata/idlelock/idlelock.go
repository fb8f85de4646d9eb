// Package idlelock reads.
package idlelock

import "sync"

// set is lab/holdout/toggles: nobody locks it for writing.
type set struct {
	mu  sync.RWMutex // guards all
	all map[string]int
}

func (s *set) lookup(name string) (int, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	t, ok := s.all[name]
	return t, ok
}

func (s *set) size() int {
	s.mu.RLock()
	n := len(s.all)
	s.mu.RUnlock()
	return n
}

func newSet() *set { return &set{all: map[string]int{}} }

// counts is written.
type counts struct {
	mu  sync.RWMutex
	all map[string]int
}

func (c *counts) get(name string) int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.all[name]
}

func (c *counts) add(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all[name]++
}

// Open can be locked by everybody.
type Open struct {
	Mu  sync.RWMutex
	All map[string]int
}

// Get reads.
func (o *Open) Get(name string) int {
	o.Mu.RLock()
	defer o.Mu.RUnlock()
	return o.All[name]
}

// lent gives its lock away.
type lent struct{ mu sync.RWMutex }

func (l *lent) locker() sync.Locker { return l.mu.RLocker() }

func (l *lent) read() {
	l.mu.RLock()
	l.mu.RUnlock()
}

// tried may fail.
type tried struct{ mu sync.RWMutex }

func (t *tried) read() bool {
	if !t.mu.TryRLock() {
		return false
	}
	t.mu.RUnlock()
	return true
}
