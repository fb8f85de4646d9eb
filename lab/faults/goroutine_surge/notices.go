// Package goroutine_surge sends notices to subscribers, some of which are away at the first attempt.
//
// The fault: every notice that could not be delivered gets a goroutine that sleeps until the next attempt.
package goroutine_surge

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/gocasebook/casebook/lab/faults"
)

// pause is how long after a failed attempt the next is made.
const pause = 10 * time.Second

// Notices sends them.
type Notices struct {
	failed    int // of a request's notices
	queue     chan notice
	delivered atomic.Int64
}

type notice struct {
	subscriber int
	due        time.Time
}

// ServeHTTP sends a round of notices.
func (n *Notices) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	for subscriber := range n.failed {
		if n.queue == nil {
			go n.later(subscriber)
			continue
		}
		select {
		case n.queue <- notice{subscriber, time.Now().Add(pause)}:
		default:
			http.Error(w, "too many notices wait", http.StatusServiceUnavailable)
			return
		}
	}
	fmt.Fprint(w, n.delivered.Load())
}

// later delivers a notice after a pause.
func (n *Notices) later(subscriber int) {
	time.Sleep(pause)
	n.deliver(subscriber)
}

// work delivers what is due, in the order in which it came, until ctx ends.
func (n *Notices) work(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case next := <-n.queue:
			timer.Reset(time.Until(next.due))
			select {
			case <-ctx.Done():
				return
			case <-timer.C:
			}
			n.deliver(next.subscriber)
		}
	}
}

func (n *Notices) deliver(int) { n.delivered.Add(1) }

func service(failed int, queued bool) faults.Service {
	n := &Notices{failed: failed}
	s := faults.Service{Handler: n, Load: []faults.Call{{Path: "/notify", PerSecond: 50}}}
	if queued {
		n.queue = make(chan notice, 20_000)
		s.Background = n.work
	}
	return s
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "goroutine-surge", Text: "8,000 notices wait for their second attempt in a goroutine each",
		Culprit:  "goroutine_surge.(*Notices).later",
		Faulty:   func() faults.Service { return service(16, false) },
		Repaired: func() faults.Service { return service(16, true) },
		Limit:    func() faults.Service { return service(3, false) },
		Warm:     16 * time.Second, Twice: 20 * time.Second,
	}
}
