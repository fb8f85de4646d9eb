package instance

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/pprof"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/own"
	"github.com/gocasebook/casebook/internal/room"
)

// Capture takes one artefact, as HTTP.Capture does. Profile.Pause is the longest stop of the world in the meantime, an
// upper bound: see pauseMeter.
func (t *Self) Capture(ctx context.Context, kind string, d time.Duration) (Profile, error) {
	pauses := newPauseMeter(kind == casefile.GoroutineLeak) // its garbage collection is of the capture's making
	used := usedSince(t.proc)
	p := Profile{Kind: kind, Taken: time.Now()}
	err := t.capture(ctx, &p, d)
	p.Used = used()
	p.Pause = pauses.longest()
	p.Cost = max(time.Since(p.Taken)-time.Duration(p.Seconds*float64(time.Second)), 0)
	if err == nil {
		err = check(kind, p.Data)
	}
	if err != nil {
		p.Data = nil
	}
	return p, err
}

func (t *Self) capture(ctx context.Context, p *Profile, d time.Duration) (err error) {
	switch p.Kind {
	case casefile.CPU:
		return p.profileCPU(ctx, d)
	case casefile.Trace:
		return p.traceExecution(ctx, d, cmp.Or(t.TraceBytes, DefaultTraceBytes))
	case casefile.Mutex, casefile.Block:
		return p.profileWaits(ctx, d, maxDeltaRecords)
	case casefile.Allocs:
		return p.profileGrowth(ctx, d, maxDeltaRecords)
	case casefile.Heap, casefile.Goroutine, casefile.ThreadCreate:
		p.Data, err = snapshot(p.Kind)
	case casefile.GoroutineLeak:
		p.Data, err = leaked(ctx)
	case casefile.GoroutineDump:
		p.Data, err = dumpStacks()
	case casefile.Metrics:
		p.Data, err = allMetrics()
	case casefile.Runtime:
		p.Data, err = t.environment()
	case casefile.Prometheus:
		*p, err = t.capturePrometheus(ctx)
	default:
		err = fmt.Errorf("unknown kind of evidence %q", p.Kind)
	}
	return err
}

// ForceGC collects the garbage of this process, and waits until it has.
func (t *Self) ForceGC(context.Context) error {
	runtime.GC()
	return nil
}

func (t *Self) capturePrometheus(ctx context.Context) (Profile, error) {
	if t.PrometheusURL == "" {
		return Profile{Kind: casefile.Prometheus}, errNoPage
	}
	u, err := pageURL(t.PrometheusURL, nil)
	if err != nil {
		return Profile{Kind: casefile.Prometheus}, err
	}
	socket, _ := splitUnix(u)
	client := newClient(originOf(wire(u)), socket, HTTPOptions{})
	defer client.CloseIdleConnections() // no goroutine of ours stays in the service
	return capturePage(ctx, client, room.NewParty(), casefile.Prometheus, u)
}

// snapshot is one of the runtime's profiles, unchanged.
func snapshot(kind string) ([]byte, error) {
	var b bytes.Buffer
	if err := pprof.Lookup(kind).WriteTo(&b, 0); err != nil {
		return nil, fmt.Errorf("writing the %s profile: %w", kind, err)
	}
	return b.Bytes(), nil
}

// profileCPU profiles for d, or until ctx ends if that is sooner: the start of a profile is better than none.
func (p *Profile) profileCPU(ctx context.Context, d time.Duration) error {
	var b bytes.Buffer
	if err := p.acquire(ctx, func() error { return pprof.StartCPUProfile(&b) }); err != nil {
		return err
	}
	writer := own.Hold() // runtime/pprof's
	defer writer.GiveUp()
	p.Taken = time.Now()
	p.span(ctx, d, nil)
	pprof.StopCPUProfile()
	p.Data = b.Bytes()
	return nil
}

// acquire starts what a process can do only once at a time, and waits while somebody else does it.
func (p *Profile) acquire(ctx context.Context, start func() error) error {
	for try := 0; ; try++ {
		err := start()
		if err == nil {
			if try > 0 {
				p.note(fmt.Sprintf("somebody else held the %s; got it at attempt %d", profiler(p.Kind), try+1))
			}
			return nil
		}
		if !isBusy(err.Error()) || try == len(busyWaits) {
			return fmt.Errorf("starting the %s: %w", profiler(p.Kind), err)
		}
		if err := sleep(ctx, busyWaits[try]); err != nil {
			return fmt.Errorf("waiting for the %s, which somebody else holds: %w", profiler(p.Kind), err)
		}
	}
}

// span waits for d, until ctx ends, or until there is enough, and notes how long that was.
func (p *Profile) span(ctx context.Context, d time.Duration, enough <-chan struct{}) {
	began := time.Now()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-enough:
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.Canceled) {
			p.note("cut short: the watch was stopped")
		}
	}
	p.Seconds = time.Since(began).Seconds()
}

// note adds to what a reader should know.
func (p *Profile) note(text string) { p.Note = strings.TrimPrefix(p.Note+"; "+text, "; ") }

// leaked asks twice and keeps the larger profile: the runtime's detector misses a leaked mutex in its first
// run and finds it in the second (tried with Go 1.26.8 and 1.27.0).
func leaked(ctx context.Context) ([]byte, error) {
	if pprof.Lookup(casefile.GoroutineLeak) == nil {
		return nil,
			&EmptyError{fmt.Sprintf("%s was built without the goroutine leak profile; it comes with Go 1.27, and "+
				"with Go 1.26 by building with GOEXPERIMENT=goroutineleakprofile",
				runtime.Version())}
	}
	var best []byte
	most := int64(0)
	for range 2 {
		data, err := snapshot(casefile.GoroutineLeak)
		if err != nil {
			return nil, err
		}
		n, err := goroutinesIn(ctx, data)
		if err != nil {
			return nil, err
		}
		if n > most {
			best, most = data, n
		}
	}
	if most == 0 {
		return nil, errNoLeak
	}
	return best, nil
}

var errNoLeak = &EmptyError{"no goroutine is known that can never run again"}

// goroutinesIn is how many goroutines a goroutine profile counts.
func goroutinesIn(ctx context.Context, data []byte) (n int64, err error) {
	err = useProfile(ctx, data, func(p *profile.Profile) error {
		for _, s := range p.Sample {
			if len(s.Value) > 0 {
				n += s.Value[0]
			}
		}
		return nil
	})
	return n, err
}

// dumpStacks writes every goroutine's stack, with how long it has waited, as debug=2 does. This way of doing it stops
// the world once, and its buffer neither grows nor is touched for the first time while the world is stopped.
func dumpStacks() ([]byte, error) {
	const perGoroutine = 8 << 10 // 100 frames, the most that the runtime prints, of about 80 bytes
	n := runtime.NumGoroutine()
	if n > maxDumped {
		return nil, tooMany(n)
	}
	buf := make([]byte, min((n+16)*perGoroutine, maxDump))
	for i := 0; i < len(buf); i += 4096 {
		buf[i] = 1 // a page that was never written would be fetched during the stop
	}
	return bytes.Clone(buf[:runtime.Stack(buf, true)]), nil
}
