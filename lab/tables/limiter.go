package tables

import (
	"context"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

const limiterTitle = "A rate limiter with a mutex and with compare-and-swap"

func limiterTable(ctx context.Context, p pace) (Table, error) {
	t := Table{
		Name:  "limiter",
		Title: limiterTitle,
		Text: "Goroutines ask a limiter for leave; the rate is so high that nobody waits. It keeps the time of the " +
			"last leave: under a sync.Mutex, or replaced by CompareAndSwap until that succeeds. Each asks the clock. " +
			"Time on the wall and CPU time for one leave.",
		Columns: []string{"goroutines", "form", "time", "CPU", "mutex"},
		Said:    "The article shows a chart without figures in which compare-and-swap wins; uber-go/ratelimit does so.",
		Holds:   limiterHolds,
	}
	for _, goroutines := range []int{1, 8, 64} {
		forms := limiterContestants(goroutines)
		costs, err := p.measure(ctx, forms)
		if err != nil {
			return Table{}, err
		}
		mutex := middleOf(costs[0], wallOf)
		for i, form := range forms {
			wall := middleOf(costs[i], wallOf)
			t.Rows = append(t.Rows, []string{strconv.Itoa(goroutines), form.name, wall.timed(),
				middleOf(costs[i], cpuOf).timed(), ratio(mutex, wall)})
		}
	}
	return t, nil
}

// leaveEvery is the time between two leaves: a billion a second, which is never reached.
const leaveEvery = time.Nanosecond

func limiterContestants(goroutines int) []contestant {
	limited := func(name string, limiter func() func(now int64)) contestant {
		return contestant{name, func(n int) (uint64, error) {
			leave, begin := limiter(), time.Now()
			shared(goroutines, n, func() { leave(int64(time.Since(begin))) })
			return uint64(n), nil
		}}
	}
	return []contestant{
		limited("mutex", func() func(int64) {
			var mu sync.Mutex
			var last int64 // guarded by mu
			return func(now int64) {
				mu.Lock()
				last = max(now, last+int64(leaveEvery))
				mu.Unlock()
			}
		}),
		limited("CAS loop", func() func(int64) {
			var last atomic.Int64
			return func(now int64) {
				for {
					old := last.Load()
					if last.CompareAndSwap(old, max(now, old+int64(leaveEvery))) {
						return
					}
				}
			}
		}),
	}
}

// shared divides n calls among goroutines.
func shared(goroutines, n int, call func()) {
	var wg sync.WaitGroup
	for g := range goroutines {
		wg.Go(func() {
			for range (n + g) / goroutines { // adds up to n
				call()
			}
		})
	}
	wg.Wait()
}
