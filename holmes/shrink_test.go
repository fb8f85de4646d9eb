package holmes

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestShrink(t *testing.T) {
	for _, c := range []struct {
		name                string
		threads, threshold  int
		grow                int // threads that replace each one that ends
		wantEnded, wantLeft int
	}{
		{"down to the threshold", 50, 20, 0, 30, 20},
		{"nothing to do", 20, 20, 0, 0, 20},
		{"below", 5, 20, 0, 0, 5},
		{"threads that come again", 30, 20, 1, 10, 30},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := c.threads
				ended := shrink(t.Context(), c.threshold, func() int { return n }, func() { n += c.grow - 1 })
				if ended != c.wantEnded || n != c.wantLeft {
					t.Errorf("%d of %d threads ended, %d are left; want %d and %d", ended, c.threads, n, c.wantEnded,
						c.wantLeft)
				}
			})
		})
	}
}

// holmes' timer fires after Stop, and ends threads of a process that is no longer watched.
func TestShrinkEndsWithStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		n := 100
		time.AfterFunc(10*shrinkStep+shrinkStep/2, cancel)
		if ended := shrink(ctx, 0, func() int { return n }, func() { n-- }); ended != 10 {
			t.Errorf("%d threads ended in the time of 10", ended)
		}
	})
}

func TestShrinkThread(t *testing.T) {
	if runtime.GOOS == "js" || runtime.GOOS == "wasip1" {
		t.Skip("no threads here")
	}
	crowd(40)
	before := goThreads()
	log := newMemo()
	h := fast(t, WithLogger(log), WithShrinkThread(before-20, 10*time.Millisecond))
	h.EnableShrinkThread().Start()
	log.await(t, "will start to shrink thread")
	log.await(t, "finished shrinking")
	if now := goThreads(); now > before-15 {
		t.Errorf("%d threads of %d are left; want %d", now, before, before-20)
	}
}

// crowd makes the process have at least n threads. Afterwards they are idle.
func crowd(n int) {
	var all sync.WaitGroup
	ready, leave := make(chan struct{}), make(chan struct{})
	for range n {
		all.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			ready <- struct{}{}
			<-leave
		})
	}
	for range n {
		<-ready
	}
	close(leave)
	all.Wait()
}

func TestNextCycle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		cycles := func() float64 { return 7 + float64(time.Since(began)/(3*time.Second)) }
		if !nextCycle(t.Context(), cycles, 7) || time.Since(began) > 3*time.Second+cyclePoll {
			t.Errorf("the end of a GC cycle after 3 s was seen after %s", time.Since(began))
		}
		began = time.Now()
		if !nextCycle(t.Context(), func() float64 { return 7 }, 7) || time.Since(began) != cyclePatience {
			t.Errorf("without any cycle, it was given up after %s, want %s", time.Since(began), cyclePatience)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if nextCycle(ctx, func() float64 { return 7 }, 7) {
			t.Error("a wait that was cancelled says that a cycle has ended")
		}
	})
}
