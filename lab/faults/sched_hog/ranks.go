// Package sched_hog ranks sellers anew, all the time, beside the requests.
//
// The fault: each rebuild starts a goroutine a seller, and they take the processors from the requests.
package sched_hog

import (
	"context"
	"math"
	"sync"
	"time"

	"github.com/gocasebook/casebook/lab/faults"
)

// Ranks of sellers, by their sales.
type Ranks struct {
	sales   [][]float64
	workers int           // 0: a goroutine a seller
	pause   time.Duration // between two rebuilds
	ranks   []float64
}

func newRanks(sellers, workers int, pause time.Duration) *Ranks {
	r := &Ranks{workers: workers, pause: pause, ranks: make([]float64, sellers)}
	for i := range sellers {
		sales := make([]float64, 3000)
		for j := range sales {
			sales[j] = float64((i*31 + j*17) % 997)
		}
		r.sales = append(r.sales, sales)
	}
	return r
}

// rebuild ranks all sellers at once.
func (r *Ranks) rebuild() {
	var all sync.WaitGroup
	for i := range r.sales {
		all.Add(1)
		go func() {
			defer all.Done()
			r.rank(i)
		}()
	}
	all.Wait()
}

// rebuildBy ranks them with few workers.
func (r *Ranks) rebuildBy(ctx context.Context) {
	next := make(chan int)
	var all sync.WaitGroup
	for range r.workers {
		all.Go(func() {
			for i := range next {
				r.rank(i)
				time.Sleep(8 * time.Millisecond)
			}
		})
	}
	for i := range r.sales {
		if ctx.Err() == nil {
			next <- i
		}
	}
	close(next)
	all.Wait()
}

// rank is a seller's rank: sales fade with their age.
func (r *Ranks) rank(seller int) {
	sum := 0.0
	for age := range 100 {
		for i, v := range r.sales[seller] {
			sum += v * math.Exp(-float64(i+age)/1000)
		}
	}
	r.ranks[seller] = sum
}

func (r *Ranks) run(ctx context.Context) {
	for ctx.Err() == nil {
		if r.workers == 0 {
			r.rebuild()
		} else {
			r.rebuildBy(ctx)
		}
		select {
		case <-ctx.Done():
		case <-time.After(r.pause):
		}
	}
}

func service(sellers, workers int, pause time.Duration) faults.Service {
	return faults.Service{Background: newRanks(sellers, workers, pause).run}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "sched-hog", Text: "40 goroutines rank sellers beside the requests",
		Culprit:  "sched_hog.(*Ranks).rebuild",
		Faulty:   func() faults.Service { return service(40, 0, 50*time.Millisecond) },
		Repaired: func() faults.Service { return service(40, 1, 50*time.Millisecond) },
		Limit:    func() faults.Service { return service(6, 0, 2*time.Millisecond) },
		Trace:    true,
	}
}
