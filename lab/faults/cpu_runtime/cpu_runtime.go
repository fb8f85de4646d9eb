// Package cpu_runtime adds up the lines of bills.
//
// The fault: each line goes through an unbuffered channel to another goroutine, and its answer through one back.
package cpu_runtime

import (
	"context"
	"io"
	"net/http"
	"strconv"

	"github.com/gocasebook/casebook/lab/faults"
)

// An Office has clerks that round amounts.
type Office struct {
	in, out chan int
	lines   int
	checks  int // of an amount: steps of its signature and its seal
	sum     func(o *Office) int
}

// Run rounds until ctx ends.
func (o *Office) Run(ctx context.Context) {
	for {
		select {
		case n := <-o.in:
			o.out <- o.round(n)
		case <-ctx.Done():
			return
		}
	}
}

// round signs and seals an amount, so often as it is told, and rounds it.
func (o *Office) round(cents int) int {
	if signed(cents, o.checks) == 0 || sealed(cents, o.checks) == 0 {
		return 0 // never: their steps make 0 of nothing but 0
	}
	return (cents + 5) / 10 * 10
}

func signed(cents, steps int) uint64 {
	sign := uint64(cents) | 1
	for range steps {
		sign ^= sign << 13
		sign ^= sign >> 7
		sign ^= sign << 17
	}
	return sign
}

func sealed(cents, steps int) uint64 {
	seal := uint64(cents) | 2
	for range steps {
		seal ^= seal >> 12
		seal ^= seal << 25
		seal ^= seal >> 27
	}
	return seal
}

// ServeHTTP answers with the sum of a bill.
func (o *Office) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	io.WriteString(w, strconv.Itoa(o.sum(o)))
}

func (o *Office) pass() (sum int) {
	for i := range o.lines {
		o.in <- i
		sum += <-o.out
	}
	return sum
}

func (o *Office) add() (sum int) {
	for i := range o.lines {
		sum += o.round(i)
	}
	return sum
}

func service(lines, checks int, sum func(*Office) int, perSecond float64) faults.Service {
	o := &Office{in: make(chan int), out: make(chan int), lines: lines, checks: checks, sum: sum}
	return faults.Service{Handler: o, Background: o.Run, Load: []faults.Call{{Path: "/bill", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "cpu-runtime", Text: "each line of a bill is handed to another goroutine and back",
		Culprit:  "cpu_runtime.(*Office).pass",
		Faulty:   func() faults.Service { return service(1500, 0, (*Office).pass, 700) },
		Repaired: func() faults.Service { return service(1500, 0, (*Office).add, 700) },
		Limit:    func() faults.Service { return service(750, 160, (*Office).pass, 500) },
	}
}
