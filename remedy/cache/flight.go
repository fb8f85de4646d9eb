package cache

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// A flight is the load of one key.
type flight[K, V any] struct {
	key    K
	bytes  string // of the key
	trip   *trip[K, V]
	result Result[V] // once the trip has landed
}

// A trip is one call of a loader.
type trip[K, V any] struct {
	ctx        context.Context
	cancel     context.CancelCauseFunc
	flights    []*flight[K, V]
	waiting    int // callers, one for each key; guarded by loads.mu
	background bool
	landed     chan struct{}
}

// backgroundTimeout limits loads that no caller waits for, without Config.LoadTimeout.
const backgroundTimeout = time.Minute

var errNobodyWaits = errors.New("cache: nobody waits for the load any longer")

// board finds the flight of each missing key. Those that are not being loaded yet are a new trip. A key that was added
// meanwhile has no flight: its result is there.
func (c *Cache[K, V]) board(ctx context.Context, keys []K, results []Result[V], missing []int) ([]*flight[K, V],
	*trip[K, V], error) {
	raw := make([]string, len(missing))
	for n, i := range missing {
		k, free, err := c.bytesOf(&keys[i])
		if err != nil {
			return nil, nil, fmt.Errorf("cache: the key: %w", err)
		}
		raw[n] = string(k)
		free.to(&c.buffers)
	}
	flights := make([]*flight[K, V], len(missing))
	there := make([]record, len(missing))
	t, err := c.boardAll(ctx, keys, missing, raw, flights, there)
	for n, i := range missing {
		if there[n].p != nil {
			results[i] = c.resultOf(there[n])
		}
	}
	return flights, t, err
}

func (c *Cache[K, V]) boardAll(ctx context.Context, keys []K, missing []int, raw []string, flights []*flight[K, V],
	there []record) (t *trip[K, V], err error) {
	c.loads.mu.Lock()
	defer c.loads.mu.Unlock()
	if c.loads.closed {
		return nil, ErrClosed
	}
	for n, i := range missing {
		if f := c.loads.flights[raw[n]]; f != nil {
			f.trip.waiting++
			flights[n] = f
			c.loads.stats.Shared++
			continue
		}
		if there[n] = c.came(raw[n]); there[n].p != nil {
			continue
		}
		if t == nil {
			t = c.begin(ctx, c.cfg.LoadTimeout)
		}
		t.waiting++
		flights[n] = c.depart(t, keys[i], raw[n])
	}
	return t, nil
}

// came looks once more, without counting: a load may have ended since.
func (c *Cache[K, V]) came(key string) record {
	k := []byte(key)
	h := c.hash(k)
	r, ok := c.lookup(h, k)
	if ok && c.judge(r, r.header(), 0) != absent {
		return r
	}
	return record{}
}

// resultOf is what a record says.
func (c *Cache[K, V]) resultOf(r record) (result Result[V]) {
	if r.header()&flagNegative != 0 {
		return Result[V]{Err: ErrNotFound}
	}
	result.Value, result.Err = c.values.decode(r.value())
	return result
}

// boardAlone begins a trip in the background. It is nil if none may begin.
func (c *Cache[K, V]) boardAlone(ctx context.Context, key K) *trip[K, V] {
	k, free, err := c.bytesOf(&key)
	if err != nil {
		return nil
	}
	raw := string(k)
	free.to(&c.buffers)
	c.loads.mu.Lock()
	defer c.loads.mu.Unlock()
	if c.loads.closed || c.loads.flights[raw] != nil || c.loads.rests(raw) {
		return nil
	}
	if c.loads.background >= c.cfg.MaxRefreshes {
		c.loads.stats.Skipped++
		return nil
	}
	c.loads.background++
	c.loads.stats.Refreshes++
	timeout := c.cfg.LoadTimeout
	if timeout == 0 {
		timeout = backgroundTimeout
	}
	t := c.begin(ctx, timeout)
	t.background = true
	c.depart(t, key, raw)
	return t
}

// begin makes a trip. The caller holds loads.mu, here and in depart.
func (c *Cache[K, V]) begin(ctx context.Context, timeout time.Duration) *trip[K, V] {
	t := &trip[K, V]{landed: make(chan struct{})}
	t.ctx, t.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	if timeout > 0 {
		cancel := t.cancel
		ctx, stop := context.WithTimeout(t.ctx, timeout)
		t.ctx, t.cancel = ctx, func(cause error) { cancel(cause); stop() }
	}
	c.loads.running.Add(1)
	return t
}

func (c *Cache[K, V]) depart(t *trip[K, V], key K, raw string) *flight[K, V] {
	f := &flight[K, V]{key: key, bytes: raw, trip: t}
	if c.keys.layout == blob {
		f.key, _ = c.keys.decode([]byte(raw)) // a copy: the caller may leave and write to its slice
	}
	t.flights = append(t.flights, f)
	if c.loads.flights == nil {
		c.loads.flights = make(map[string]*flight[K, V])
	}
	c.loads.flights[raw] = f
	c.loads.underway.Add(1)
	return f
}

// leave withdraws a caller. The last one ends the trip. It returns false when the trip has landed.
func (c *Cache[K, V]) leave(t *trip[K, V]) bool {
	c.loads.mu.Lock()
	defer c.loads.mu.Unlock()
	select {
	case <-t.landed:
		return false
	default:
	}
	if t.waiting--; t.waiting == 0 && !t.background {
		for _, f := range t.flights {
			c.loads.forget(f)
		}
		t.cancel(errNobodyWaits)
	}
	return true
}

// Close ends all loads and waits for them, and empties the cache without calling OnRemove. From then on Get finds
// nothing, Set and GetOrLoad fail with ErrClosed. It is needed only for mapped memory, and if no load may outlive it.
func (c *Cache[K, V]) Close() {
	c.loads.mu.Lock()
	c.loads.closed = true
	c.closed.Store(true)
	flights := make([]*flight[K, V], 0, len(c.loads.flights))
	for _, f := range c.loads.flights {
		flights = append(flights, f)
	}
	c.loads.mu.Unlock()
	for _, f := range slices.Backward(flights) {
		f.trip.cancel(ErrClosed)
	}
	c.loads.running.Wait()
	c.store.close()
}
