package cache

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// loads are the keys that are being loaded.
type loads[K, V any] struct {
	underway atomic.Int64   // flights, so that Sets need not take the lock without any
	running  sync.WaitGroup // goroutines

	mu         sync.Mutex // guards what follows; taken before a shard's
	flights    map[string]*flight[K, V]
	resting    map[string]time.Time // keys whose refresh failed, until when they are left alone
	background int
	closed     bool
	stats      LoadStats
}

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

// restAfterFailure is how long a key is left alone after its refresh failed: a backend that fails at once would otherwise be
// asked by every Get.
const restAfterFailure = time.Second

// backgroundTimeout bounds loads that nobody waits for, without Config.LoadTimeout.
const backgroundTimeout = time.Minute

var errNobodyWaits = errors.New("cache: nobody waits for the load any longer")

// board finds the flight of each missing key. Those that nobody loads yet are a new trip. A key that has come meanwhile
// has no flight: its result is there.
func (c *Cache[K, V]) board(ctx context.Context, keys []K, results []Result[V], missing []int) ([]*flight[K, V], *trip[K, V], error) {
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

func (c *Cache[K, V]) boardAll(ctx context.Context, keys []K, missing []int, raw []string, flights []*flight[K, V], there []record) (t *trip[K, V], err error) {
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

// boardAlone begins a trip in the background. It is nil where none may begin.
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

// begin makes a trip. loads.mu is held, here and in depart.
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

// leave withdraws a caller. The last one ends the trip. It is false when the trip has landed.
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

// forget takes a flight off the list: who asks for its key from now on begins another, and its result is not kept.
func (l *loads[K, V]) forget(f *flight[K, V]) {
	if l.flights[f.bytes] == f {
		delete(l.flights, f.bytes)
		l.underway.Add(-1)
	}
}

// supersede makes a load that is under way not be kept: the key is set or deleted.
func (l *loads[K, V]) supersede(key []byte) {
	if l.underway.Load() == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if f := l.flights[string(key)]; f != nil {
		l.forget(f)
	}
}

func (l *loads[K, V]) supersedeAll() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, f := range l.flights {
		l.forget(f)
	}
}

// rests says whether a key's refresh failed a moment ago. mu is held.
func (l *loads[K, V]) rests(key string) bool {
	until, ok := l.resting[key]
	if ok && time.Now().Before(until) {
		return true
	}
	delete(l.resting, key)
	return false
}

// rest remembers a key whose refresh failed; at most limit keys, beyond that none. mu is held.
func (l *loads[K, V]) rest(key string, limit int) {
	if l.resting == nil {
		l.resting = make(map[string]time.Time)
	}
	if len(l.resting) >= limit {
		now := time.Now()
		for k, until := range l.resting {
			if !now.Before(until) {
				delete(l.resting, k)
			}
		}
	}
	if len(l.resting) < limit {
		l.resting[key] = time.Now().Add(restAfterFailure)
	}
}

// land keeps the result of a flight, unless it is superseded, and takes it off the list.
func (c *Cache[K, V]) land(f *flight[K, V]) {
	none := errors.Is(f.result.Err, ErrNotFound)
	free := c.buffers.Get().(*buffers)
	defer free.to(&c.buffers)
	d, keep := c.draftLanded(f, none, free)
	gone := c.keepLanded(f, &d, keep, none)
	c.tell(gone)
	if f.trip.background && f.result.Err != nil && !none && c.cfg.OnError != nil {
		c.tellError(f.key, f.result.Err)
	}
}

// draftLanded is what is to be kept of a flight, if anything. A panic of a codec must not end the process, for nobody is there
// to recover from it.
func (c *Cache[K, V]) draftLanded(f *flight[K, V], none bool, free *buffers) (d draft, keep bool) {
	value, ttl := &f.result.Value, c.cfg.TTL
	if none {
		value, ttl = nil, c.cfg.NegativeTTL
	}
	if ttl == NoNegative || f.result.Err != nil && !none {
		return d, false
	}
	defer func() {
		if recover() != nil || !keep {
			c.counts.undecodable.Add(1)
		}
	}()
	d, err := c.draft([]byte(f.bytes), value, ttl, free)
	return d, err == nil
}

func (c *Cache[K, V]) keepLanded(f *flight[K, V], d *draft, keep, none bool) (gone []removal) {
	c.loads.mu.Lock()
	defer c.loads.mu.Unlock()
	failed := f.result.Err != nil && !none
	if failed {
		c.loads.stats.Failed++
	}
	if f.trip.background {
		c.loads.background--
		if failed {
			c.loads.rest(f.bytes, c.cfg.MaxRefreshes)
		}
	}
	if c.loads.flights[f.bytes] != f {
		return nil
	}
	c.loads.forget(f)
	if keep && !c.loads.closed {
		_, gone = c.put(c.hash(d.key), d)
	}
	return gone
}

func (c *Cache[K, V]) tellError(key K, err error) {
	defer c.countPanic()
	c.cfg.OnError(key, err)
}

// countPanic recovers from a panic of a callback.
func (c *Cache[K, V]) countPanic() {
	if recover() != nil {
		c.counts.panics.Add(1)
	}
}

// took counts a call of a loader for so many keys.
func (l *loads[K, V]) took(d time.Duration, keys int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stats.Calls++
	l.stats.Keys += uint64(keys)
	l.stats.Time += d
	l.stats.Times[min(bits.Len64(uint64(d.Microseconds())), LoadBuckets-1)]++
}

// LoadBuckets is the number of classes of load times.
const LoadBuckets = 32

// LoadStats are what loaders did.
type LoadStats struct {
	Calls     uint64              // that have ended
	Keys      uint64              // of them
	Failed    uint64              // keys with an error other than ErrNotFound
	Shared    uint64              // keys that a caller found being loaded, and waited for
	Refreshes uint64              // calls in the background
	Skipped   uint64              // not begun in the background, for MaxRefreshes were under way
	Time      time.Duration       // of all calls together
	Times     [LoadBuckets]uint64 // calls by time: Times[i] took less than 2ⁱ µs, and at least half of it
}

// Close ends all loads and waits for them, and empties the cache; OnRemove is not told. From then on Get finds nothing,
// Set and GetOrLoad fail with ErrClosed. It is needed only for mapped memory and by who wants no load to outlive it.
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

// A PanicError is the error of a load whose loader panicked.
type PanicError struct {
	Value any    // what panic was called with
	Stack []byte // of the goroutine that panicked
}

func newPanicError(v any) *PanicError { return &PanicError{v, debug.Stack()} }

// Error is without the stack.
func (e *PanicError) Error() string { return fmt.Sprintf("cache: the loader panicked: %v", e.Value) }

// Unwrap is the value if that is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// errGoexit stands for a loader that ended its goroutine.
var errGoexit = errors.New("cache: the loader ended its goroutine instead of an answer (runtime.Goexit, or FailNow of a test)")
