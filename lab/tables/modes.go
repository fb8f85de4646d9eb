package tables

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

const modesTitle = "A mutex's two modes: overtaking, and first come first served"

// modeTurns is how often the patient goroutine gets the mutex.
const modeTurns = 100

func modesTable(ctx context.Context, p pace) (Table, error) {
	t := Table{
		Name:  "modes",
		Title: modesTitle,
		Text: "One goroutine holds a sync.Mutex for a while, releases it and locks it again at once; another asks " +
			"for it 100 times, with pauses. How often the first overtakes one that waits, and how long that waits.",
		Columns: []string{"held for", "overtaken", "median wait", "longest wait"},
		Said: "The article: in normal mode one that arrives may overtake those that wait; one that has waited for a " +
			"millisecond makes the mutex starving, and then it is handed over in the order of arrival.",
		Holds: modesHolds,
	}
	times := modeTurns
	if p.quick {
		times = 3
	}
	for _, held := range []time.Duration{10 * time.Microsecond, 100 * time.Microsecond, 5 * time.Millisecond} {
		overtaken, waits, err := overtake(ctx, held, times)
		if err != nil {
			return Table{}, err
		}
		slices.Sort(waits)
		slices.Sort(overtaken)
		t.Rows = append(t.Rows, []string{duration(float64(held)), amount(quantile(overtaken, 0.5)) + "×",
			duration(quantile(waits, 0.5)), duration(waits[len(waits)-1])})
	}
	return t, nil
}

// overtake says of each of the patient goroutine's turns how often it was overtaken and how long it waited, in ns.
func overtake(ctx context.Context, held time.Duration, turns int) (overtaken, waits []float64, _ error) {
	var mu sync.Mutex
	var greedy atomic.Int64 // how often the other has begun to hold mu
	var stop atomic.Bool
	var wg sync.WaitGroup
	wg.Go(func() {
		for !stop.Load() {
			mu.Lock()
			greedy.Add(1)
			for start := time.Now(); time.Since(start) < held; {
			}
			mu.Unlock()
		}
	})
	for range turns {
		if ctx.Err() != nil {
			break
		}
		time.Sleep(held)
		before, start := greedy.Load(), time.Now()
		mu.Lock()
		waits = append(waits, float64(time.Since(start)))
		overtaken = append(overtaken, float64(greedy.Load()-before))
		mu.Unlock()
	}
	stop.Store(true)
	wg.Wait()
	return overtaken, waits, ctx.Err()
}
