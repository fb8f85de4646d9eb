package cache

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// A Loader gets the value of a key from its source. ErrNotFound, also wrapped, says that there is none. It runs in a
// goroutine of its own, must respect its context, and must not ask the same cache for the same key: it would wait for
// itself.
//
// The context has the values of the caller that started the load, but not its deadline: it is done when no caller waits
// any longer, after Config.LoadTimeout, or when the cache is closed.
type Loader[K, V any] func(ctx context.Context, key K) (V, error)

// A BulkLoader gets the values of several keys at once: a result for each, in their order. An error is the error of all
// keys.
type BulkLoader[K, V any] func(ctx context.Context, keys []K) ([]Result[V], error)

// A Result is what a loader found for a key: its value, or an error, which is ErrNotFound if it has none.
type Result[V any] struct {
	Value V
	Err   error
}

var (
	// ErrNotFound says that a key has no value: from a loader, and from GetOrLoad.
	ErrNotFound = errors.New("cache: the key has no value")

	// ErrClosed is the error of calls after Close.
	ErrClosed = errors.New("cache: closed")
)

// GetOrLoad returns the value of a key. If there is none it calls load, once for all who ask for the key meanwhile.
// What load returns is kept for Config.TTL; that there is no value is kept for NegativeTTL; other errors are not kept.
//
// When a caller's context is done, it returns with the cause; the load continues while others wait. A panic of load is
// the error of all who wait (*PanicError). In the RefreshAhead of its lifetime, and for StaleFor afterwards, the value
// is returned at once and load is called in the background. What is loaded is not kept if the key was set or deleted
// meanwhile: that is newer.
func (c *Cache[K, V]) GetOrLoad(ctx context.Context, key K, load Loader[K, V]) (V, error) {
	value, state, due := c.known(&key)
	switch state {
	case present:
		if due {
			c.refresh(ctx, key, load)
		}
		return value, nil
	case negative:
		return value, ErrNotFound
	}
	keys := [1]K{key}
	results := [1]Result[V]{}
	c.fetch(ctx, keys[:], results[:], []int{0}, one(load))
	return results[0].Value, results[0].Err
}

// GetOrLoadAll is GetOrLoad for several keys, with one call of load for those that are missing and not being loaded
// yet. There is a result for each key, in their order. What is due for a refresh is loaded in the background, key by
// key.
func (c *Cache[K, V]) GetOrLoadAll(ctx context.Context, keys []K, load BulkLoader[K, V]) []Result[V] {
	results := make([]Result[V], len(keys))
	var missing []int
	for i := range keys {
		value, state, due := c.known(&keys[i])
		switch state {
		case present:
			if results[i].Value = value; due {
				c.refresh(ctx, keys[i], single(load))
			}
		case negative:
			results[i].Err = ErrNotFound
		default:
			missing = append(missing, i)
		}
	}
	if len(missing) > 0 {
		c.fetch(ctx, keys, results, missing, load)
	}
	return results
}

// one makes a bulk loader of a loader, for one key.
func one[K, V any](load Loader[K, V]) BulkLoader[K, V] {
	return func(ctx context.Context, keys []K) ([]Result[V], error) {
		v, err := load(ctx, keys[0])
		return []Result[V]{{v, err}}, nil
	}
}

// single makes a loader of a bulk loader.
func single[K, V any](load BulkLoader[K, V]) Loader[K, V] {
	return func(ctx context.Context, key K) (v V, err error) {
		results, err := load(ctx, []K{key})
		if err == nil {
			err = checkResults(len(results), 1)
		}
		if err != nil {
			return v, err
		}
		return results[0].Value, results[0].Err
	}
}

func checkResults(got, want int) error {
	if got != want {
		return fmt.Errorf("cache: the loader returned %d results for %d keys: it must return one for each", got, want)
	}
	return nil
}

// known is what the cache has for a key; an aged value counts as present. due asks for a refresh.
func (c *Cache[K, V]) known(key *K) (value V, state presence, due bool) {
	r, header, state := c.find(key, c.cfg.StaleFor.Milliseconds())
	if state == absent || state == negative {
		return value, state, false
	}
	value, err := c.values.decode(r.value())
	if err != nil {
		c.counts.undecodable.Add(1)
		return value, absent, false
	}
	if state == aged {
		return value, present, true
	}
	if ahead := c.cfg.RefreshAhead.Milliseconds(); ahead > 0 {
		d := deadlineOf(header)
		due = d != 0 && c.now() >= d-ahead
	}
	return value, present, due
}

// fetch loads what is missing, or waits for the goroutines that do.
func (c *Cache[K, V]) fetch(ctx context.Context, keys []K, results []Result[V], missing []int, load BulkLoader[K, V]) {
	if ctx.Err() != nil {
		fail(results, missing, fmt.Errorf("cache: not loaded: %w", context.Cause(ctx)))
		return
	}
	flights, begun, err := c.board(ctx, keys, results, missing)
	if err != nil {
		fail(results, missing, err)
		return
	}
	if begun != nil {
		go c.fly(begun, load)
	}
	for n, i := range missing {
		if f := flights[n]; f != nil {
			results[i] = c.await(ctx, f)
		}
	}
}

func fail[V any](results []Result[V], missing []int, err error) {
	for _, i := range missing {
		results[i].Err = err
	}
}

// await waits for a flight to land, or for the context.
func (c *Cache[K, V]) await(ctx context.Context, f *flight[K, V]) Result[V] {
	select {
	case <-f.trip.landed:
		return f.result
	case <-ctx.Done():
	}
	if c.leave(f.trip) {
		return Result[V]{Err: fmt.Errorf("cache: given up while loading: %w", context.Cause(ctx))}
	}
	return f.result // it landed in this moment
}

// refresh loads a key in the background, if it is not being loaded and there is room for one more.
func (c *Cache[K, V]) refresh(ctx context.Context, key K, load Loader[K, V]) {
	if t := c.boardAlone(ctx, key); t != nil {
		go c.fly(t, one(load))
	}
}

// fly calls the loader. Deferred code also runs after a panic and runtime.Goexit.
func (c *Cache[K, V]) fly(t *trip[K, V], load BulkLoader[K, V]) {
	defer c.loads.running.Done()
	defer t.cancel(nil)
	start, results, err := time.Now(), []Result[V](nil), errGoexit
	defer func() {
		if v := recover(); v != nil {
			err = newPanicError(v)
		}
		c.loads.took(time.Since(start), len(t.flights))
		c.landAll(t, results, err)
	}()
	keys := make([]K, len(t.flights))
	for i, f := range t.flights {
		keys[i] = f.key
	}
	results, err = load(t.ctx, keys)
}

// landAll keeps the loader's results, and answers the waiting callers.
func (c *Cache[K, V]) landAll(t *trip[K, V], results []Result[V], err error) {
	if err == nil {
		err = checkResults(len(results), len(t.flights))
	}
	for i, f := range t.flights {
		if err != nil {
			f.result.Err = err
		} else {
			f.result = results[i]
		}
		c.land(f)
	}
	close(t.landed)
}
