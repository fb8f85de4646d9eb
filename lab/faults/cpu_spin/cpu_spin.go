// Package cpu_spin hands questions to one calculator and waits for its answers.
//
// The fault: who waits asks again and again whether the answer is there.
package cpu_spin

import (
	"context"
	"io"
	"net/http"
	"runtime"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/gocasebook/casebook/lab/faults"
)

// A Calculator answers one question at a time, some time after it was asked.
type Calculator struct {
	questions chan *question
	await     func(q *question)
	takes     time.Duration
}

type question struct {
	answer atomic.Int64
	done   chan struct{}
}

// Run answers until ctx ends.
func (c *Calculator) Run(ctx context.Context) {
	for {
		select {
		case q := <-c.questions:
			time.Sleep(c.takes) // it asks another machine
			q.answer.Store(42)
			close(q.done)
		case <-ctx.Done():
			return
		}
	}
}

// ServeHTTP asks and waits.
func (c *Calculator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := &question{done: make(chan struct{})}
	select {
	case c.questions <- q:
	case <-r.Context().Done():
		return
	}
	c.await(q)
	io.WriteString(w, strconv.FormatInt(q.answer.Load(), 10))
}

// asks is how often spin asks before it lets others run.
const asks = 500

func spin(q *question) {
	for i := 1; q.answer.Load() == 0; i++ {
		if i%asks == 0 {
			runtime.Gosched()
		}
	}
}

func wait(q *question) { <-q.done }

func service(await func(*question), takes time.Duration, perSecond float64) faults.Service {
	c := &Calculator{questions: make(chan *question), await: await, takes: takes}
	return faults.Service{Handler: c, Background: c.Run, Load: []faults.Call{{Path: "/answer", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "cpu-spin", Text: "who waits for an answer asks again and again whether it is there",
		Culprit:  "cpu_spin.spin",
		Faulty:   func() faults.Service { return service(spin, 5*time.Millisecond, 100) },
		Repaired: func() faults.Service { return service(wait, 5*time.Millisecond, 100) },
		Limit:    func() faults.Service { return service(spin, 2*time.Millisecond, 32) },
	}
}
