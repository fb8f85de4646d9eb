package stage

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/prove"
)

// Measure makes n rounds of the windows and of what the process and its runtime say over the same time. told, which may be nil, gets
// each round when it ends.
func (s *Stage) Measure(ctx context.Context, n int, told func(i int, r prove.Round)) (prove.Side, error) {
	out := prove.Side{Variant: s.Variant()}
	probe, err := newProbe(ctx, s.PprofAddr)
	if err != nil {
		return out, fmt.Errorf("measuring %s: %w", s.Name, err)
	}
	m := &measurement{stage: s, probe: probe, told: told, side: &out}
	if err := m.rounds(ctx, n); err != nil {
		return out, err
	}
	if err := probe.close(ctx); err != nil {
		return out, err
	}
	for i, span := range m.spans {
		if share, rate, known := probe.gc(span.from, span.to); known {
			out.Rounds[i][prove.GCCPU], out.Rounds[i][prove.GCRate] = share, rate
		}
	}
	out.Whole = prove.WholeRun(load.Sum(m.windows))
	out.Absent = probe.target.Absent()
	return out, nil
}

// A measurement is under way.
type measurement struct {
	stage   *Stage
	probe   *probe
	told    func(i int, r prove.Round)
	spans   []span
	windows []load.Window
	side    *prove.Side
}

// A span is the time of a round.
type span struct{ from, to time.Time }

// rounds measures one round after the other while the probe runs.
func (m *measurement) rounds(ctx context.Context, n int) error {
	usage, err := prove.NewSampler(m.stage.PID())
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	var probing sync.WaitGroup
	probing.Go(func() { m.probe.run(ctx) })
	defer probing.Wait()
	defer cancel()

	next, err := m.stage.windows(ctx)
	if err != nil {
		return err
	}
	if _, err := usage.Next(); err != nil {
		return err
	}
	m.probe.round(prove.Round{})
	from := time.Now()
	for i := range n {
		w, err := next(ctx)
		if err != nil {
			return err
		}
		u, err := usage.Next()
		if err != nil {
			return err
		}
		now := time.Now()
		m.spans, m.windows, from = append(m.spans, span{from, now}), append(m.windows, w), now
		r := prove.WindowRound(w, &u)
		m.probe.round(r)
		m.side.Rounds = append(m.side.Rounds, r)
		if m.told != nil {
			m.told(i, r)
		}
	}
	return nil
}

// Settle waits for d, so that what the start of a service leaves behind is gone from what is measured next.
func (s *Stage) Settle(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return s.Failed()
	}
}
