package trace

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gocasebook/casebook/diagnose/traces"
)

// TestPlantedConvoy: after one long hold a lock goes from hand to hand through its queue, and through those of a
// goroutine that takes it again and again. All have waited for the one.
func TestPlantedConvoy(t *testing.T) { onceOf(t, convoyIsKnown) }

func convoyIsKnown(t testing.TB) {
	const waiters, hold = 8, 100 * time.Millisecond
	s := record(t, func() {
		var mu sync.Mutex
		var all sync.WaitGroup
		all.Go(func() { plantedHolder(&mu, hold) })
		time.Sleep(10 * time.Millisecond)
		for range waiters {
			all.Go(func() { plantedWaiter(&mu) })
		}
		all.Go(func() { plantedAgain(&mu) })
		all.Wait()
	})
	for _, w := range s.Blocking {
		if !has(w.Stack, ".plantedWaiter") {
			continue
		}
		if len(w.Holders) == 0 || !has(w.Holders[0].Stack, ".plantedHolder") {
			t.Errorf("held by %v: want plantedHolder first", w.Holders)
			return
		}
		var parts time.Duration
		for _, h := range w.Holders {
			parts += h.Waited
		}
		if parts > w.Times.Total {
			t.Errorf("the parts of the waits are %v, and these %v", parts, w.Times.Total)
		}
		if h := w.Holders[0]; h.Waited < w.Times.Total*8/10 || h.Longest > w.Times.Max {
			t.Errorf("%v of %v, the longest %v, were for plantedHolder: want most", h.Waited, w.Times.Total, h.Longest)
		}
		return
	}
	t.Errorf("no wait in plantedWaiter: %v", s.Blocking)
}

//go:noinline
func plantedAgain(mu *sync.Mutex) (n int) {
	for range 20 {
		mu.Lock()
		n++
		mu.Unlock()
	}
	return n
}

//go:noinline
func plantedPlace(places chan struct{}, d time.Duration) {
	places <- struct{}{}
	time.Sleep(d)
	<-places
}

// TestPlantedPool: those who give a place back have waited for one, and kept it for as long as they slept.
func TestPlantedPool(t *testing.T) {
	const users, rounds, keep = 8, 6, 5 * time.Millisecond
	s := record(t, func() {
		places := make(chan struct{}, 2)
		var all sync.WaitGroup
		for range users {
			all.Go(func() {
				for range rounds {
					plantedPlace(places, keep)
				}
			})
		}
		all.Wait()
	})
	by := wakersAt(s, ".plantedPlace")
	if 2*by.Queued < by.Count || by.Count < users*rounds/2 {
		t.Errorf("%d of %d who gave a place back had waited: want most, and %d or more", by.Queued, by.Count,
			users*rounds/2)
	}
	if want := time.Duration(by.Queued) * keep; by.Kept.Sleep < want || by.Kept.Sum() < by.Kept.Sleep {
		t.Errorf("they kept it for %v, and slept for %v of that: want %v or more", by.Kept.Sum(), by.Kept.Sleep, want)
	}
}

// TestPlantedPoolOfManySteps: a place that is kept for a hundred steps is kept all that time; and one that is taken
// before a go statement may be given back by what that starts.
func TestPlantedPoolOfManySteps(t *testing.T) {
	const users, steps, keep = 12, 100, 100 * time.Microsecond
	inOne := func(places chan struct{}) {
		places <- struct{}{}
		for range steps {
			time.Sleep(keep)
		}
		<-places
	}
	inTwo := func(places chan struct{}) {
		places <- struct{}{}
		var all sync.WaitGroup
		all.Go(func() {
			for range steps {
				time.Sleep(keep)
			}
			<-places
		})
		all.Wait()
	}
	for name, use := range map[string]func(chan struct{}){"one goroutine": inOne, "two": inTwo} {
		t.Run(name, func(t *testing.T) {
			s := record(t, func() {
				places := make(chan struct{}, 2)
				var all sync.WaitGroup
				for range users {
					all.Go(func() { use(places) })
				}
				all.Wait()
			})
			by := wakersAt(s, ".TestPlantedPoolOfManySteps")
			if by.Queued < users/2 || by.Queued > by.Count { // the first two did not wait
				t.Fatalf("%d of %d who gave a place back had waited: want most of %d", by.Queued, by.Count, users-2)
			}
			if want := time.Duration(by.Queued) * steps * keep; by.Kept.Sleep < want {
				t.Errorf("they slept for %v with it: want %v or more", by.Kept.Sleep, want)
			}
		})
	}
}

// TestPlantedNews: who wakes those that wait for news has not waited there.
func TestPlantedNews(t *testing.T) {
	s := record(t, func() {
		news := make(chan time.Time)
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				for range 10 {
					plantedReader(news)
				}
			})
		}
		for range 40 {
			time.Sleep(time.Millisecond)
			news <- time.Now()
		}
		all.Wait()
	})
	if by := wakersAt(s, ".plantedReader"); by.Count < 10 || by.Queued > 0 {
		t.Errorf("%d of the %d wakers had waited, want none", by.Queued, by.Count)
	}
}

//go:noinline
func plantedReader(news chan time.Time) time.Time { return <-news }

// wakersAt adds up who ended waits in a function.
func wakersAt(s *traces.Summary, function string) (sum traces.Waker) {
	for _, w := range s.Blocking {
		if w.Reason != "channel" || len(w.Stack) < 2 || !strings.Contains(w.Stack[1].Function, function) {
			continue
		}
		for _, by := range w.Wakers {
			sum.Count += by.Count
			sum.Queued += by.Queued
			sum.Kept = sum.Kept.Plus(by.Kept)
		}
	}
	return sum
}
