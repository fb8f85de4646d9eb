package tables

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

const idleTitle = "Workers that end after a time without work"

const (
	idleLimit    = 100              // workers that may be there at once, where tasks are measured
	idleFor      = 10 * time.Second // without work: longer than a turn pauses
	idleCrew     = 1000             // workers whose rest is watched
	idleRestTime = 20 * time.Millisecond
)

func idleTable(ctx context.Context, p pace) (Table, error) {
	forms := idleForms()
	cs := make([]contestant, len(forms))
	for i, f := range forms {
		cs[i] = contestant{f.name, f.run}
	}
	costs, err := p.measure(ctx, cs)
	if err != nil {
		return Table{}, err
	}
	t := Table{
		Name:  "idle",
		Title: idleTitle,
		Text: fmt.Sprintf("CPU time, bytes and objects for a task of about 0.1 µs, given to a worker that is free, "+
			"or to a new one while there are fewer than %d. A worker waits for tasks; for tasks or its context's "+
			"end; and also for a time without work, by a timer that it sets back after each task, by time.After, or "+
			"by somebody who looks after all. And how many of %s workers are left after a rest of ten times that "+
			"time.", idleLimit,
			count(idleCrew)),
		Columns: []string{"worker waits for", "CPU", "bytes", "objects", "left", "first"},
		Said: "The article shows a worker that selects between tasks, its context and a timer, so that a pool " +
			"shrinks when there is no work.",
		Note: "What a worker that stays costs is its stack, 2 to 8 kB, which the collector walks. Since Go 1.23 a " +
			"timer that is set back needs no draining, and one of time.After is collected when nobody waits for it; " +
			"it makes one for each task.",
	}
	first := middleOf(costs[0], cpuOf)
	var rs []restedForm
	for i, f := range forms {
		left, err := f.leftAfter(ctx, idleCrew, idleRestTime)
		if err != nil {
			return Table{}, err
		}
		cpu := middleOf(costs[i], cpuOf)
		rs = append(rs, restedForm{f.name, cpu.median, left})
		t.Rows = append(t.Rows, []string{f.name, cpu.timed(),
			size(middleOf(costs[i], func(c cost) float64 { return c.bytes }).median),
			amount(middleOf(costs[i], func(c cost) float64 { return c.allocs }).median), whole(left), ratio(first,
				cpu)})
	}
	t.Holds = idleHolds(rs)
	return t, nil
}

// A restedForm is what a task cost in a form, in ns, and how many workers it had left.
type restedForm struct {
	name string
	cpu  float64
	left int
}

// idleHolds says which form shrinks at the least price; the first is the one that does not shrink.
func idleHolds(rs []restedForm) string {
	first, best := rs[0], -1
	var said []string
	for i, r := range rs[1:] {
		if r.left > first.left/100 {
			continue
		}
		said = append(said, r.name+" "+timesAs(first.cpu, r.cpu))
		if best < 0 || r.cpu < rs[best].cpu {
			best = i + 1
		}
	}
	if best < 0 {
		return "No longer true: no form's workers end."
	}
	return fmt.Sprintf("Still true: the workers end. Beside those that stay (%d left), a task is: "+
		"%s. The cheapest is %s.",
		first.left, listed(said), rs[best].name)
}

// An idleForm is a way to wait for tasks.
type idleForm struct {
	name string
	// wait does tasks until there are no more or the crew says so.
	wait func(c *crew, w *crewman)
	// looked says whether somebody looks after all workers.
	looked bool
}

const (
	waitsTask, waitsContext, waitsTimer = "task", "task, context", "task, context, timer"
	waitsAfter, waitsLooked             = "the same, time.After", "task, looked after"
)

func idleForms() []idleForm {
	return []idleForm{
		{name: waitsTask, wait: func(c *crew, _ *crewman) {
			for i := range c.queue {
				c.do(i)
			}
		}},
		{name: waitsContext, wait: func(c *crew, _ *crewman) {
			c.serve(c.ctx.Done(), func() <-chan time.Time { return nil }, func() {})
		}},
		{name: waitsTimer, wait: func(c *crew, _ *crewman) {
			timer := time.NewTimer(c.idle)
			defer timer.Stop()
			c.serve(c.ctx.Done(), func() <-chan time.Time { return timer.C }, func() { timer.Reset(c.idle) })
		}},
		{name: waitsAfter, wait: func(c *crew, _ *crewman) {
			c.serve(c.ctx.Done(), func() <-chan time.Time { return time.After(c.idle) }, func() {})
		}},
		{name: waitsLooked, looked: true, wait: func(c *crew, w *crewman) {
			c.serve(w.end, func() <-chan time.Time { return nil }, func() { w.worked.Store(true) })
		}},
	}
}

// A crew is a pool of workers that are started when none is free.
type crew struct {
	ctx   context.Context
	limit int // workers that may be there at once
	queue chan int
	ended chan struct{} // one worker has ended by itself; it has room for all
	idle  time.Duration
	do    func(i int)
	form  idleForm

	wg sync.WaitGroup
	mu sync.Mutex
	// those that are there; guarded by mu
	men map[*crewman]struct{}
}

// A crewman is a worker of a crew.
type crewman struct {
	worked atomic.Bool   // since somebody last looked
	end    chan struct{} // closed by who looks after all
}

// serve does tasks until the queue or end is closed, or over, which is asked before each, has fired. After each task it
// calls worked.
func (c *crew) serve(end <-chan struct{}, over func() <-chan time.Time, worked func()) {
	for {
		select {
		case i, ok := <-c.queue:
			if !ok {
				return
			}
			c.do(i)
			worked()
		case <-end:
			return
		case <-over():
			return
		}
	}
}

// give hands a task to a worker that is free, or starts one; when there are as many as may be it waits.
func (c *crew) give(i int) {
	select {
	case c.queue <- i:
		return
	default:
	}
	for !c.start(i) {
		select {
		case c.queue <- i:
			return
		case <-c.ended:
		}
	}
}

// start starts a worker with its first task; not if there are as many as may be.
func (c *crew) start(i int) bool {
	c.mu.Lock()
	if len(c.men) >= c.limit {
		c.mu.Unlock()
		return false
	}
	w := &crewman{end: make(chan struct{})}
	w.worked.Store(true)
	c.men[w] = struct{}{}
	c.mu.Unlock()
	c.wg.Go(func() {
		c.do(i)
		c.form.wait(c, w)
		c.mu.Lock()
		delete(c.men, w)
		c.mu.Unlock()
		select {
		case c.ended <- struct{}{}:
		default: // there is room for all who may be there: nobody waits for more
		}
	})
	return true
}

// lookAfter ends workers that did nothing between two looks, until ctx ends.
func (c *crew) lookAfter(ctx context.Context) {
	tick := time.NewTicker(c.idle)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		c.mu.Lock()
		for w := range c.men {
			if !w.worked.Swap(false) {
				close(w.end)
				delete(c.men, w)
			}
		}
		c.mu.Unlock()
	}
}

// run gives n tasks to a crew, and waits for all of them.
func (f idleForm) run(n int) (uint64, error) {
	var sum atomic.Uint64
	c := crew{form: f, limit: idleLimit, idle: idleFor, do: func(i int) { sum.Add(task(i)) }}
	c.with(context.Background(), func() {
		for i := range n {
			c.give(i)
		}
	})
	return sum.Load(), nil
}

// leftAfter is how many of so many workers are there after a rest of ten times the time without work that ends them.
func (f idleForm) leftAfter(ctx context.Context, workers int, idle time.Duration) (left int, _ error) {
	began, all := make(chan struct{}, workers), make(chan struct{})
	c := crew{form: f, limit: workers, idle: idle, do: func(int) {
		began <- struct{}{}
		<-all
	}}
	c.with(ctx, func() {
		for i := range workers {
			c.give(i)
		}
		for range workers {
			<-began
		}
		close(all)
		select {
		case <-ctx.Done():
		case <-time.After(10 * idle):
		}
		c.mu.Lock()
		left = len(c.men)
		c.mu.Unlock()
	})
	return left, ctx.Err()
}

// with lets use give tasks to the crew, and ends it.
func (c *crew) with(ctx context.Context, use func()) {
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx)) // workers end when the tasks do
	defer stop()
	c.ctx, c.queue, c.ended = ctx, make(chan int), make(chan struct{}, c.limit)
	c.men = make(map[*crewman]struct{})
	var looks sync.WaitGroup
	if c.form.looked {
		looks.Go(func() { c.lookAfter(ctx) })
	}
	use()
	close(c.queue)
	c.wg.Wait()
	stop()
	looks.Wait()
}
