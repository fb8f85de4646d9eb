package instance

import (
	"math"
	"runtime"
	"runtime/pprof"
	"sync/atomic"

	"github.com/gocasebook/casebook/vitals"
)

// Facts are what is known of a process that decides what taking evidence from it costs. What is not known is 0. The
// fields are those of budget.Facts, so that one converts to the other.
type Facts struct {
	Goroutines  int
	Frames      float64 // mean depth of their stacks, as the last Census saw it; Self sees 32 frames at most
	HeapRecords int     // of the memory profile: allocation sites by stack, live or not
	HeapBytes   int64   // of heap objects, live or not yet swept
	HeapObjects int64
	Threads     int
	CPUs        float64 // cores that the process used in the last sample, not those it might
	Outside     bool    // evidence is taken through net/http/pprof
}

// latest are the signals of the last sample that Facts wants, for callers that run concurrently with Sample. Each is
// the bits of a float64.
type latest struct {
	cpu, heapBytes, heapObjects, threads, frames atomic.Uint64
}

// keep notes the signals that s has. What it lacks stays as it was: some signals move only now and then.
func (l *latest) keep(s *vitals.Sample) {
	for _, k := range [...]struct {
		id vitals.ID
		at *atomic.Uint64
	}{{vitals.CPU, &l.cpu}, {vitals.HeapAlloc, &l.heapBytes}, {vitals.HeapObjects, &l.heapObjects},
		{vitals.Threads, &l.threads}} {
		if v, ok := s.Get(k.id); ok {
			k.at.Store(math.Float64bits(v))
		}
	}
}

func (l *latest) facts() Facts {
	return Facts{
		Frames:      math.Float64frombits(l.frames.Load()),
		HeapBytes:   whole(&l.heapBytes),
		HeapObjects: whole(&l.heapObjects),
		Threads:     int(whole(&l.threads)),
		CPUs:        math.Float64frombits(l.cpu.Load()),
	}
}

// whole is a count that a target said, which may be anything.
func whole(bits *atomic.Uint64) int64 {
	v := math.Float64frombits(bits.Load())
	if !(v > 0 && v < math.MaxInt64/2) {
		return 0
	}
	return int64(v)
}

// Facts tells what the next capture's cost depends on. It counts the memory profile's records, about 30 ns each, and
// reads the rest from the last sample.
func (t *Self) Facts() Facts {
	f := t.known.facts()
	f.Goroutines = runtime.NumGoroutine()
	f.HeapRecords = pprof.Lookup("heap").Count()
	return f
}

// Facts says what the next capture's cost depends on, as far as the last sample showed. It asks the target nothing.
func (t *HTTP) Facts() Facts {
	f := t.known.facts()
	f.Outside = true
	if c := t.seen.Load(); c != nil {
		f.Goroutines, f.HeapRecords = (*c)["goroutine"], (*c)["heap"]
	}
	return f
}
