package tables

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/gocasebook/casebook/internal/number"
)

const goroutinesTitle = "A million tasks: raw, limited and reused goroutines"

const (
	tasks      = 1_000_000
	quickTasks = 10_000
	taskTurns  = 5       // at the default pace; each takes half a second at the most
	taskSteps  = 100     // of arithmetic in a task: about 0.1 µs
	taskQueue  = 256     // places in the channel of the reused goroutines
	manyTasks  = 500_000 // that may run at once, as in the article
	taskChunk  = 1000    // tasks handed over at once
)

func goroutinesTable(ctx context.Context, p pace) (Table, error) {
	n, times := tasks, taskTurns*max(1, int(p.turn*turns/defaultMeasure))
	if p.quick {
		n, times = quickTasks, p.turns
	}
	cs := taskContestants(runtime.GOMAXPROCS(0), n)
	if err := agree(cs); err != nil {
		return Table{}, err
	}
	peaks := make([][]cost, len(cs))
	costs, err := inTurns(ctx, times, cs, func(i int) (cost, error) {
		c, peak, err := turnWithPeak(ctx, cs[i], n)
		peaks[i] = append(peaks[i], cost{bytes: peak})
		return c, err
	})
	if err != nil {
		return Table{}, err
	}
	t := Table{
		Name:  "goroutines",
		Title: goroutinesTitle,
		Text: "1,000,000 tasks of about 0.1 µs of arithmetic each: a goroutine for each; the same with as many at " +
			"a time as there are CPUs, by a semaphore; as many goroutines as CPUs that take tasks from a channel, " +
			"one or 1,000 at a time, or by an atomic counter. With 500,000 at a time instead of as many as CPUs: the " +
			"semaphore, and goroutines that are started when none is free. Time on the wall, CPU time, peak of heap " +
			"and stacks, heap objects a task, cycles of the collector.",
		Columns: []string{"form", "time", "CPU", "peak", "objects", "cycles"},
		Said: "Folklore: goroutines are cheap, but a million of them are not; pools (ants and others) promise a " +
			"multiple of the throughput at a fraction of the memory. The article, a million tasks on 16 processors, " +
			"pools of 500,000: 270 ns a task, 126 MB and 44 cycles raw; 473 ns, 82 MB, 31 cycles by a semaphore; " +
			"679 ns, 46 MB, 9 cycles reused.",
		Holds: goroutinesHolds,
		Note: "A goroutine a task costs about half a microsecond of CPU, and the memory of as many as are started " +
			"before others end: far from a million of them. A semaphore bounds how many run, not the price; it makes " +
			"the starter wait for the others, and on few CPUs it is the slowest form on the wall. Reused goroutines " +
			"that take one task at a time pay a channel operation instead. Only handing over many tasks at once " +
			"brings the price near that of the work. Tasks of 10 µs or more would hide all of it.",
	}
	for i, c := range cs {
		t.Rows = append(t.Rows, []string{
			c.name,
			middleOf(costs[i], wallOf).times(n).timed(),
			middleOf(costs[i], cpuOf).times(n).timed(),
			number.Bytes(middleOf(peaks[i], func(c cost) float64 { return c.bytes }).median),
			amount(middleOf(costs[i], func(c cost) float64 { return c.allocs }).median),
			amount(middleOf(costs[i], func(c cost) float64 { return c.collections }).times(n).median),
		})
	}
	return t, nil
}

// taskContestants run at most so many tasks on so many CPUs.
func taskContestants(cpus, most int) []contestant {
	results := make([]uint64, most) // as a real task has somewhere to put its result
	form := func(name string, each func(n int, do func(i int))) contestant {
		return contestant{name, func(n int) (uint64, error) {
			each(n, func(i int) { results[i] = task(i) })
			var total uint64
			for _, r := range results[:n] {
				total += r
			}
			return total, nil
		}}
	}
	return []contestant{
		form("one a task", eachRaw),
		form("semaphore", func(n int, do func(int)) { eachLimited(cpus, n, do) }),
		form("semaphore, 500 k", func(n int, do func(int)) { eachLimited(manyTasks, n, do) }),
		form("reused, 500 k", func(n int, do func(int)) { eachOnDemand(manyTasks, n, do) }),
		form("reused, channel", func(n int, do func(int)) { eachReused(cpus, 1, n, do) }),
		form("reused, by 1,000", func(n int, do func(int)) { eachReused(cpus, taskChunk, n, do) }),
		form("reused, counter", func(n int, do func(int)) { eachCounted(cpus, n, do) }),
	}
}

// task is the work: a chain of arithmetic that cannot be computed ahead.
//
//go:noinline
func task(i int) uint64 {
	h := uint64(i)
	for range taskSteps {
		h = h*6364136223846793005 + 1442695040888963407
	}
	return h
}

func eachRaw(n int, do func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { do(i) })
	}
	wg.Wait()
}

func eachLimited(limit, n int, do func(i int)) {
	var wg sync.WaitGroup
	free := make(chan struct{}, limit)
	for i := range n {
		free <- struct{}{}
		wg.Go(func() {
			do(i)
			<-free
		})
	}
	wg.Wait()
}

// eachOnDemand hands each task to a goroutine that is free, starts one when none is, and waits when there are as many
// as may be.
func eachOnDemand(limit, n int, do func(i int)) {
	var wg sync.WaitGroup
	queue, workers := make(chan int), 0
	for i := range n {
		if workers == limit {
			queue <- i
			continue
		}
		select {
		case queue <- i:
		default:
			workers++
			wg.Go(func() {
				do(i)
				for i := range queue {
					do(i)
				}
			})
		}
	}
	close(queue)
	wg.Wait()
}

// eachReused hands chunks of tasks to workers.
func eachReused(workers, chunk, n int, do func(i int)) {
	var wg sync.WaitGroup
	queue := make(chan int, taskQueue)
	for range workers {
		wg.Go(func() {
			for first := range queue {
				for i := first; i < min(first+chunk, n); i++ {
					do(i)
				}
			}
		})
	}
	for first := 0; first < n; first += chunk {
		queue <- first
	}
	close(queue)
	wg.Wait()
}

func eachCounted(workers, n int, do func(i int)) {
	var wg sync.WaitGroup
	var next atomic.Int64
	for range workers {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	wg.Wait()
}
