package holmes

import (
	"context"
	"runtime"
	"runtime/pprof"
	"time"

	"github.com/gocasebook/casebook/internal/own"
)

// goThreads is the number of threads of the Go runtime. Threads that C code started are not among them, and cannot be
// ended from here.
func goThreads() int { return pprof.Lookup("threadcreate").Count() }

// How long after too many threads were seen they are looked at again: a hundred delays, as in holmes.
const (
	leastShrinkPause = time.Hour
	mostShrinkPause  = 24 * time.Hour
)

// lookAtThreads has threads ended after the delay, when there are too many.
func (r *run) lookAtThreads(ctx context.Context, now time.Time, o ShrinkThrOptions) {
	if now.Before(r.seen.shrink) {
		return
	}
	n := goThreads()
	if n <= o.Threshold {
		return
	}
	pause := mostShrinkPause
	if o.Delay < mostShrinkPause/100 {
		pause = max(100*o.Delay, leastShrinkPause)
	}
	r.seen.shrink = now.Add(pause)
	r.h.Alertf(kindTexts[thread].alert,
		"current thread number(%v) larger than threshold(%v), will start to shrink thread after %v", n, o.Threshold,
		o.Delay)
	own.In(&r.work, func() {
		if sleep(ctx, o.Delay) {
			r.shrinkThreads(ctx)
		}
	})
}

func (r *run) shrinkThreads(ctx context.Context) {
	o := r.h.options().shrink
	if !o.Enable {
		return
	}
	before := goThreads()
	if before <= o.Threshold {
		return
	}
	r.h.Infof("[holmes] start to shrink %v threads, now: %v", before-o.Threshold, before)
	ended := shrink(ctx, o.Threshold, goThreads, endThread)
	r.h.Infof("[holmes] finished shrinking: %v threads ended, %v before, %v now", ended, before, goThreads())
}

// shrinkStep is the time between the ends of two threads.
const shrinkStep = 100 * time.Millisecond

// shrink ends threads one by one until there are no more than threshold, but never more than there were too many at the
// start: busy threads are replaced, and that race would have no end. It returns how many it ended.
func shrink(ctx context.Context, threshold int, count func() int, end func()) int {
	most := count() - threshold
	for n := range most {
		if count() <= threshold || !sleep(ctx, shrinkStep) {
			return n
		}
		end()
	}
	return max(most, 0)
}

// endThread ends one thread: the runtime ends the thread of a goroutine that returns while locked to it.
func endThread() {
	done := make(chan struct{})
	own.Go(func() {
		defer close(done)
		runtime.LockOSThread()
	})
	<-done
}
