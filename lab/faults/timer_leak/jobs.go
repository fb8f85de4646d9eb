// Package timer_leak runs jobs with a deadline of an hour each.
//
// The fault: the contexts are not cancelled when a job is done.
package timer_leak

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/gocasebook/casebook/lab/faults"
)

// Jobs belong to a context that lives as long as the service.
type Jobs struct {
	ctx     context.Context
	number  int
	cancels bool
}

// run does a job, which is over at once.
func (j *Jobs) run(n int) int {
	ctx, cancel := context.WithTimeout(j.ctx, time.Hour)
	defer j.end(cancel)
	if ctx.Err() != nil {
		return 0
	}
	return n
}

// end ends a job's context, or forgets to.
func (j *Jobs) end(cancel context.CancelFunc) {
	if j.cancels {
		cancel()
	}
}

// ServeHTTP runs a batch of jobs.
func (j *Jobs) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	sum := 0
	for n := range j.number {
		sum += j.run(n)
	}
	fmt.Fprint(w, sum)
}

func service(number int, cancels bool) faults.Service {
	ctx, cancel := context.WithCancel(context.Background())
	j := &Jobs{ctx: ctx, number: number, cancels: cancels}
	end := func(until context.Context) {
		<-until.Done()
		cancel()
	}
	return faults.Service{Handler: j, Background: end, Load: []faults.Call{{Path: "/batch", PerSecond: 100}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "timer-leak", Text: "10,000 contexts a second with a deadline of an hour are never cancelled",
		Culprit:  "timer_leak.(*Jobs).run",
		Faulty:   func() faults.Service { return service(100, false) },
		Repaired: func() faults.Service { return service(100, true) },
		Limit:    func() faults.Service { return service(9, false) },
		Twice:    20 * time.Second,
	}
}
