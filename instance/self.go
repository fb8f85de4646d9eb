package instance

import (
	"context"
	"os"
	"path"
	"runtime/debug"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/own"
	"github.com/gocasebook/casebook/vitals"
)

// Self is the calling process, read through the runtime's own APIs. It is not safe for concurrent use, except that
// Capture, Census, Facts and Absent may run concurrently with Sample.
type Self struct {
	// PrometheusURL is the page of metrics that is kept as evidence of the kind casefile.Prometheus; "" for none. Set
	// it before the first capture.
	PrometheusURL string
	// TraceBytes is when an execution trace is ended, however few seconds it spans; 0 means DefaultTraceBytes. At most
	// as much again is kept of what the runtime writes until it has stopped. Set it before the first capture.
	TraceBytes int

	proc   *process // nil where there is no /proc
	rt     runtimeReader
	gc     gcBound
	known  latest
	absent reasons
}

// NewSelf returns the calling process as a target.
func NewSelf() *Self {
	s := &Self{}
	s.absent.set("no handler is wrapped in package middleware", requestSignals[:]...)
	p, err := newProcess(os.Getpid())
	if err != nil {
		s.absent.set(err.Error(), procSignals[:]...)
	}
	s.proc, s.rt = p, newRuntimeReader(&s.absent)
	return s
}

// Absent says which signals this process does not give, and why, by signal name.
func (t *Self) Absent() map[string]string { return t.absent.all() }

// InProcess is always true: Self is the process that Casebook runs in, so that CPU profile windows, the flight recorder
// and the black box can work inside it. A target that embeds Self can have one that is false, and does without these.
func (t *Self) InProcess() bool { return true }

// Restarted is always false: with the process, Self ends too.
func (t *Self) Restarted() bool { return false }

// Describe says which process this is.
func (t *Self) Describe(context.Context) (casefile.Target, error) {
	d := casefile.Target{Name: path.Base(os.Args[0]), PID: os.Getpid(), Resource: casefile.ParseResource(
		os.Getenv("OTEL_RESOURCE_ATTRIBUTES"), os.Getenv("OTEL_SERVICE_NAME"))}
	if t.proc != nil {
		t.proc.describe(&d)
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		describeBuild(&d, info)
	}
	return d, nil
}

// Sample reads every signal without stopping the world. On Linux it allocates nothing after the first time.
func (t *Self) Sample(_ context.Context, s *vitals.Sample) error {
	if t.proc != nil {
		if err := t.proc.sample(s, s.Time, &t.absent); err != nil {
			t.absent.set(err.Error(), procSignals[:]...)
		}
	}
	t.rt.sample(s, &t.absent)
	t.gc.apply(s)
	if _, ok := s.Get(vitals.Goroutines); ok {
		s.Set(vitals.Goroutines, float64(own.Others()))
	}
	t.absent.set("the process watches itself; there is no one to wait for", vitals.ProbeTime, vitals.Unanswered)
	if rss, ok := s.Get(vitals.RSS); ok {
		s.Set(vitals.OffHeap, max(rss-s.Values[vitals.GoMemory], 0))
		if anon, ok := s.Get(vitals.RSSAnon); ok {
			s.Set(vitals.OffHeapAnon, max(anon-s.Values[vitals.GoMemory], 0))
		}
	}
	t.known.keep(s)
	t.absent.settle(s)
	return nil
}
