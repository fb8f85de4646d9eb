// Package goroutine_busy_poll works off jobs.
//
// The fault: the workers look for jobs again and again.
package goroutine_busy_poll

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/gocasebook/casebook/lab/faults"
)

// Jobs are worked off by some workers.
type Jobs struct {
	queue chan int
	pause time.Duration // between two looks; 0 waits instead of looking
	polls int           // looks before a pause
}

// ServeHTTP adds a job.
func (j *Jobs) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	select {
	case j.queue <- 1:
		io.WriteString(w, "queued")
	default:
		http.Error(w, "busy", http.StatusServiceUnavailable)
	}
}

// Run works until ctx ends.
func (j *Jobs) Run(ctx context.Context) {
	var workers sync.WaitGroup
	for range 2 {
		workers.Go(func() {
			if j.pause == 0 {
				j.wait(ctx)
			} else {
				j.poll(ctx)
			}
		})
	}
	workers.Wait()
}

func (j *Jobs) poll(ctx context.Context) {
	done := 0
	for ctx.Err() == nil {
		for range j.polls {
			select {
			case n := <-j.queue:
				done += n
			default:
			}
		}
		time.Sleep(j.pause)
	}
}

func (j *Jobs) wait(ctx context.Context) {
	for {
		select {
		case <-j.queue:
		case <-ctx.Done():
			return
		}
	}
}

func service(pause time.Duration, polls int) faults.Service {
	j := &Jobs{queue: make(chan int, 1000), pause: pause, polls: polls}
	return faults.Service{Handler: j, Background: j.Run, Load: []faults.Call{{Path: "/job", PerSecond: 300}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "goroutine-busy-poll", Text: "workers look for jobs with select and default, and short pauses",
		Culprit:  "goroutine_busy_poll.(*Jobs).poll",
		Faulty:   func() faults.Service { return service(200*time.Microsecond, 20_000) },
		Repaired: func() faults.Service { return service(0, 0) },
		Limit:    func() faults.Service { return service(5*time.Millisecond, 12_000) },
	}
}
