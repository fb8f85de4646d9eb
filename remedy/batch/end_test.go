package batch

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// stuck is a Flush that ends when release is closed, and reports the cause if its context ends before.
func stuck(release <-chan struct{}) func(context.Context, []int) error {
	return func(ctx context.Context, _ []int) error {
		select {
		case <-release:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// TestContexts: a caller whose context is done returns at once, wherever its item is.
func TestContexts(t *testing.T) {
	for _, tt := range []struct {
		name     string
		before   int  // items put before it
		inFlight bool // whether the error says so
		stats    Stats
	}{
		{"in flight alone", 0, false, Stats{Items: 1, Flushes: 1, Failed: 1}},
		{"pending", 1, false, Stats{Items: 2, Flushes: 1, Withdrawn: 1}},
		{"outside", 3, false, Stats{Items: 3, Flushes: 2, Withdrawn: 1, Waited: 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				release := make(chan struct{})
				b := mustNew(t, Config[int]{MaxItems: 2, MaxQueued: 1, Flush: stuck(release)})
				for i := range tt.before {
					if err := b.Put(t.Context(), i); err != nil {
						t.Fatal(err)
					}
				}
				cause := errors.New("the user left")
				ctx, cancel := context.WithTimeoutCause(t.Context(), 5*time.Millisecond, cause)
				defer cancel()
				began := time.Now()
				err := b.Add(ctx, 100)
				if !errors.Is(err, cause) || errors.Is(err, ErrInFlight) != tt.inFlight {
					t.Errorf("Add: %v, want %v, ErrInFlight %t", err, cause, tt.inFlight)
				}
				if took := time.Since(began); took != 5*time.Millisecond {
					t.Errorf("Add took %s, want 5ms", took)
				}
				close(release)
				if err := b.Stop(t.Context()); err != nil {
					t.Error(err)
				}
				if got := b.Stats(); got != tt.stats {
					t.Errorf("got  %+v\nwant %+v", got, tt.stats)
				}
			})
		})
	}
	t.Run("in flight with another", func(t *testing.T) { synctest.Test(t, testAbandon) })
	t.Run("done before", func(t *testing.T) {
		b := mustNew(t, Config[int]{Flush: nothing[int]})
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := b.Add(ctx, 1); !errors.Is(err, context.Canceled) || b.Stats() != (Stats{}) {
			t.Errorf("Add: %v, %+v; want Canceled, and nothing taken", err, b.Stats())
		}
	})
}

// testAbandon has an item in a flush together with one that stays.
func testAbandon(t *testing.T) {
	b := mustNew(t, Config[int]{MaxItems: 2, MaxFlushes: 2, Flush: func(ctx context.Context, items []int) error {
		select {
		case <-ctx.Done():
			t.Error("the context of the flush is done, but somebody waits")
		case <-time.After(time.Second):
		}
		return nil
	}})
	for i := range 2 { // one is in flight; the other waits, and Add's item makes its batch full
		if err := b.Put(t.Context(), i); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	began := time.Now()
	err := b.Add(ctx, 2)
	if took := time.Since(began); !errors.Is(err, ErrInFlight) || !errors.Is(err, context.DeadlineExceeded) ||
		took != 500*time.Millisecond {
		t.Errorf("Add: %v after %s, want ErrInFlight and DeadlineExceeded after 0.5s", err, took)
	}
	if err := b.Stop(t.Context()); err != nil {
		t.Error(err)
	}
	if got, want := b.Stats(), (Stats{Items: 3, Flushes: 2, Abandoned: 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestFlushContext: it ends when the last caller has left, not when the first has, and never for items of Put.
func TestFlushContext(t *testing.T) {
	for _, tt := range []struct {
		name     string
		put      bool
		deadline []time.Duration // of the callers of Add; 0: none
		want     time.Duration   // when the flush ended
	}{
		{"all go", false, []time.Duration{time.Second, 3 * time.Second}, 3 * time.Second},
		{"one stays", false, []time.Duration{time.Second, 0}, time.Minute},
		{"one is of Put", true, []time.Duration{time.Second}, time.Minute},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var ended []time.Duration
				began := time.Now()
				b := mustNew(t, Config[int]{Flush: func(ctx context.Context, items []int) error {
					if items[0] == 0 { // the first, during which the others gather
						time.Sleep(time.Millisecond)
						return nil
					}
					select {
					case <-ctx.Done():
					case <-time.After(time.Until(began.Add(time.Minute))):
					}
					ended = append(ended, time.Since(began))
					return nil
				}})
				_ = b.Put(t.Context(), 0)
				if tt.put {
					_ = b.Put(t.Context(), 1)
				}
				var wg sync.WaitGroup
				for _, d := range tt.deadline {
					wg.Go(func() {
						ctx := t.Context()
						if d > 0 {
							var cancel context.CancelFunc
							ctx, cancel = context.WithDeadline(ctx, began.Add(d))
							defer cancel()
						}
						_ = b.Add(ctx, 1)
					})
				}
				wg.Wait()
				_ = b.Stop(t.Context())
				if len(ended) != 1 || ended[0] != tt.want {
					t.Errorf("the flush ended at %v, want %s", ended, tt.want)
				}
			})
		})
	}
}

func TestBackpressure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLog[int]()
		b := mustNew(t, Config[int]{MaxItems: 2, MaxQueued: 2, Flush: func(_ context.Context, items []int) error {
			l.note(items)
			time.Sleep(time.Second)
			return nil
		}})
		began := time.Now()
		for i := range 8 { // 1 in flight, 4 in the queue, and 3 that wait
			if err := b.Put(t.Context(), i); err != nil {
				t.Fatal(err)
			}
			want := time.Duration(max(i-3, 0)/2) * time.Second
			if took := time.Since(began); took != want {
				t.Errorf("item %d was taken after %s, want %s", i, took, want)
			}
		}
		_ = b.Stop(t.Context())
		if got, want := l.String(), "[0] at 0s, [1 2] at 1s, [3 4] at 2s, [5 6] at 3s, [7] at 4s"; got != want {
			t.Errorf("flushed %s\nwant    %s", got, want)
		}
		if s := b.Stats(); s.Waited != 2 {
			t.Errorf("%+v, want 2 that found the queue full", s)
		}
	})
}

// TestFirstComeFirstServed: a small item that would fit does not overtake a large one that waits for room.
func TestFirstComeFirstServed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLog[string]()
		b := mustNew(t, Config[string]{MaxBytes: 4, MaxQueued: 1, Flush: func(_ context.Context, items []string) error {
			l.note(items)
			time.Sleep(time.Second)
			return nil
		}})
		var wg sync.WaitGroup
		for _, s := range []string{"1", "22", "large", "333", "4"} {
			wg.Go(func() { _ = b.Put(t.Context(), s) })
			synctest.Wait()
		}
		wg.Wait()
		_ = b.Stop(t.Context())
		if got, want := l.String(), "[1] at 0s, [22] at 1s, [333 4] at 2s"; got != want {
			t.Errorf("flushed %s\nwant    %s", got, want)
		}
	})
}

func TestStop(t *testing.T) {
	t.Run("drains", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			l := newLog[int]()
			b := mustNew(t, Config[int]{MaxItems: 3, MaxDelay: time.Minute,
				Flush: func(_ context.Context, items []int) error {
					l.note(items)
					time.Sleep(time.Second)
					return nil
				}})
			for i := range 6 {
				_ = b.Put(t.Context(), i)
			}
			time.Sleep(2500 * time.Millisecond) // [4 5] waits for a third
			began := time.Now()
			if err := b.Stop(t.Context()); err != nil || time.Since(began) != time.Second {
				t.Errorf("Stop: %v after %s, want none after 1s", err, time.Since(began))
			}
			if got, want := l.String(), "[0] at 0s, [1 2 3] at 1s, [4 5] at 2.5s"; got != want {
				t.Errorf("flushed %s\nwant    %s", got, want)
			}
			if err := b.Add(t.Context(), 9); !errors.Is(err, ErrStopped) {
				t.Errorf("Add: %v, want ErrStopped", err)
			}
			if err := b.Put(t.Context(), 9); !errors.Is(err, ErrStopped) {
				t.Errorf("Put: %v, want ErrStopped", err)
			}
		})
	})
	t.Run("unused", func(t *testing.T) {
		b := mustNew(t, Config[int]{Flush: nothing[int]})
		for range 2 {
			if err := b.Stop(t.Context()); err != nil {
				t.Error(err)
			}
		}
	})
	t.Run("gives up", func(t *testing.T) { synctest.Test(t, testStopGivesUp) })
}

// testStopGivesUp has one item in a flush that would not end, one that waits for that flush, and one outside.
func testStopGivesUp(t *testing.T) {
	var mu sync.Mutex
	var told []int
	b := mustNew(t, Config[int]{MaxItems: 1, MaxQueued: 1, Flush: stuck(nil), OnError: func(item int, err error) {
		mu.Lock()
		defer mu.Unlock()
		if errors.Is(err, ErrStopped) {
			told = append(told, item)
		}
	}})
	_ = b.Put(t.Context(), 0)
	_ = b.Put(t.Context(), 1)
	outside := make(chan error)
	go func() { outside <- b.Add(t.Context(), 2) }()
	synctest.Wait()
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	stopped := make(chan error)
	go func() { stopped <- b.Stop(ctx) }()
	began := time.Now()
	if err := <-outside; !errors.Is(err, ErrStopped) || time.Since(began) != 0 {
		t.Errorf("Add of the item outside: %v after %s, want ErrStopped at once", err, time.Since(began))
	}
	if err := <-stopped; !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Second {
		t.Errorf("Stop: %v after %s, want DeadlineExceeded after 1s", err, time.Since(began))
	}
	if err := b.Stop(t.Context()); err != nil {
		t.Errorf("the second Stop: %v, want none: the flush was cancelled", err)
	}
	if len(told) != 2 || told[0]+told[1] != 1 {
		t.Errorf("OnError got the items %v with ErrStopped, want 0 and 1", told)
	}
}

// TestOnErrorEndsItsGoroutine: an OnError that panics, or calls FailNow of a test, blocks nobody else.
func TestOnErrorEndsItsGoroutine(t *testing.T) {
	for name, end := range map[string]func(){"panic": func() { panic("oops") }, "goexit": runtime.Goexit} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				down := errors.New("down")
				b := mustNew(t, Config[int]{
					Flush:   func(context.Context, []int) error { time.Sleep(time.Millisecond); return down },
					OnError: func(int, error) { end() },
				})
				for i := range 3 {
					if err := b.Put(t.Context(), i); err != nil {
						t.Fatal(err)
					}
				}
				if err := b.Add(t.Context(), 3); !errors.Is(err, down) {
					t.Errorf("Add: %v, want %v", err, down)
				}
				if err := b.Stop(t.Context()); err != nil {
					t.Error(err)
				}
			})
		})
	}
}
