package shop

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A ranking is what sells best, made anew every second and read without a lock.
type ranking struct {
	mu   sync.Mutex
	sold []int // by product; guarded by mu

	order []int32 // scratch of refresh, which one goroutine calls
	top   atomic.Pointer[[bestOf]int32]
}

const bestOf = 10

func newRanking(n int) *ranking {
	k := &ranking{sold: make([]int, n), order: make([]int32, n)}
	k.top.Store(new([bestOf]int32))
	return k
}

func (k *ranking) add(product, count int) {
	k.mu.Lock()
	k.sold[product] += count
	k.mu.Unlock()
}

// run makes the ranking anew every second until ctx ends.
func (k *ranking) run(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	counts := make([]int, len(k.sold))
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			k.refresh(counts)
		}
	}
}

// refresh copies under the lock and sorts outside it.
func (k *ranking) refresh(counts []int) {
	k.mu.Lock()
	copy(counts, k.sold)
	k.mu.Unlock()
	for i := range k.order {
		k.order[i] = int32(i)
	}
	slices.SortFunc(k.order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	top := [bestOf]int32(k.order)
	k.top.Store(&top)
}

// best answers with what sells best.
func (s *Shop) best(w http.ResponseWriter, r *http.Request) {
	top := s.ranking.top.Load()
	found := make([]product, len(top))
	for i, n := range top {
		found[i] = s.catalog.products[n]
	}
	s.catalog.answer(w, found)
}
