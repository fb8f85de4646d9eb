package batch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func mustNew[T any](t testing.TB, cfg Config[T]) *Batcher[T] {
	t.Helper()
	b, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return b
}

func nothing[T any](context.Context, []T) error { return nil }

func TestConfig(t *testing.T) {
	ok := func(f func(*Config[string])) Config[string] {
		c := Config[string]{Flush: nothing[string]}
		f(&c)
		return c
	}
	for _, tt := range []struct {
		name string
		cfg  Config[string]
		want string // in the error; "": none
	}{
		{"zero", Config[string]{}, "field Flush is nil"},
		{"only Flush", ok(func(*Config[string]) {}), ""},
		{"negative items", ok(func(c *Config[string]) { c.MaxItems = -1 }), "field MaxItems is -1"},
		{"absurd items", ok(func(c *Config[string]) { c.MaxItems = 1 << 30 }), "field MaxItems"},
		{"negative bytes", ok(func(c *Config[string]) { c.MaxBytes = -5 }), "field MaxBytes is -5"},
		{"bytes of strings", ok(func(c *Config[string]) { c.MaxBytes = 5 }), ""},
		{"negative delay", ok(func(c *Config[string]) { c.MaxDelay = -time.Second }), "field MaxDelay is -1s"},
		{"absurd delay", ok(func(c *Config[string]) { c.MaxDelay = time.Hour }), "field MaxDelay is 1h0m0s"},
		{"no delay", ok(func(c *Config[string]) { c.MaxDelay = NoDelay }), ""},
		{"negative flushes", ok(func(c *Config[string]) { c.MaxFlushes = -1 }), "field MaxFlushes"},
		{"absurd flushes", ok(func(c *Config[string]) { c.MaxFlushes = 1 << 20 }), "field MaxFlushes"},
		{"negative queue", ok(func(c *Config[string]) { c.MaxQueued = -1 }), "field MaxQueued"},
		{"two faults", ok(func(c *Config[string]) { c.MaxQueued, c.MaxItems = -1, -1 }), "field MaxQueued"},
		{"the largest", ok(func(c *Config[string]) {
			c.MaxItems, c.MaxBytes, c.MaxFlushes, c.MaxQueued = limitItems, limitBytes, limitFlushes, limitQueued
		}), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b, err := New(tt.cfg)
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("New: %v, want %q", err, tt.want)
			}
			if (b == nil) != (err != nil) {
				t.Errorf("New: %v with error %v", b, err)
			}
		})
	}
	if _, err := New(Config[int]{Flush: nothing[int], MaxBytes: 5}); err == nil ||
		!strings.Contains(err.Error(), "field Size is nil") {
		t.Errorf("MaxBytes without Size: %v, want the field Size named", err)
	}
}

// A log keeps the batches that Flush got, and when.
type log[T any] struct {
	mu      sync.Mutex
	start   time.Time
	batches [][]T
	at      []time.Duration
}

func newLog[T any]() *log[T] { return &log[T]{start: time.Now()} }

func (l *log[T]) note(items []T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.batches = append(l.batches, items)
	l.at = append(l.at, time.Since(l.start))
}

func (l *log[T]) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var s []string
	for i, b := range l.batches {
		s = append(s, fmt.Sprintf("%v at %s", b, l.at[i]))
	}
	return strings.Join(s, ", ")
}

// sized is the sizes of the batches, and when they were flushed.
func (l *log[T]) sized() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var s []string
	for i, b := range l.batches {
		s = append(s, fmt.Sprintf("%d at %s", len(b), l.at[i]))
	}
	return strings.Join(s, ", ")
}

// TestLoneItemsDoNotWait brings one item after another from one caller: each is flushed the moment it arrives. Only one
// in a hundred that arrive at the same moment, by a coarse clock, is kept to see whether they come from several
// callers.
func TestLoneItemsDoNotWait(t *testing.T) {
	for _, op := range []time.Duration{0, time.Millisecond, time.Second} {
		for _, think := range []time.Duration{0, time.Millisecond, time.Second} {
			t.Run(fmt.Sprintf("op=%s/think=%s", op, think), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					b := mustNew(t, Config[int]{Flush: func(context.Context,
						[]int) error {
						time.Sleep(op)
						return nil
					}})
					kept := 0
					if op+think == 0 {
						kept = 1
					}
					for i := range 100 {
						began := time.Now()
						if err := b.Add(t.Context(), i); err != nil {
							t.Fatal(err)
						}
						if took := time.Since(began); took == DefaultMaxDelay && kept > 0 {
							kept--
						} else if took != op {
							t.Fatalf("item %d took %s, want %s", i, took, op)
						}
						time.Sleep(think)
					}
				})
			})
		}
	}
}

// TestGroupCommit has callers that add in turn, each again as soon as its item is done. After the first batch, which
// has one item, all of them are in each batch. None waits for the delay except in the few batches that probe for more.
func TestGroupCommit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const callers, each = 64, 1000
		const op, maxDelay = time.Millisecond, 20 * time.Millisecond
		b := mustNew(t, Config[int]{MaxDelay: maxDelay,
			Flush: func(context.Context, []int) error { time.Sleep(op); return nil }})
		began := time.Now()
		var wg sync.WaitGroup
		for range callers {
			wg.Go(func() {
				for i := range each {
					if err := b.Add(t.Context(), i); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		if s := b.Stats(); s.Items != callers*each || s.Flushes > each+10 {
			t.Errorf("%d items in %d flushes, want %d in %d or a few more", s.Items, s.Flushes, callers*each, each)
		}
		if took := time.Since(began); took > each*op*110/100 {
			t.Errorf("it took %s, want %s and at most 10 %% more", took, each*op)
		}
	})
}

// TestSteadyLoad adds more items, without waiting, than one flush per item could handle: batches fill for MaxDelay.
func TestSteadyLoad(t *testing.T) {
	for _, op := range []time.Duration{0, 100 * time.Microsecond, 2 * time.Millisecond} {
		t.Run("op="+op.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const maxDelay, gap = 5 * time.Millisecond, 100 * time.Microsecond
				var worst time.Duration // Flush is never called twice at once
				b := mustNew(t, Config[time.Time]{MaxDelay: maxDelay,
					Flush: func(_ context.Context, came []time.Time) error {
						worst = max(worst, time.Since(came[0]))
						time.Sleep(op)
						return nil
					}})
				const items = 10_000
				for range items {
					if err := b.Put(t.Context(), time.Now()); err != nil {
						t.Fatal(err)
					}
					time.Sleep(gap)
				}
				if err := b.Stop(t.Context()); err != nil {
					t.Fatal(err)
				}
				if s := b.Stats(); s.Items/s.Flushes < 20 {
					t.Errorf("%d items in %d flushes, want 20 a flush or more", s.Items, s.Flushes)
				}
				if worst > maxDelay {
					t.Errorf("an item waited %s, want %s at most", worst, maxDelay)
				}
			})
		})
	}
}

// TestAfterALoad: when a load has ended, one item may wait in vain for others that no longer come. A second one does
// not.
func TestAfterALoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const maxDelay = 10 * time.Millisecond
		b := mustNew(t, Config[int]{MaxDelay: maxDelay,
			Flush: func(context.Context, []int) error { time.Sleep(time.Millisecond); return nil }})
		var wg sync.WaitGroup
		for range 50 {
			wg.Go(func() { _ = b.Add(t.Context(), 0) })
		}
		wg.Wait()
		for i, want := range []time.Duration{maxDelay + time.Millisecond, time.Millisecond, time.Millisecond} {
			began := time.Now()
			if err := b.Add(t.Context(), 1); err != nil {
				t.Fatal(err)
			}
			if took := time.Since(began); took > want {
				t.Errorf("item %d took %s, want %s at most", i, took, want)
			}
		}
	})
}

func TestFullBatchGoesAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLog[string]()
		b := mustNew(t, Config[string]{MaxItems: 3, MaxBytes: 10, MaxDelay: time.Second, MaxQueued: 100,
			Flush: func(_ context.Context, items []string) error {
				l.note(items)
				time.Sleep(time.Millisecond)
				return nil
			}})
		for _, s := range []string{"lone", "a", "b", "c", "12345", "123456", "x", "0123456789", "tail"} {
			if err := b.Put(t.Context(), s); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		time.Sleep(2 * time.Second)
		want := "[lone] at 0s, [a b c] at 1ms, [12345] at 2ms, [123456 x] at 3ms, [0123456789] at 4ms, [tail] at 1s"
		if got := l.String(); got != want {
			t.Errorf("flushed %s\nwant    %s", got, want)
		}
	})
}

func TestErrorsReachTheirItems(t *testing.T) {
	odd := errors.New("odd")
	for _, tt := range []struct {
		name  string
		flush func(items []int) error
		want  func(item int) string
	}{
		{"all well", func([]int) error { return nil }, func(int) string { return "<nil>" }},
		{"one error for all", func([]int) error { return odd }, func(int) string { return "odd" }},
		{"one each", func(items []int) error {
			errs := make(Errors, len(items))
			for i, item := range items {
				if item%2 == 1 {
					errs[i] = fmt.Errorf("%d is %w", item, odd)
				}
			}
			return errs
		}, func(item int) string {
			if item%2 == 1 {
				return fmt.Sprintf("%d is odd", item)
			}
			return "<nil>"
		}},
		{"too few", func([]int) error { return Errors{} },
			func(int) string { return "batch: Flush returned 0 errors for" }},
		{"panic", func([]int) error { panic("oops") }, func(int) string { return "batch: Flush panicked: oops" }},
		{"panic with an error", func([]int) error { panic(odd) },
			func(int) string { return "batch: Flush panicked: odd" }},
		{"an error whose methods panic", func([]int) error { return fmt.Errorf("%w", evil{}) },
			func(int) string { return "batch: Flush panicked: As panics" }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := mustNew(t, Config[int]{Flush: func(_ context.Context,
					items []int) error {
					return tt.flush(items)
				}})
				var wg sync.WaitGroup
				for i := range 20 {
					wg.Go(func() {
						if got := fmt.Sprint(b.Add(t.Context(), i)); !strings.HasPrefix(got, tt.want(i)) {
							t.Errorf("item %d: %s, want %s", i, got, tt.want(i))
						}
					})
				}
				wg.Wait()
			})
		})
	}
}

type evil struct{}

func (evil) Error() string { return "evil" }
func (evil) As(any) bool   { panic("As panics") }

func TestPanicError(t *testing.T) {
	b := mustNew(t, Config[int]{Flush: func(context.Context, []int) error { panic(context.Canceled) }})
	err := b.Add(t.Context(), 1)
	var p *PanicError
	if !errors.As(err, &p) || !errors.Is(err, context.Canceled) || !strings.Contains(string(p.Stack), "batch_test.go") {
		t.Errorf("Add: %v, want a PanicError with the value and the stack of the Flush", err)
	}
	if s := b.Stats(); s.Panics != 1 || s.Failed != 1 {
		t.Errorf("%+v, want one panic and one failed item", s)
	}
}

func TestErrorsText(t *testing.T) {
	for _, tt := range []struct {
		errs Errors
		want string
	}{
		{Errors{nil, errors.New("a"), errors.New("b")}, "batch: 2 of 3 items failed, the first: a"},
		{Errors{nil, nil}, "batch: none of 2 items failed"},
	} {
		if got := tt.errs.Error(); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

func TestDo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := mustNew(t, Config[*Call[int, string]]{Flush: func(_ context.Context, calls []*Call[int, string]) error {
			time.Sleep(time.Millisecond)
			for _, c := range calls {
				c.Result = fmt.Sprint("user ", c.Arg)
				if c.Arg == 13 {
					c.Err = errors.New("unknown")
				}
			}
			return nil
		}})
		var wg sync.WaitGroup
		for i := range 20 {
			wg.Go(func() {
				got, err := Do(t.Context(), b, i)
				if want := fmt.Sprint("user ", i); got != want || (err != nil) != (i == 13) {
					t.Errorf("Do(%d): %q, %v", i, got, err)
				}
			})
		}
		wg.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Microsecond)
		defer cancel()
		if got, err := Do(ctx, b, 1); got != "" || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Do with a context that ends: %q, %v, want none and DeadlineExceeded", got, err)
		}
	})
}

func TestBytesAtOddSizes(t *testing.T) {
	size := 0
	b := mustNew(t, Config[int]{Flush: nothing[int], MaxBytes: 10, Size: func(int) int { return size }})
	for _, tt := range []struct {
		size int
		want string
	}{{0, "<nil>"}, {10, "<nil>"}, {11, "batch: the item is too large: it has 11 bytes"},
		{-1, "batch: Config.Size says that the item has -1 bytes"}} {
		size = tt.size
		if got := fmt.Sprint(b.Add(t.Context(), 1)); !strings.HasPrefix(got, tt.want) {
			t.Errorf("an item of %d bytes: %s, want %s", tt.size, got, tt.want)
		}
	}
}

// TestConcurrentFlushes: up to MaxFlushes batches run at the same time.
func TestConcurrentFlushes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLog[int]()
		b := mustNew(t, Config[int]{MaxItems: 2, MaxFlushes: 3, Flush: func(_ context.Context, items []int) error {
			l.note(slices.Clone(items))
			time.Sleep(time.Second)
			return nil
		}})
		for i := range 9 {
			if err := b.Put(t.Context(), i); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Nanosecond) // so that the order of the calls is certain
		}
		if err := b.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		want := "1 at 0s, 2 at 2ns, 2 at 4ns, 2 at 1s, 2 at 1.000000002s"
		if got := l.sized(); got != want {
			t.Errorf("flushed %s\nwant    %s", got, want)
		}
	})
}
