package recorder

import "math"

// A price is what an event adds to an execution trace, or a state each second: CPU seconds, and bytes of the ring.
type price struct{ cpu, bytes float64 }

// busyCores is what a process uses in a busy second. Below it the cost is held against busyCores, so that an idle
// process, which uses 2 ms a second, may have a recorder, which takes 1.4 ms: at most 5 ms a second at 1 %, less than
// the 1 % of a core that Casebook may take while nothing happens.
const busyCores = 0.5

// An estimate is what a flight recorder costs under a load.
type estimate struct {
	cpu   float64 // CPU seconds a second
	bytes float64 // a second
	used  float64 // by the process, CPU seconds a second; 0 when unknown
	procs float64 // GOMAXPROCS
}

// share is the cost as a share of the CPU that the process uses. Time in which it uses none changes neither: the
// share of a service that is busy for a tenth of the time is that of its busy time.
func (e estimate) share() float64 { return e.cpu / max(e.used, busyCores) }

func (e estimate) busy() bool { return e.used >= busyCores }

// estimated is the cost of a flight recorder under l. What l does not know counts as nothing.
//
// The prices come from `go test -run '^$' -bench TraceCost -benchtime 6x ./internal/recorder`, which runs each load
// with and without a flight recorder in turns and prints the estimate next to the measurement: Go 1.26.8, linux/amd64,
// 2 cores of a virtual machine, November 2026. Four runs, on a machine that others used too, gave 1.6 to 2.9 µs for an
// HTTP handler that says hello (estimated 2.4), 2.2 to 4.4 µs for one of JSON (2.7), 0.13 to 0.34 ms for 1,000 timers
// (0.35), 0.9 to 1 ms in 0.1 s for 20,000 parked goroutines (0.9). For bare loops of channel operations, goroutines and
// reads, which have shallow stacks and never leave their core, it is a fifth to a whole too high. The bytes are right
// to 15 % from 1 MB/s on. A faster machine costs less than is estimated: the side to err on.
func (l load) estimated() estimate {
	created := known(l.created)
	// The runtime leaves a goroutine that ends while it is tracked marked as such, so that the next goroutine in its
	// place is counted twice as often: a creation is two switches in /sched/latencies.
	switches := max(known(l.switches)-created, 0)
	var sum price
	for _, e := range [...]struct {
		count float64
		each  price
	}{
		{switches, price{300e-9, 21}},              // blocked, unblocked, running again: three events, two stacks
		{created, price{100e-9, 0}},                // and its end; its first run is counted as a switch
		{known(l.syscalls), price{220e-9, 8}},      //
		{known(l.cgo), price{220e-9, 8}},           // not measured: to the runtime it is a system call
		{known(l.allocated), price{20e-12, 0.001}}, // a byte: spans taken from the heap are events
		{known(l.goroutines), price{0.4e-6, 22}},   // a second: each part of a trace lists them all, with their stacks
		{1, price{1.4e-3, 60_000}},                 // a second: the reader, and the world being told of a new part
	} {
		sum.cpu += e.count * e.each.cpu
		sum.bytes += e.count * e.each.bytes
	}
	return estimate{cpu: sum.cpu, bytes: sum.bytes, used: known(l.used), procs: max(known(l.procs), 1)}
}

// known is x, or 0 if it is unknown or cannot be: a counter that ran backwards.
func known(x float64) float64 {
	if math.IsNaN(x) || x < 0 {
		return 0
	}
	return x
}
