package tables

import (
	"context"
	"strconv"
	"sync"
	"sync/atomic"
)

const readersTitle = "Readers under a mutex, an RWMutex, an atomic pointer"

func readersTable(ctx context.Context, p pace) (Table, error) {
	t := Table{
		Name:  "readers",
		Title: readersTitle,
		Text: "Goroutines that read a map of 16 numbers: one look-up in a short time, or 64 in a longer one. Under a " +
			"sync.Mutex, a sync.RWMutex, and by an atomic pointer to a map that nobody changes. Time on the wall and " +
			"CPU time for one read.",
		Columns: []string{"look-ups", "goroutines", "form", "time", "CPU", "mutex"},
		Said:    "Folklore: where most only read, an RWMutex is faster than a Mutex.",
		Holds:   readersHolds,
	}
	for _, lookups := range []int{1, 64} {
		for _, goroutines := range []int{1, 8} {
			forms := readerContestants(lookups, goroutines)
			costs, err := p.measure(ctx, forms)
			if err != nil {
				return Table{}, err
			}
			mutex := middleOf(costs[0], wallOf)
			for i, form := range forms {
				wall := middleOf(costs[i], wallOf)
				t.Rows = append(t.Rows, []string{strconv.Itoa(lookups), strconv.Itoa(goroutines), form.name,
					wall.timed(), middleOf(costs[i], cpuOf).timed(), ratio(mutex, wall)})
			}
		}
	}
	return t, nil
}

func readerContestants(lookups, goroutines int) []contestant {
	numbers := make(map[int]uint64)
	for i := range 16 {
		numbers[i] = uint64(i)
	}
	read := func(m map[int]uint64) (sum uint64) {
		for i := range lookups {
			sum += m[i%16]
		}
		return sum
	}
	form := func(name string, once func() uint64) contestant {
		return contestant{name, func(n int) (uint64, error) {
			var total atomic.Uint64
			var wg sync.WaitGroup
			for g := range goroutines {
				wg.Go(func() {
					sum := uint64(0)
					for range (n + g) / goroutines { // adds up to n
						sum += once()
					}
					total.Add(sum)
				})
			}
			wg.Wait()
			return total.Load(), nil
		}}
	}
	var mu sync.Mutex
	var rw sync.RWMutex
	var published atomic.Pointer[map[int]uint64]
	published.Store(&numbers)
	return []contestant{
		form("Mutex", func() uint64 { mu.Lock(); defer mu.Unlock(); return read(numbers) }),
		form("RWMutex", func() uint64 { rw.RLock(); defer rw.RUnlock(); return read(numbers) }),
		form("atomic", func() uint64 { return read(*published.Load()) }),
	}
}
