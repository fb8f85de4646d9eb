package casework_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gocasebook/casebook/app/casework"
)

// starts begins n watches by one pace, each of which is answered after a while, and returns when each began.
func starts(t *testing.T, n int, answer time.Duration) (times []time.Duration) {
	t.Helper()
	pace, began := casework.NewPace(), time.Now()
	var mu sync.Mutex
	var all sync.WaitGroup
	for range n {
		all.Go(func() {
			answered, err := pace.Wait(t.Context())
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			times = append(times, time.Since(began))
			mu.Unlock()
			time.Sleep(answer)
			answered()
			answered() // counts once
		})
	}
	all.Wait()
	return times
}

// Targets that answer at once are started 4 ms apart; of slow ones 32 are waited for at a time; those that hang hold
// the others up for 2 s each 32.
func TestPace(t *testing.T) {
	for _, tc := range []struct{ answer, last time.Duration }{
		{0, 99 * 4 * time.Millisecond},
		{500 * time.Millisecond, 3*500*time.Millisecond + 3*4*time.Millisecond},
		{time.Hour, 3*2*time.Second + 3*4*time.Millisecond},
	} {
		synctest.Test(t, func(t *testing.T) {
			times := starts(t, 100, tc.answer)
			if last := times[99]; last != tc.last {
				t.Errorf("answered after %s: the last of 100 starts after %s; want %s", tc.answer, last, tc.last)
			}
			for i := 1; i < len(times); i++ {
				if times[i]-times[i-1] < 4*time.Millisecond {
					t.Errorf("answered after %s: starts %d and %d are %s apart", tc.answer, i-1, i, times[i]-times[i-1])
				}
			}
		})
	}
}

// Who is not started because the watch ends leaves its turn to others.
func TestPaceEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pace := casework.NewPace()
		ended, end := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for range 200 {
			all.Go(func() {
				if _, err := pace.Wait(ended); err != nil && !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
			})
		}
		time.Sleep(10 * time.Millisecond) // some have started, some wait for their moment, most for a turn
		end()
		all.Wait()
		time.Sleep(2 * time.Second)
		again := time.Now()
		for range 32 { // nobody has to wait for a turn
			if _, err := pace.Wait(t.Context()); err != nil {
				t.Error(err)
			}
		}
		if took := time.Since(again); took > 32*4*time.Millisecond {
			t.Errorf("32 starts take %s: turns were lost", took)
		}
		time.Sleep(2 * time.Second) // until none counts any more
	})
}
