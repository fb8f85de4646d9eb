package lockheld

import (
	"sort"
	"sync"
)

type samples struct {
	mu   sync.Mutex
	rw   sync.RWMutex
	all  []int
	sums map[string]int
}

func (s *samples) add(n int) {
	s.mu.Lock() // want `others wait for s.mu, which is held from here`
	s.all = append(s.all, n)
	s.resort()
	s.mu.Unlock()
}

func (s *samples) set(name string, n int) {
	s.rw.Lock() // want `others wait for s.rw`
	defer s.rw.Unlock()
	s.sums[name] = n
	s.resort()
}

func (s *samples) resort() { sort.Ints(s.all) }

func lockOf(name string) *sync.Mutex { return nil }

func keys(set string) {
	lockOf(set).Lock() // want `others wait for lockOf\(set\)`
	defer lockOf(set).Unlock()
	register(set)
}

func later(s *samples) func() {
	return func() {
		s.mu.Lock() // want `hold it for less, or split what it guards`
		defer s.mu.Unlock()
		s.all = nil
		s.resort()
	}
}

var registry struct {
	sync.Mutex
	names []string
}

func register(name string) {
	registry.Lock() // want `others wait for registry`
	registry.names = append(registry.names, name)
	sort.Strings(registry.names)
	registry.Unlock()
}

// What follows is fine.

func (s *samples) put(name string, n int) bool {
	s.rw.Lock() // as short as it gets
	defer s.rw.Unlock()
	_, had := s.sums[name]
	s.sums[name] = n + int(len(name))
	return had
}

func (s *samples) count() int {
	s.mu.Lock()
	n := len(s.all)
	s.mu.Unlock()
	s.resort()
	return n
}

func (s *samples) get(name string) int {
	s.rw.RLock()
	defer s.rw.RUnlock()
	return s.sums[name]
}

func (s *samples) try() bool { return s.mu.TryLock() }

func initSamples(s *samples) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sums = make(map[string]int)
}

type door struct{}

func (door) Lock()   {}
func (door) Unlock() {}

func shut(d door) {
	d.Lock()
	d.Unlock()
}

func guarded(l sync.Locker) {
	l.Lock()
	l.Unlock()
}
