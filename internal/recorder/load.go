package recorder

import (
	"context"
	"fmt"
	"math"
	"runtime/metrics"
	"strings"
	"time"

	"github.com/gocasebook/casebook/internal/cputime"
	"github.com/gocasebook/casebook/internal/number"
)

// A load is how much a process does of what an execution trace records, a second. What cannot be read is NaN.
type load struct {
	switches   float64 // goroutines that began to run
	created    float64 // goroutines
	syscalls   float64 // reads and writes
	cgo        float64 // calls from Go to C
	allocated  float64 // bytes
	goroutines float64 // not a rate: all of them are written once a second
	procs      float64 // not a rate: GOMAXPROCS
	used       float64 // CPU seconds, user and system
}

// trackingPeriod is the runtime's gTrackingPeriod: /sched/latencies counts one in 8 of the times that a goroutine
// begins to run (runtime/runtime2.go, unchanged from Go 1.17 to 1.26).
const trackingPeriod = 8

// The runtime's metrics that are read, in the order of loadReader.samples.
const (
	mLatencies = iota
	mCreated
	mCgo
	mAllocated
	mGoroutines
	mProcs
	numMetrics
)

var metricNames = [numMetrics]string{
	mLatencies:  "/sched/latencies:seconds",
	mCreated:    "/sched/goroutines-created:goroutines", // since Go 1.26
	mCgo:        "/cgo/go-to-c-calls:calls",
	mAllocated:  "/gc/heap/allocs:bytes",
	mGoroutines: "/sched/goroutines:goroutines",
	mProcs:      "/sched/gomaxprocs:threads",
}

// A loadReader reads the load of this process. It allocates nothing after the first time.
type loadReader struct {
	samples [numMetrics]metrics.Sample
	io      ioCounter
	last    load // counts since the start of the process
	at      time.Time
}

func newLoadReader() *loadReader {
	r := &loadReader{io: newIOCounter()}
	for i, name := range metricNames {
		r.samples[i].Name = name
	}
	return r
}

// close releases what the reader holds open.
func (r *loadReader) close() { r.io.close() }

// read gives the load between now and the call before. It is not ok the first time, and when no time has passed.
func (r *loadReader) read(now time.Time) (l load, ok bool) {
	count := r.counts()
	dt := now.Sub(r.at).Seconds()
	ok = !r.at.IsZero() && dt > 0
	l = load{
		switches:   (count.switches - r.last.switches) / dt,
		created:    (count.created - r.last.created) / dt,
		syscalls:   (count.syscalls - r.last.syscalls) / dt,
		cgo:        (count.cgo - r.last.cgo) / dt,
		allocated:  (count.allocated - r.last.allocated) / dt,
		goroutines: count.goroutines,
		procs:      count.procs,
		used:       (count.used - r.last.used) / dt,
	}
	if ok || r.at.IsZero() {
		r.last, r.at = count, now
	}
	return l, ok
}

func (r *loadReader) counts() load {
	metrics.Read(r.samples[:])
	return load{
		switches:   trackingPeriod * r.number(mLatencies),
		created:    r.number(mCreated),
		syscalls:   r.io.count(),
		cgo:        r.number(mCgo),
		allocated:  r.number(mAllocated),
		goroutines: r.number(mGoroutines),
		procs:      max(r.number(mProcs), 1),
		used:       cpuSeconds(),
	}
}

// cpuSeconds is what this process has used, or NaN where nobody tells.
func cpuSeconds() float64 {
	used, ok := cputime.Process()
	if !ok {
		return math.NaN()
	}
	return used.Seconds()
}

// number is a metric's value, the count of all in a histogram, or NaN for one that this Go version does not have.
func (r *loadReader) number(i int) float64 {
	v := r.samples[i].Value
	switch v.Kind() {
	case metrics.KindUint64:
		return float64(v.Uint64())
	case metrics.KindFloat64Histogram:
		var n uint64
		for _, c := range v.Float64Histogram().Counts {
			n += c
		}
		return float64(n)
	}
	return math.NaN()
}

// Waits between tries when a window cannot be taken: doubled from the first to the last. Somebody who waits for a
// profile is worth a try a second.
const (
	firstWait = time.Second
	lastWait  = 30 * time.Second
)

// tooShort is the least that counts as a window: at 100 Hz it holds 2 samples of each busy core.
const tooShort = 20 * time.Millisecond

// pause waits before the next try, and less if somebody asks for a profile.
func (c *CPU) pause(ctx context.Context, l *runState) {
	l.wait = min(max(2*l.wait, firstWait), lastWait)
	d := l.wait
	c.mu.Lock()
	if len(c.spans) > 0 {
		d = firstWait
	}
	c.mu.Unlock()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	case <-c.wake:
	}
}

// An absence is a stretch of time in which no window could be taken.
type absence struct {
	since time.Time
	why   string
}

func (a *absence) add(at time.Time, err error) {
	if a.since.IsZero() {
		a.since = at
	}
	a.why = err.Error()
	if inUse(err) {
		a.why = "somebody else holds the CPU profiler"
	}
}

// until says what is missing before a window that began at t.
func (a *absence) until(t time.Time) string {
	if a.since.IsZero() {
		return ""
	}
	why := strings.Replace(a.why, "somebody else holds", "somebody else held", 1)
	return fmt.Sprintf("nothing was recorded for %s before this: %s", number.Duration(t.Sub(a.since)), why)
}

func joinNotes(notes ...string) string {
	var all []string
	for _, n := range notes {
		if n != "" {
			all = append(all, n)
		}
	}
	return strings.Join(all, "; ")
}
