package trace

import (
	"time"

	"github.com/gocasebook/casebook/diagnose/traces"
)

// A bucket is what a goroutine spends its time on.
type bucket uint8

const (
	unknown bucket = iota // before the first event, or where the trace has a gap
	running
	assisting // running, for the collector
	runnable
	syscalling
	network
	lock
	channel
	selecting
	sleeping
	gcWait
	other
	buckets
)

func (b bucket) String() string {
	return [buckets]string{"unknown", "running", "assist", "runnable", "syscall", "network", "lock", "channel",
		"select", "sleep", "GC", "other"}[b]
}

// onP reports whether a goroutine in this state has a P to itself.
func (b bucket) onP() bool { return b == running || b == assisting }

// waits reports whether it waits for something other than a P or the kernel.
func (b bucket) waits() bool { return b >= network }

// reasons are the runtime's words for why a goroutine blocks (traceBlockReasonStrings, runtime/traceruntime.go of Go
// 1.22 to 1.27).
func reasonBucket(reason string) bucket {
	switch reason {
	case "network":
		return network
	case "sync", "sync.(*Cond).Wait":
		return lock
	case "chan send", "chan receive":
		return channel
	case "select":
		return selecting
	case "sleep":
		return sleeping
	case "GC mark assist wait for work", "wait until GC ends", "GC weak to strong wait":
		return gcWait
	}
	return other
}

// spent is nanoseconds by bucket.
type spent [buckets]int64

func (s *spent) minus(t *spent) (d spent) {
	for i := range s {
		d[i] = s[i] - t[i]
	}
	return d
}

func (s *spent) plus(t *spent) {
	for i := range s {
		s[i] += t[i]
	}
}

func (s *spent) plain() traces.Spent {
	of := func(b bucket) time.Duration { return time.Duration(s[b]) }
	return traces.Spent{Running: of(running), Assist: of(assisting), Runnable: of(runnable), Syscall: of(syscalling),
		Network: of(network), Lock: of(lock), Channel: of(channel), Select: of(selecting), Sleep: of(sleeping),
		GCWait: of(gcWait), Other: of(other)}
}
