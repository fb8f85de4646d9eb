package cache_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gocasebook/casebook/remedy/cache"
)

var errBackend = errors.New("the backend is down")

// A backend counts how often it is asked. It takes a second.
type backend struct {
	calls, cancelled atomic.Int64
	answer           func(key string) (string, error)
}

func (b *backend) load(ctx context.Context, key string) (string, error) {
	b.calls.Add(1)
	select {
	case <-time.After(time.Second):
	case <-ctx.Done():
		b.cancelled.Add(1)
		return "", context.Cause(ctx)
	}
	if b.answer == nil {
		return "value of " + key, nil
	}
	return b.answer(key)
}

func (b *backend) want(t *testing.T, calls int64) {
	t.Helper()
	if got := b.calls.Load(); got != calls {
		t.Errorf("the backend was called %d times, want %d", got, calls)
	}
}

func get(t *testing.T, c *cache.Cache[string, string], b *backend, key, want string, wantErr error) {
	t.Helper()
	v, err := c.GetOrLoad(t.Context(), key, b.load)
	if v != want || !errors.Is(err, wantErr) || (err != nil) != (wantErr != nil) {
		t.Errorf("GetOrLoad(%q) = %q, %v, want %q, %v", key, v, err, want, wantErr)
	}
}

func bubble(t *testing.T, cfg cache.Config[string, string],
	f func(t *testing.T, c *cache.Cache[string, string], b *backend)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, cfg)
		f(t, c, new(backend))
		c.Close()
	})
}

func TestOneLoad(t *testing.T) {
	bubble(t, cache.Config[string, string]{}, func(t *testing.T, c *cache.Cache[string, string], b *backend) {
		var wg sync.WaitGroup
		for range 100 {
			wg.Go(func() { get(t, c, b, "k", "value of k", nil) })
		}
		wg.Wait()
		get(t, c, b, "k", "value of k", nil)
		b.want(t, 1)
		s := c.Stats()
		if s.Loads.Calls != 1 || s.Loads.Shared != 99 || s.Loads.Time != time.Second || s.Loads.Times[20] != 1 {
			t.Errorf("Stats().Loads = %+v, want 1 call of 1 s (class 20) and 99 shared", s.Loads)
		}
	})
}

func TestLeaving(t *testing.T) {
	bubble(t, cache.Config[string, string]{}, func(t *testing.T, c *cache.Cache[string, string], b *backend) {
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() {
			if _, err := c.GetOrLoad(ctx, "k", b.load); !errors.Is(err, context.Canceled) {
				t.Errorf("GetOrLoad of who leaves: %v, want %v", err, context.Canceled)
			}
		})
		synctest.Wait()
		wg.Go(func() { get(t, c, b, "k", "value of k", nil) }) // joins, and stays
		synctest.Wait()
		cancel()
		wg.Wait()
		b.want(t, 1)
		if n := b.cancelled.Load(); n != 0 {
			t.Errorf("%d loads were cancelled though somebody waited", n)
		}

		ctx, cancel = context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if _, err := c.GetOrLoad(ctx, "alone", b.load); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("GetOrLoad = %v, want %v", err, context.DeadlineExceeded)
		}
		synctest.Wait()
		if n := b.cancelled.Load(); n != 1 {
			t.Errorf("%d loads were cancelled, want the one that nobody waits for", n)
		}
		get(t, c, b, "alone", "value of alone", nil) // starts again
		if _, err := c.GetOrLoad(ctx, "late", b.load); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("GetOrLoad with a context that is done = %v, want %v", err, context.DeadlineExceeded)
		}
		b.want(t, 3)
	})
}

func TestLoaderFails(t *testing.T) {
	for _, tt := range []struct {
		name   string
		answer func(string) (string, error)
		check  func(error) bool
	}{
		{"error", func(string) (string, error) { return "", errBackend },
			func(err error) bool { return errors.Is(err, errBackend) }},
		{"panic", func(string) (string, error) { panic(errBackend) }, func(err error) bool {
			var p *cache.PanicError
			return errors.As(err, &p) && errors.Is(err, errBackend) && len(p.Stack) > 0
		}},
		{"goexit", func(string) (string, error) { runtime.Goexit(); return "", nil }, func(err error) bool {
			return err != nil && strings.Contains(err.Error(), "Goexit")
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, cache.Config[string, string]{}, func(t *testing.T, c *cache.Cache[string, string], b *backend) {
				b.answer = tt.answer
				var wg sync.WaitGroup
				for range 3 {
					wg.Go(func() {
						if _, err := c.GetOrLoad(t.Context(), "k", b.load); !tt.check(err) {
							t.Errorf("GetOrLoad = %v", err)
						}
					})
				}
				wg.Wait()
				b.want(t, 1)
				b.answer = nil
				get(t, c, b, "k", "value of k", nil) // an error is not kept
				if s := c.Stats(); s.Loads.Failed != 1 {
					t.Errorf("%d failed, want 1", s.Loads.Failed)
				}
			})
		})
	}
}

func TestNegative(t *testing.T) {
	bubble(t, cache.Config[string, string]{TTL: time.Hour, NegativeTTL: time.Minute, Jitter: cache.NoJitter},
		func(t *testing.T, c *cache.Cache[string, string], b *backend) {
			b.answer = func(string) (string, error) { return "", cache.ErrNotFound }
			get(t, c, b, "k", "", cache.ErrNotFound)
			get(t, c, b, "k", "", cache.ErrNotFound)
			b.want(t, 1)
			if _, ok := c.Get("k"); ok {
				t.Error("Get found a negative entry")
			}
			time.Sleep(time.Minute)
			b.answer = nil
			get(t, c, b, "k", "value of k", nil)
			b.want(t, 2)
			if err := c.SetNegative("k"); err != nil {
				t.Fatal(err)
			}
			get(t, c, b, "k", "", cache.ErrNotFound)
			b.want(t, 2)
		})
}

func TestRefreshAhead(t *testing.T) {
	bubble(t, cache.Config[string, string]{TTL: time.Minute, RefreshAhead: 20 * time.Second, Jitter: cache.NoJitter},
		func(t *testing.T, c *cache.Cache[string, string], b *backend) {
			get(t, c, b, "k", "value of k", nil)
			time.Sleep(39 * time.Second)
			get(t, c, b, "k", "value of k", nil)
			b.want(t, 1)
			time.Sleep(2 * time.Second)
			b.answer = func(string) (string, error) { return "again", nil }
			for range 10 {
				get(t, c, b, "k", "value of k", nil) // at once
			}
			time.Sleep(2 * time.Second)
			get(t, c, b, "k", "again", nil)
			time.Sleep(30 * time.Second)
			get(t, c, b, "k", "again", nil)
			b.want(t, 2)
		})
}

func TestStale(t *testing.T) {
	var told atomic.Int64
	cfg := cache.Config[string, string]{TTL: time.Minute, StaleFor: time.Minute, Jitter: cache.NoJitter,
		OnError: func(string, error) { told.Add(1); panic("counted") }}
	bubble(t, cfg, func(t *testing.T, c *cache.Cache[string, string], b *backend) {
		get(t, c, b, "k", "value of k", nil)
		time.Sleep(time.Minute)
		if _, ok := c.Get("k"); ok {
			t.Error("Get found what is stale")
		}
		b.answer = func(string) (string, error) { return "", errBackend }
		for range 10 { // 10 s of failures, one second each, with a second of rest between
			get(t, c, b, "k", "value of k", nil)
			time.Sleep(time.Second)
		}
		synctest.Wait()
		if n := b.calls.Load(); n < 5 || n > 7 || told.Load() != n-1 {
			t.Errorf("the backend was called %d times, OnError %d times, want 5 to 7 and one less", n, told.Load())
		}
		if s := c.Stats(); s.Panics != uint64(told.Load()) || s.Stale != 10 {
			t.Errorf("Stats: %d panics, %d stale, want %d and 10", s.Panics, s.Stale, told.Load())
		}
		time.Sleep(51 * time.Second)
		get(t, c, b, "k", "", errBackend)
	})
}

func TestSupersededLoadIsNotKept(t *testing.T) {
	for _, tt := range []struct {
		name string
		do   func(c *cache.Cache[string, string]) error
		want string
		ok   bool
	}{
		{"set", func(c *cache.Cache[string, string]) error { return c.Set("k", "newer") }, "newer", true},
		{"deleted", func(c *cache.Cache[string, string]) error { c.Delete("k"); return nil }, "", false},
		{"cleared", func(c *cache.Cache[string, string]) error { c.Clear(); return nil }, "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, cache.Config[string, string]{}, func(t *testing.T, c *cache.Cache[string, string], b *backend) {
				var wg sync.WaitGroup
				wg.Go(func() { get(t, c, b, "k", "value of k", nil) })
				synctest.Wait()
				if err := tt.do(c); err != nil {
					t.Fatal(err)
				}
				wg.Wait()
				if v, ok := c.Get("k"); v != tt.want || ok != tt.ok {
					t.Errorf("Get = %q, %v, want %q, %v", v, ok, tt.want, tt.ok)
				}
			})
		})
	}
}

func TestBulk(t *testing.T) {
	bubble(t, cache.Config[string, string]{}, func(t *testing.T, c *cache.Cache[string, string], b *backend) {
		if err := c.Set("there", "x"); err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		wg.Go(func() { get(t, c, b, "in flight", "value of in flight", nil) })
		synctest.Wait()
		var asked []string
		load := func(_ context.Context, keys []string) ([]cache.Result[string], error) {
			asked = append(asked, keys...)
			time.Sleep(10 * time.Second)
			results := make([]cache.Result[string], len(keys))
			for i, k := range keys {
				if results[i].Value = "bulk " + k; k == "none" {
					results[i] = cache.Result[string]{Err: cache.ErrNotFound}
				}
			}
			return results, nil
		}
		keys := []string{"a", "there", "none", "in flight", "b", "a"}
		want := []string{"bulk a", "x", "", "value of in flight", "bulk b", "bulk a"}
		for range 2 { // the second time everything is there
			for i, r := range c.GetOrLoadAll(t.Context(), keys, load) {
				if r.Value != want[i] || errors.Is(r.Err, cache.ErrNotFound) != (keys[i] == "none") {
					t.Errorf("result of %q: %q, %v, want %q", keys[i], r.Value, r.Err, want[i])
				}
			}
		}
		wg.Wait()
		if got := strings.Join(asked, ","); got != "a,none,b" {
			t.Errorf("the loader was asked for %s, want a,none,b", got)
		}
		short := func(context.Context, []string) ([]cache.Result[string], error) { return nil, nil }
		for _, r := range c.GetOrLoadAll(t.Context(), []string{"y", "z"}, short) {
			if r.Err == nil || !strings.Contains(r.Err.Error(), "0 results for 2 keys") {
				t.Errorf("a loader without results: %v, want an error that says so", r.Err)
			}
		}
	})
}

func TestClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, b := mustNew(t, cache.Config[string, string]{}), new(backend)
		var wg sync.WaitGroup
		wg.Go(func() { get(t, c, b, "k", "", cache.ErrClosed) })
		synctest.Wait()
		c.Close()
		c.Close()
		wg.Wait()
		get(t, c, b, "k", "", cache.ErrClosed)
		if err := c.Set("k", "v"); !errors.Is(err, cache.ErrClosed) {
			t.Errorf("Set = %v, want %v", err, cache.ErrClosed)
		}
		if _, ok := c.Get("k"); ok || c.Len() != 0 {
			t.Error("a closed cache holds something")
		}
	})
}
