package target

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"runtime/debug"
	"runtime/pprof"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// Self is the calling process, read through the runtime's own APIs. It is not safe for concurrent use, except that
// Capture and Absent may run beside Sample.
type Self struct {
	proc   *process // nil where there is no /proc
	rt     runtimeReader
	absent reasons
}

// NewSelf returns the calling process as a target.
func NewSelf() *Self {
	s := &Self{}
	p, err := newProcess(os.Getpid())
	if err != nil {
		s.absent.set(err.Error(), procSignals[:]...)
	}
	s.proc, s.rt = p, newRuntimeReader(&s.absent)
	return s
}

// Absent says which signals this process does not give, and why, by signal name.
func (t *Self) Absent() map[string]string { return t.absent.all() }

// Restarted is always false: with the process, Self ends too.
func (t *Self) Restarted() bool { return false }

// Describe says which process this is.
func (t *Self) Describe(context.Context) (casefile.Target, error) {
	d := casefile.Target{Name: path.Base(os.Args[0]), PID: os.Getpid()}
	if t.proc != nil {
		t.proc.describe(&d)
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		d.Build = build(info)
		if n := buildName(info); n != "" {
			d.Name = n
		}
	}
	return d, nil
}

// Sample reads every signal without stopping the world. On Linux it allocates nothing after the first time.
func (t *Self) Sample(_ context.Context, s *vitals.Sample) error {
	if t.proc != nil {
		if err := t.proc.sample(s, &t.absent); err != nil {
			t.absent.set(err.Error(), procSignals[:]...)
		}
	}
	t.rt.sample(s, &t.absent)
	t.absent.set("the process watches itself; there is no one to wait for", vitals.ProbeTime)
	if rss, ok := s.Get(vitals.RSS); ok {
		s.Set(vitals.OffHeap, max(rss-s.Values[vitals.GoMemory], 0))
	}
	t.absent.settle(s)
	return nil
}

// Capture takes one artefact, as HTTP.Capture does.
func (t *Self) Capture(ctx context.Context, kind string, d time.Duration) (Profile, error) {
	p := Profile{Kind: kind, Taken: time.Now()}
	var b bytes.Buffer
	switch kind {
	case casefile.CPU:
		notes, err := t.cpu(ctx, &b, d)
		if err != nil {
			return p, err
		}
		p.Note, p.Seconds = notes, time.Since(p.Taken).Seconds()
	case casefile.Mutex, casefile.Block:
		// The whole profile since the start: a delta needs profiles subtracted, which costs memory in the service.
		prof := pprof.Lookup(kind)
		if prof.Count() == 0 {
			return p, notArmed(kind)
		}
		if err := prof.WriteTo(&b, 0); err != nil {
			return p, fmt.Errorf("writing the %s profile: %w", kind, err)
		}
	case casefile.Heap, casefile.Allocs, casefile.Goroutine, casefile.ThreadCreate:
		if err := pprof.Lookup(kind).WriteTo(&b, 0); err != nil {
			return p, fmt.Errorf("writing the %s profile: %w", kind, err)
		}
	default:
		return p, fmt.Errorf("unknown kind of evidence %q", kind)
	}
	p.Data, p.Cost = b.Bytes(), time.Since(p.Taken)-time.Duration(p.Seconds*float64(time.Second))
	return p, checkProfile(p.Data)
}

// cpu profiles for d, or until ctx ends if that is sooner: the start of a profile is better than none.
func (t *Self) cpu(ctx context.Context, b *bytes.Buffer, d time.Duration) (note string, err error) {
	for try := 0; ; try++ {
		err = pprof.StartCPUProfile(b)
		if err == nil {
			break
		}
		if !strings.Contains(err.Error(), "already in use") || try == len(busyWaits) {
			return "", fmt.Errorf("starting the CPU profile: %w", err)
		}
		if err := sleep(ctx, busyWaits[try]); err != nil {
			return "", fmt.Errorf("waiting for the CPU profiler, which somebody else holds: %w", err)
		}
		note = fmt.Sprintf("somebody else held the CPU profiler; got it at try %d", try+2)
	}
	defer pprof.StopCPUProfile()
	if err := sleep(ctx, d); errors.Is(err, context.Canceled) {
		note = strings.TrimPrefix(note+"; cut short: the watch was stopped", "; ")
	}
	return note, nil
}
