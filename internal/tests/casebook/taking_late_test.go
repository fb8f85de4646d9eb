package casebook_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/vitals"
)

// An overloaded target says that its last answer took long, and notes what it is asked for.
type overloaded struct {
	rogue
	probe float64 // seconds

	mu    sync.Mutex // guards asked
	asked []string
}

func (o *overloaded) Sample(_ context.Context, s *vitals.Sample) error {
	s.Set(vitals.Goroutines, 10)
	s.Set(vitals.ProbeTime, o.probe)
	return nil
}

func (o *overloaded) Capture(_ context.Context, kind string, _ time.Duration) (instance.Profile, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.asked = append(o.asked, kind)
	return instance.Profile{}, &instance.EmptyError{Reason: "nothing"}
}

// TestLateTargets: a target that answers late is asked for the cheap things first, and for its CPU profile at once; of
// one that answers at once the profile comes after the snapshots.
func TestLateTargets(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		probe float64
		order []string // of these kinds, as asked; the CPU profile runs beside, and has no place
		last  bool     // the CPU profile is asked for after all snapshots of the time of the trouble
	}{
		{"late", 7, []string{casefile.Runtime, casefile.Goroutine, casefile.Heap, casefile.ThreadCreate}, false},
		{"at once", 0.002, []string{casefile.Goroutine, casefile.Runtime, casefile.Heap, casefile.ThreadCreate}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			target := &overloaded{probe: tt.probe}
			watch(t, casebook.Config{Target: target, Rules: when("goroutines", 1), Interval: 100 * time.Millisecond},
				casebook.Closed)
			target.mu.Lock()
			defer target.mu.Unlock()
			var got []string
			for _, kind := range target.asked {
				if slices.Contains(tt.order, kind) && !slices.Contains(got, kind) {
					got = append(got, kind)
				}
			}
			if !slices.Equal(got, tt.order) {
				t.Errorf("asked for %v, want %v", got, tt.order)
			}
			cpu, threads := slices.Index(target.asked, casefile.CPU), slices.Index(target.asked, casefile.ThreadCreate)
			if cpu < 0 || tt.last && cpu < threads {
				t.Errorf("asked in the order %v", target.asked)
			}
		})
	}
}

// A hanger hangs until it has been missed once, and times out for the allocations meanwhile.
type hanger struct {
	rogue
	missed atomic.Bool
	asked  atomic.Int64 // for allocations

	well    atomic.Int64  // samples since it was missed
	answers chan struct{} // closed with the second
}

func (h *hanger) Sample(_ context.Context, s *vitals.Sample) error {
	s.Set(vitals.Goroutines, 10)
	if !h.missed.Load() {
		s.Set(vitals.Unanswered, 1)
	} else if h.well.Add(1) == 2 {
		close(h.answers)
	}
	return nil
}

func (h *hanger) Capture(ctx context.Context, kind string, _ time.Duration) (instance.Profile, error) {
	switch {
	case kind == casefile.Allocs && h.asked.Add(1) == 1:
		return instance.Profile{}, context.DeadlineExceeded
	case kind == casefile.Heap:
		select {
		case <-h.answers:
		case <-ctx.Done():
		}
	}
	return instance.Profile{Kind: kind, Taken: time.Now(), Data: []byte("x")}, nil
}

// TestAskedAgain: what got no answer in time while the target hung is asked for again after it answered. An attachment
// is not: the target does not have it.
func TestAskedAgain(t *testing.T) {
	t.Parallel()
	target := &hanger{answers: make(chan struct{})}
	e, _ := watch(t, casebook.Config{Target: target, Interval: 100 * time.Millisecond,
		Rules: when("goroutines", 1, casefile.Allocs, casefile.Goroutine, casefile.Heap),
		Attachments: []casebook.Attachment{{Kind: "page", Take: func(context.Context) ([]byte, error) {
			return nil, context.DeadlineExceeded
		}}},
		OnEvent: func(e casebook.Event) {
			if e.Kind == casebook.Missed && strings.HasPrefix(e.Err.Error(), casefile.Allocs) {
				target.missed.Store(true)
			}
		},
	}, casebook.Closed)
	f, err := casefile.Open(e.Path)
	if err != nil {
		t.Fatal(err)
	}
	if !has(f, casefile.Allocs) || target.asked.Load() != 2 {
		t.Errorf("allocations were asked for %d times, missing: %+v", target.asked.Load(), f.Case.Missing)
	}
	if why := missing(f, "page"); !strings.Contains(why, "deadline exceeded") {
		t.Errorf("the page is missing because %q", why)
	}
}
