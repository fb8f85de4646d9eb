package reporter

import (
	"context"
	"log/slog"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func exitGoroutine() { runtime.Goexit() }

// A logger whose handler panics must not end the process from one of our goroutines.
func TestLoggerThatPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls []time.Duration
		q := mustQueue(t, QueueOptions{Logger: slog.New(badHandler{slog.DiscardHandler})}, script(&calls, errTest))
		stop := running(q)
		q.Put(named(1))
		time.Sleep(time.Minute)
		if err := stop(); err != nil {
			t.Error(err)
		}
		wantCounts(t, q.Status()[0], counts{sent: 1, retried: 1})
	})
}

type badHandler struct{ slog.Handler }

func (badHandler) Enabled(context.Context, slog.Level) bool  { return true }
func (badHandler) Handle(context.Context, slog.Record) error { panic("handler") }

// Put, Status and Run from many goroutines at once: everything that was put is exactly one of sent, dropped or pending.
func TestConcurrentUse(t *testing.T) {
	q := mustQueue(t, QueueOptions{Size: 3}, script(new([]time.Duration)))
	stop := running(q)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for i := range 50 {
				q.Put(named(i))
				q.Status()
			}
		})
	}
	all.Wait()
	if err := stop(); err != nil {
		t.Error(err)
	}
	if s := q.Status()[0]; s.Sent+s.Dropped != 400 || s.Pending != 0 {
		t.Errorf("sent %d and dropped %d of 400, %d pending", s.Sent, s.Dropped, s.Pending)
	}
}
