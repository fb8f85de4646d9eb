// Package lock_rwmutex prices baskets with settings that change once a second.
//
// The fault: every look at a setting takes a read lock, thousands of times a request.
package lock_rwmutex

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gocasebook/casebook/lab/faults"
)

// Settings are read often and changed rarely.
type Settings struct {
	mu     sync.RWMutex
	values map[int]int

	whole atomic.Pointer[map[int]int]
}

// get is a setting, under the lock.
func (s *Settings) get(k int) int {
	s.mu.RLock()
	v := s.values[k]
	s.mu.RUnlock()
	return v
}

// set changes one.
func (s *Settings) set(k, v int) {
	s.mu.Lock()
	s.values[k] = v
	whole := maps.Clone(s.values)
	s.mu.Unlock()
	s.whole.Store(&whole)
}

// change changes a setting every second.
func (s *Settings) change(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for i := 0; ; i++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			s.set(i%8, i)
		}
	}
}

// Baskets are priced.
type Baskets struct {
	settings Settings
	articles int
	work     int // beside each look at a setting
	locked   bool
}

func (b *Baskets) price() (sum int) {
	if !b.locked {
		values := *b.settings.whole.Load()
		for i := range b.articles {
			sum += values[i%8] + busy(b.work, i)
		}
		return sum
	}
	for i := range b.articles {
		sum += b.settings.get(i%8) + busy(b.work, i)
	}
	return sum
}

func busy(n, seed int) (sum int) {
	for i := range n {
		sum = sum*31 + i + seed
	}
	return sum
}

// ServeHTTP answers with a price.
func (b *Baskets) ServeHTTP(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, b.price()) }

func service(work int, locked bool, perSecond float64) faults.Service {
	b := &Baskets{articles: 30_000, work: work, locked: locked, settings: Settings{values: make(map[int]int)}}
	for k := range 8 {
		b.settings.set(k, k)
	}
	return faults.Service{Handler: b, Background: b.settings.change,
		Load: []faults.Call{{Path: "/basket", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "lock-rwmutex", Text: "a read lock is taken for each of 30,000 looks at a setting",
		Culprit:  "lock_rwmutex.(*Settings).get",
		Faulty:   func() faults.Service { return service(0, true, 500) },
		Repaired: func() faults.Service { return service(0, false, 500) },
		Limit:    func() faults.Service { return service(60, true, 100) },
	}
}
