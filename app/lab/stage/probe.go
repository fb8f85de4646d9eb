package stage

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/target"
	"github.com/gocasebook/casebook/vitals"
)

// A probe samples the service once a second while it is measured.
//
// Heap objects and throttling are averaged over a round. The GC's share is known only at the end of a GC cycle, and is
// then the share since the end of the cycle before (vitals.GCCPU). So a round's share is the mean over the cycles that
// span it, by time, and so is its rate of cycles: a process that collects every ten seconds does so a tenth of a time in each
// second. A round that the last cycle ended before has neither, unless the process has not collected for
// so long that a collection was forced after the last round (close) to learn the rest.
type probe struct {
	target *target.HTTP
	began  time.Time

	mu     sync.Mutex // guards what follows
	sum    map[string]float64
	n      map[string]int
	cycles []cycles
	from   time.Time // end of the last of cycles, or the probe's beginning
	read   time.Time // when the runtime's numbers were last read
	ended  float64   // GC cycles that have ended since from
}

// cycles is the time between two moments at which a GC cycle had just ended.
type cycles struct {
	from, to time.Time
	share    float64 // of the available CPU that the GC took
	count    float64 // how many cycles ended in it, the last included
}

func newProbe(ctx context.Context, url string) (*probe, error) {
	t, err := target.NewHTTP(url)
	if err != nil {
		return nil, err
	}
	if _, err := t.Describe(ctx); err != nil {
		return nil, err
	}
	now := time.Now()
	return &probe{
		target: t, began: now, from: now,
		sum: make(map[string]float64), n: make(map[string]int),
	}, nil
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
	s := vitals.NewSample(time.Now())
	if err := p.target.Sample(ctx, &s); err != nil {
		return // a sample that fails is one less
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if rate, ok := s.Get(vitals.GCRate); ok {
		p.ended += rate * s.Time.Sub(p.read).Seconds() // a rate is over the time since the reading before
	}
	if _, ok := s.Get(vitals.HeapObjects); ok {
		p.read = s.Time
	}
	if share, ok := s.Get(vitals.GCCPU); ok {
		p.cycles = append(p.cycles, cycles{p.from, s.Time, share, p.ended})
		p.from, p.ended = s.Time, 0
	}
	for name, id := range map[string]vitals.ID{prove.HeapObjects: vitals.HeapObjects, prove.Throttled: vitals.Throttled} {
		if v, ok := s.Get(id); ok {
			p.sum[name] += v
			p.n[name]++
		}
	}
}

// round adds to r the means since the call before.
func (p *probe) round(r prove.Round) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for name, n := range p.n {
		r[name] = p.sum[name] / float64(n)
	}
	clear(p.sum)
	clear(p.n)
}

// close forces a collection when none has ended for longer than between any two before, and none at all counts as
// that, or when more than a quarter of the measurement would stay unknown. Its cost is in the share of the rounds it closes, which
// makes that an upper bound.
func (p *probe) close(ctx context.Context) error {
	p.mu.Lock()
	open, longest := time.Since(p.from), time.Duration(0)
	for _, c := range p.cycles {
		longest = max(longest, c.to.Sub(c.from))
	}
	p.mu.Unlock()
	if open <= min(2*longest, time.Since(p.began)/4) {
		return nil
	}
	if err := p.target.ForceGC(ctx); err != nil {
		return fmt.Errorf("forcing the collection that closes the measurement: %w", err)
	}
	p.sample(ctx)
	return nil
}

// gc is the GC's share of the CPU and its cycles per second between two moments; not known unless cycles span all of it.
func (p *probe) gc(from, to time.Time) (share, rate float64, known bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var covered time.Duration
	for _, c := range p.cycles {
		start, end := c.from, c.to
		if start.Before(from) {
			start = from
		}
		if end.After(to) {
			end = to
		}
		if d := end.Sub(start); d > 0 {
			covered += d
			share += c.share * d.Seconds()
			rate += c.count * d.Seconds() / c.to.Sub(c.from).Seconds()
		}
	}
	if covered < to.Sub(from)-time.Millisecond || covered == 0 {
		return 0, 0, false
	}
	return share / covered.Seconds(), rate / covered.Seconds(), true
}
