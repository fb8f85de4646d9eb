// Package evidence_short makes a report of all sales every eight seconds, beside its requests.
//
// The fault is the capture's: a profile of two seconds. It holds the report or it does not, by chance.
package evidence_short

import (
	"context"
	"slices"
	"time"

	"github.com/gocasebook/casebook/lab/faults"
)

const (
	every = 8 * time.Second
	sales = 600_000
)

// report sorts the sales of the day, which takes a fraction of a second.
func report(day int) (median int) {
	all := make([]int, sales)
	for i := range all {
		all[i] = (i + day) * 7919 % 1_000_003
	}
	slices.Sort(all)
	return all[len(all)/2]
}

func reports(ctx context.Context) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for day := 0; ; day++ {
		report(day)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func service(window time.Duration) faults.Service {
	return faults.Service{Background: reports, Capture: faults.Capture{CPU: window}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "evidence-short", Text: "a service with a report every 8 s, profiled for 2 s",
		Faulty:   func() faults.Service { return service(2 * time.Second) },
		Repaired: func() faults.Service { return service(12 * time.Second) },
		Limit:    func() faults.Service { return service(5 * time.Second) },
	}
}
