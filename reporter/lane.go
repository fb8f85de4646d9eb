package reporter

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/gocasebook/casebook/internal/own"
)

// A lane is where a reporter's calls run, one at a time. It knows since when one runs, and outlives a Run whose last
// call would not end.
type lane struct {
	mu    sync.Mutex // guards what follows
	began time.Time
	ended <-chan struct{} // closed when the latest call has ended; nil before the first
}

// errAbandoned says that a call continued after it was asked to stop and after the grace period.
var errAbandoned = errors.New("it did not stop when asked to, and was left running")

// A task is what runs in a lane. late is called, once, when do has not ended soon after its timeout.
type task struct {
	do      func(context.Context) error
	timeout time.Duration
	late    func()
}

// call runs a task in a goroutine of its own and waits for its end, whatever that takes, or until abandon is closed. A
// panic, or a task that ends its goroutine (runtime.Goexit), is an error, and final.
func (l *lane) call(ctx context.Context, t task, abandon <-chan struct{}) error {
	result, caller := l.start(ctx, t)
	overdue := time.NewTimer(t.timeout + patience)
	defer overdue.Stop()
	for {
		select {
		case err := <-result:
			return err
		case <-abandon:
			caller.GiveUp()
			return errAbandoned
		case <-overdue.C:
			t.late()
		}
	}
}

func (l *lane) start(ctx context.Context, t task) (<-chan error, *own.Goroutine) {
	ctx, cancel := context.WithTimeout(ctx, t.timeout)
	ended := l.begin()
	result := make(chan error, 1)
	caller := own.Go(func() {
		defer cancel()
		err := final(errors.New("it ended its goroutine instead of returning"))
		defer func() {
			if r := recover(); r != nil {
				err = final(fmt.Errorf("it panicked: %v", r))
			}
			l.end(ended)
			result <- err // holds one: never blocks, even if nobody waits any longer
		}()
		if err = t.do(ctx); err != nil {
			_ = err.Error() // should an owner's error panic when it is asked, then here
		}
	})
	return result, caller
}

func (l *lane) begin() chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	ended := make(chan struct{})
	l.began, l.ended = time.Now(), ended
	return ended
}

func (l *lane) end(ended chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.began = time.Time{}
	close(ended)
}

// since is when the current call began; zero if there is none.
func (l *lane) since() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.began
}

// wait waits until the call that an earlier Run abandoned has ended. It is false when soon came first.
func (l *lane) wait(soon <-chan struct{}) bool {
	l.mu.Lock()
	ended := l.ended
	if l.began.IsZero() {
		l.mu.Unlock()
		return true
	}
	l.mu.Unlock()
	select {
	case <-ended:
		return true
	case <-soon:
		return false
	}
}
