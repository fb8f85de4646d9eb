package tables

import (
	"context"
	"strconv"
	"sync"
	"sync/atomic"
)

const mutexTitle = "A mutex against compare-and-swap, 1 to 8 goroutines"

func mutexTable(ctx context.Context, p pace) (Table, error) {
	t := Table{
		Name:  "mutex",
		Title: mutexTitle,
		Text: "Goroutines that do nothing but change one shared number: under a sync.Mutex, a sync.RWMutex, by a " +
			"loop of Load and CompareAndSwap, and by atomic.Add. Time on the wall and CPU time for one change by any " +
			"of them, and how many times of it the mutex takes.",
		Columns: []string{"goroutines", "form", "time", "CPU", "mutex"},
		Said: "Folklore: an atomic is several times faster than a mutex, and lock-free code scales. The article says " +
			"so too, without a figure.",
		Holds: mutexHolds,
		Note: "Without company the mutex is itself a CAS to lock and an atomic to unlock, so it costs two of them. " +
			"With company nothing scales: all CPUs write one word, and each change takes longer than alone. A loser " +
			"of a CAS has to load and try again; the owner of a mutex often locks it once more before another CPU " +
			"has noticed, which is why two goroutines can be faster with the mutex. What several cores are to count " +
			"belongs into a counter for each.",
	}
	for _, goroutines := range []int{1, 2, 4, 8} {
		forms := mutexContestants(goroutines)
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

// mutexContestants share n changes of a number among goroutines. The number after them is the result.
func mutexContestants(goroutines int) []contestant {
	share := func(n int, change func()) { shared(goroutines, n, change) }
	return []contestant{
		{"mutex", func(n int) (uint64, error) {
			var mu sync.Mutex
			var value uint64 // guarded by mu
			share(n, func() { mu.Lock(); value += step; mu.Unlock() })
			return value, nil
		}},
		{"RWMutex", func(n int) (uint64, error) {
			var mu sync.RWMutex
			var value uint64 // guarded by mu
			share(n, func() { mu.Lock(); value += step; mu.Unlock() })
			return value, nil
		}},
		{"CAS loop", func(n int) (uint64, error) {
			var value atomic.Uint64
			share(n, func() {
				for old := value.Load(); !value.CompareAndSwap(old, old+step); old = value.Load() {
				}
			})
			return value.Load(), nil
		}},
		{"Add", func(n int) (uint64, error) {
			var value atomic.Uint64
			share(n, func() { value.Add(step) })
			return value.Load(), nil
		}},
	}
}

// step is what one change adds.
const step = 3
