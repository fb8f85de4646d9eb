package main

import (
	"cmp"
	"context"
	"hash/maphash"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

type line struct {
	SKU   string `json:"sku"`
	Count int    `json:"count"`
	Price int    `json:"price"`
}

type cart struct {
	lines   []line
	touched time.Time
}

type shard struct {
	mu    sync.Mutex
	carts map[string]*cart
}

// carts is all of them, in shards with a lock each.
type carts struct {
	keep   time.Duration
	seed   maphash.Seed
	shards [64]shard
}

func newCarts(keep time.Duration) *carts {
	c := &carts{keep: keep, seed: maphash.MakeSeed()}
	for i := range c.shards {
		c.shards[i].carts = map[string]*cart{}
	}
	return c
}

func (c *carts) shard(id string) *shard {
	return &c.shards[maphash.String(c.seed, id)%uint64(len(c.shards))]
}

func (c *carts) get(id string) []line {
	s := c.shard(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	if k, ok := s.carts[id]; ok {
		k.touched = time.Now()
		return slices.Clone(k.lines)
	}
	return []line{}
}

func (c *carts) put(id string, l line) []line {
	s := c.shard(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	k, ok := s.carts[id]
	if !ok {
		k = &cart{}
		s.carts[id] = k
	}
	k.lines, k.touched = append(k.lines, l), time.Now()
	return slices.Clone(k.lines)
}

// tidy sweeps one shard each time.
func (c *carts) tidy(ctx context.Context, each time.Duration) {
	t := time.NewTicker(each)
	defer t.Stop()
	for i := 0; ; i++ {
		select {
		case <-ctx.Done():
			return
		case now := <-t.C:
			c.shards[i%len(c.shards)].sweep(now.Add(-c.keep))
		}
	}
}

func (s *shard) sweep(before time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, k := range s.carts {
		if k.touched.Before(before) {
			delete(s.carts, id)
		}
	}
}

type seller struct {
	SKU   string `json:"sku"`
	Count int    `json:"count"`
}

// report is what is in carts most.
type report struct {
	carts *carts
	last  atomic.Pointer[[]seller]
}

func (r *report) write() {
	count := map[string]int{}
	for i := range r.carts.shards {
		r.carts.shards[i].add(count)
	}
	list := make([]seller, 0, len(count))
	for sku, n := range count {
		list = append(list, seller{sku, n})
	}
	slices.SortFunc(list, func(a, b seller) int { return cmp.Or(b.Count-a.Count, cmp.Compare(a.SKU, b.SKU)) })
	list = slices.Clip(list[:min(50, len(list))])
	r.last.Store(&list)
}

func (s *shard) add(count map[string]int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range s.carts {
		for _, l := range k.lines {
			count[l.SKU] += l.Count
		}
	}
}
