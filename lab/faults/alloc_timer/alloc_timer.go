// Package alloc_timer hands messages to a worker, and gives up when it is busy for too long.
//
// The fault: each hand-over makes a timer with time.After.
package alloc_timer

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/gocasebook/casebook/lab/faults"
)

// A Relay hands messages on in batches.
type Relay struct {
	messages chan int
	batch    int
	send     func(r *Relay)
}

// Run receives until ctx ends.
func (r *Relay) Run(ctx context.Context) {
	for {
		select {
		case <-r.messages:
		case <-ctx.Done():
			return
		}
	}
}

// ServeHTTP relays a batch.
func (r *Relay) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	r.send(r)
	io.WriteString(w, "sent")
}

func (r *Relay) sendAll() {
	for i := range r.batch {
		select {
		case r.messages <- i:
		case <-time.After(time.Second):
			return
		}
	}
}

func (r *Relay) sendTimed() {
	t := time.NewTimer(time.Second)
	defer t.Stop()
	for i := range r.batch {
		select {
		case r.messages <- i:
		case <-t.C:
			return
		}
	}
}

func service(batch int, send func(*Relay), perSecond float64) faults.Service {
	r := &Relay{messages: make(chan int, 1024), batch: batch, send: send}
	return faults.Service{Handler: r, Background: r.Run, Load: []faults.Call{{Path: "/relay", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "alloc-timer", Text: "each message that is handed on makes a timer with time.After",
		Culprit:  "alloc_timer.(*Relay).sendAll",
		Faulty:   func() faults.Service { return service(500, (*Relay).sendAll, 700) },
		Repaired: func() faults.Service { return service(500, (*Relay).sendTimed, 700) },
		Limit:    func() faults.Service { return service(80, (*Relay).sendAll, 700) },
	}
}
