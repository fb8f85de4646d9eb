package stage

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/gocasebook/casebook/app/child"
	"github.com/gocasebook/casebook/app/prove"
)

// A probe reads the numbers of a service's runtime once a second while it is loaded. Its clock stands still in between,
// so that a form that is loaded in turns has the figures of its turns.
//
// Heap objects are averaged over a round. What the garbage collector took is known only at the end of a GC cycle, and
// is then what it took since the end of the cycle before. So a round's share is the mean over the cycles that span it,
// by time, and so is its rate of cycles: a process that collects every ten seconds does so a tenth of a time in each
// second. A collection is forced after the last round (close), to learn the rest.
type probe struct {
	pprof   *child.Pprof
	started time.Time // the service

	mu      sync.Mutex // guards what follows
	clock   stopwatch
	objects []float64 // of the heap, since the last round
	pauses  []float64 // for the collector, since the last round, in seconds
	paused  uint64    // when the last of them ended, ns since 1970
	seen    bool      // a reading was made
	last    collected
	cycles  []cycles
}

// collected is how much was collected when a cycle had just ended.
type collected struct {
	time  time.Time
	at    time.Duration // by the probe's clock
	spent float64       // seconds of all CPUs that may be used, since the service began
	count float64       // cycles since then
}

// cycles is the time, by the probe's clock, between two moments at which a GC cycle had just ended.
type cycles struct {
	from, to time.Duration
	share    float64 // of the available CPU that the GC took
	count    float64 // how many cycles ended in it, the last included
}

func newProbe(ctx context.Context, p *child.Process) (*probe, error) {
	pprof := child.FindPprof(ctx, p)
	if pprof == nil {
		return nil, errors.Join(ctx.Err(), p.Failure("does not serve net/http/pprof"))
	}
	return &probe{pprof: pprof, started: p.Started}, nil
}

// start samples, and lets the clock run, until stop is called.
func (p *probe) start(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	p.mu.Lock()
	p.clock.start()
	p.mu.Unlock()
	var sampling sync.WaitGroup
	sampling.Go(func() { p.run(ctx) })
	return func() {
		cancel()
		sampling.Wait()
		p.mu.Lock()
		p.clock.stop()
		p.mu.Unlock()
	}
}

// now is the probe's clock.
func (p *probe) now() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.clock.at(time.Now())
}

// run samples until ctx ends.
func (p *probe) run(ctx context.Context) {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		p.sample(ctx)
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

func (p *probe) sample(ctx context.Context) {
	m, err := p.pprof.MemStats(ctx)
	if err != nil {
		return // a sample that fails is one less
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.objects = append(p.objects, m.HeapObjects)
	p.pause(&m)
	at, spent := m.GC(p.started)
	ended := p.started.Add(time.Duration(at * float64(time.Second)))
	p.collect(collected{ended, p.clock.at(ended), spent, m.NumGC})
}

// pause takes in the stops of the world since the reading before. The first reading has those of the start, which count
// for nobody.
func (p *probe) pause(m *child.MemStats) {
	last := p.paused
	for i, end := range m.PauseEnd {
		if end > last && last > 0 {
			p.pauses = append(p.pauses, float64(m.PauseNs[i])/1e9)
		}
		p.paused = max(p.paused, end)
	}
}

// collect takes a reading in. Cycles that ended while the clock stood still are counted to those of the next load. What
// was collected before the clock began is not the measurement's: of the cycles at its beginning only their part counts.
func (p *probe) collect(now collected) {
	switch {
	case !p.seen:
		p.seen, p.last = true, now
	case now.count > p.last.count && now.at > p.last.at:
		part := 1.0
		if p.last.at == 0 {
			part = (now.at - p.last.at).Seconds() / now.time.Sub(p.last.time).Seconds()
		}
		c := cycles{from: p.last.at, to: now.at, count: part * (now.count - p.last.count)}
		c.share = part * max(now.spent-p.last.spent, 0) / (c.to - c.from).Seconds()
		p.cycles = append(p.cycles, c)
		p.last = now
	}
}

// round adds to r the mean, and the longest stop of the world, since the call before.
func (p *probe) round(r prove.Round) {
	p.mu.Lock()
	defer p.mu.Unlock()
	sum := 0.0
	for _, n := range p.objects {
		sum += n
	}
	if n := len(p.objects); n > 0 && r != nil {
		r[prove.HeapObjects] = sum / float64(n)
	}
	if len(p.pauses) > 0 && r != nil {
		r[prove.GCPause] = slices.Max(p.pauses)
	}
	p.objects, p.pauses = nil, nil
}

// close forces a collection after the last round, so that what the collector took since its last cycle is known. Its
// cost is in the share of the rounds that it closes, which makes that an upper bound.
func (p *probe) close(ctx context.Context) error {
	if err := p.pprof.ForceGC(ctx); err != nil {
		return fmt.Errorf("forcing the collection that closes the measurement: %w", err)
	}
	p.sample(ctx)
	return nil
}

// gc is the GC's share of the CPU and its cycles per second between two moments; not known unless cycles span most of
// it: two thirds.
func (p *probe) gc(s span) (share, rate float64, known bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var covered time.Duration
	for _, c := range p.cycles {
		if d := min(c.to, s.to) - max(c.from, s.from); d > 0 {
			covered += d
			share += c.share * d.Seconds()
			rate += c.count * d.Seconds() / (c.to - c.from).Seconds()
		}
	}
	if 3*covered < 2*(s.to-s.from) || covered == 0 {
		return 0, 0, false
	}
	return share / covered.Seconds(), rate / covered.Seconds(), true
}

// ended are the stretches between readings in which cycles ended, as what is said of the collector is judged by.
func (p *probe) ended() []prove.Cycle {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := make([]prove.Cycle, len(p.cycles))
	for i, c := range p.cycles {
		seconds := (c.to - c.from).Seconds()
		out[i] = prove.Cycle{Seconds: seconds, Spent: c.share * seconds, Count: c.count}
	}
	return out
}

// collections adds to rounds what is known of the garbage collector only after the last; the i-th was in the i-th of
// spans.
func (p *probe) collections(rounds []prove.Round, spans []span) {
	for i, s := range spans {
		if share, rate, known := p.gc(s); known {
			rounds[i][prove.GCCPU], rounds[i][prove.GCRate] = share, rate
			if rate > 0 {
				rounds[i][prove.GCCycle] = share / rate
			}
		}
	}
}

// A span is the time of a round, by the probe's clock.
type span struct{ from, to time.Duration }

// A stopwatch measures time with breaks. The zero stopwatch stands at 0.
type stopwatch struct {
	ran   []ran // the times before
	since time.Time
}

// ran is a time in which a stopwatch ran.
type ran struct{ from, to time.Time }

func (w *stopwatch) start() { w.since = time.Now() }

func (w *stopwatch) stop() { w.ran, w.since = append(w.ran, ran{w.since, time.Now()}), time.Time{} }

// at is what it showed, or would show, at t.
func (w *stopwatch) at(t time.Time) (shown time.Duration) {
	for _, r := range w.ran {
		shown += between(r.from, t, r.to)
	}
	if !w.since.IsZero() {
		shown += max(t.Sub(w.since), 0)
	}
	return shown
}

// between is the time from one moment to t, as far as it has come by then, and at most to another.
func between(from, t, to time.Time) time.Duration { return max(min(t.Sub(from), to.Sub(from)), 0) }
