package casebook_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/internal/budget"
)

// A factualRogue is a rogue that knows its size, as instance.HTTP does.
type factualRogue struct{ rogue }

func (*factualRogue) Facts() instance.Facts {
	return instance.Facts(budget.Facts{Goroutines: 1000, Outside: true})
}

// A target that hangs for 40 s, five times, leaves budget in the hour for later captures, both in this run of the watch
// and in the next one, which loads what was spent.
func TestHangLeavesTheHourOverRestarts(t *testing.T) {
	const hang = 40 * time.Second
	for name, late := range map[string]func(context.Context) (instance.Profile, error){
		"no answer": func(context.Context) (instance.Profile, error) {
			time.Sleep(hang) // of the bubble
			return instance.Profile{Cost: hang, Used: 50 * time.Millisecond}, errors.New("deadline exceeded")
		},
		"no answer, nothing known of its CPU": func(context.Context) (instance.Profile, error) {
			time.Sleep(hang)
			return instance.Profile{Cost: hang}, errors.New("deadline exceeded")
		},
		"a late answer": func(ctx context.Context) (instance.Profile, error) {
			time.Sleep(hang)
			p, err := snapshot(ctx)
			p.Cost, p.Used = hang, 50*time.Millisecond
			return p, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				dir, began := t.TempDir(), time.Now()
				hanging := watchLate(t, dir, late)
				for range 5 {
					if _, err := hanging.Capture(t.Context(), "it hangs", casefile.Goroutine); err != nil {
						t.Fatal(err)
					}
				}
				if spent := hanging.Status().Budget.Spent.CPU; spent <= 0 || spent > 2*time.Second {
					t.Errorf("%s of CPU are booked for %s of waiting", spent, time.Since(began))
				}
				hanging.stop()

				next := watchLate(t, dir, snapshot)
				if spent := next.Status().Budget.Spent.CPU; spent <= 0 || spent > 2*time.Second {
					t.Errorf("the next start takes up %s of CPU", spent)
				}
				f, err := next.Capture(t.Context(), "it answers again", casefile.Goroutine, casefile.Heap, casefile.CPU)
				if err != nil {
					t.Fatal(err)
				}
				for _, kind := range []string{casefile.Goroutine, casefile.Heap, casefile.CPU} {
					if why := missing(f, kind); why != "" {
						t.Errorf("%s is missing after the hang: %s", kind, why)
					}
				}
				next.stop()
			})
		})
	}
}

// A lateWatch is a watch of a target that may answer late.
type lateWatch struct {
	*casebook.Watch
	stop func()
}

func watchLate(t *testing.T, dir string, capture func(context.Context) (instance.Profile, error)) lateWatch {
	t.Helper()
	started := make(chan struct{})
	w, err := casebook.New(casebook.Config{
		Dir: dir, Target: &factualRogue{rogue{capture: capture}}, Rules: when("goroutines", 1e9),
		OnEvent: func(e casebook.Event) {
			if e.Kind == casebook.Started {
				close(started)
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- w.Run(ctx) }()
	<-started
	return lateWatch{w, func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}}
}
