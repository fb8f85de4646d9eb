package lockedcounter

import "sync"

type stats struct {
	mu   sync.Mutex
	hits int64
}

func (s *stats) hit() {
	s.mu.Lock() // want `this lock is for one number`
	s.hits++
	s.mu.Unlock()
}

func (s *stats) add(n int64) {
	s.mu.Lock() // want `this lock is for one number`
	defer s.mu.Unlock()
	s.hits += n
}

func (s *stats) get() int64 {
	s.mu.Lock() // want `this lock is for one number`
	defer s.mu.Unlock()
	return s.hits
}

var (
	closedMu sync.RWMutex
	closed   bool
)

func isClosed() bool {
	closedMu.RLock() // want `this lock is for one number`
	defer closedMu.RUnlock()
	return closed
}

func shut() {
	closedMu.Lock() // want `this lock is for one number`
	closed = true
	closedMu.Unlock()
}

// What follows is fine.

type pool struct {
	mu   sync.Mutex
	free []int
	used int
	max  int
	read int
}

func (p *pool) get() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.used++
	n := p.free[0]
	p.free = p.free[1:]
	return n
}

func (p *pool) release() {
	p.mu.Lock()
	p.used--
	p.mu.Unlock()
}

func (p *pool) limit() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.max
}

type queue struct {
	mu   sync.Mutex
	cond *sync.Cond
	n    int
}

func (q *queue) put() {
	q.mu.Lock()
	q.n++
	q.mu.Unlock()
}

func (q *queue) wait() {
	q.mu.Lock()
	for q.n == 0 {
		q.cond.Wait()
	}
	q.mu.Unlock()
}

type named struct {
	mu   sync.Mutex
	name string
	Open int
}

func (n *named) set(s string) {
	n.mu.Lock()
	n.name = s
	n.mu.Unlock()
}

func (n *named) open() {
	n.mu.Lock()
	n.Open++
	n.mu.Unlock()
}
