// Package snapshot reads what is replaced as a whole.
package snapshot

import "sync"

// rules are replaced by a reload, and read by each request.
type rules struct {
	mu    sync.RWMutex // guards all
	all   map[string]int
	names []string // never changes
}

func newRules(first map[string]int) *rules {
	return &rules{all: first, names: []string{"a"}}
}

func emptyRules() *rules {
	r := &rules{names: []string{"b"}, all: map[string]int{}}
	r.names = append(r.names, "c")
	return r
}

func (r *rules) get(name string) (int, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	n, ok := r.all[name]
	if !ok {
		n = len(r.all)
	}
	return n, ok
}

func (r *rules) size() int {
	r.mu.RLock()
	n := len(r.all)
	r.mu.RUnlock()
	return n + len(r.names)
}

func (r *rules) replace(all map[string]int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = all
}

// limit is replaced without a defer.
type limit struct {
	lock sync.RWMutex
	max  int
}

func (l *limit) set(n int) {
	l.lock.Lock()
	l.max = n
	l.lock.Unlock()
}

func (l *limit) allows(n int) bool {
	l.lock.RLock()
	defer l.lock.RUnlock()
	return n <= l.max
}

// counts are changed in place.
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

// pair is two values that belong together.
type pair struct {
	mu   sync.RWMutex
	a, b int
}

func (p *pair) get() (int, int) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.a, p.b
}

func (p *pair) set(a, b int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.a, p.b = a, b
}

// loaded works out what it stores while nobody else can.
type loaded struct {
	mu  sync.RWMutex
	all []string
}

func (l *loaded) get() []string {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.all
}

func (l *loaded) reload(read func() []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = read()
}

// once is loaded when it is asked for first.
type once struct {
	mu  sync.RWMutex
	all []string
}

func (o *once) get(all []string) []string {
	o.mu.RLock()
	if o.all != nil {
		defer o.mu.RUnlock()
		return o.all
	}
	o.mu.RUnlock()
	o.mu.Lock()
	defer o.mu.Unlock()
	o.all = all
	return all
}

// leaky is read without the lock, too.
type leaky struct {
	mu  sync.RWMutex
	all []string
}

func (l *leaky) get() []string {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.all
}

func (l *leaky) first() string { return l.all[0] }

func (l *leaky) set(all []string) {
	l.mu.Lock()
	l.all = all
	l.mu.Unlock()
}

// lent gives its address away.
type lent struct {
	mu sync.RWMutex
	n  int
}

func (l *lent) get() *int {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return &l.n
}

func (l *lent) set(n int) {
	l.mu.Lock()
	l.n = n
	l.mu.Unlock()
}
