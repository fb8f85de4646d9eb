package stage

import (
	"context"
	"fmt"
	"time"

	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/prove"
)

// Measure makes n rounds of the windows and of what the process and its runtime say over the same time. told, which may
// be nil, gets each round when it ends.
func (s *Stage) Measure(ctx context.Context, n int, told func(i int, r prove.Round)) (prove.Side, error) {
	out := prove.Side{Variant: s.Variant()}
	probe, err := newProbe(ctx, s.Process)
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
	probe.collections(out.Rounds, m.spans)
	out.Cycles = probe.ended()
	out.Whole = prove.WholeRun(load.Sum(m.windows))
	out.Absent = m.absent()
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

// rounds measures one round after the other while the probe runs.
func (m *measurement) rounds(ctx context.Context, n int) error {
	usage, err := prove.NewSampler(m.stage.PID())
	if err != nil {
		return err
	}
	defer m.probe.start(ctx)()
	next, err := m.stage.windows(ctx)
	if err != nil {
		return err
	}
	if _, err := usage.Next(); err != nil {
		return err
	}
	flow := newFlow(m.stage)
	if err := flow.begin(ctx); err != nil {
		return err
	}
	m.probe.round(prove.Round{})
	throttling := prove.NewThrottling(m.stage.PID())
	from := m.probe.now()
	for i := range n {
		periods := throttling
		periods.Begin()
		w, err := next(ctx)
		if err != nil {
			return err
		}
		u, err := usage.Next()
		if err != nil {
			return err
		}
		now := m.probe.now()
		m.spans, m.windows, from = append(m.spans, span{from, now}), append(m.windows, w), now
		r := prove.WindowRound(w, &u)
		periods.End()
		periods.Add(r)
		if err := flow.end(ctx, u.Seconds, r); err != nil {
			return err
		}
		m.probe.round(r)
		m.side.Rounds = append(m.side.Rounds, r)
		if m.told != nil {
			m.told(i, r)
		}
	}
	return nil
}

// absent says why a figure was not measured.
func (m *measurement) absent() map[string]string {
	if t := prove.NewThrottling(m.stage.PID()); !t.Quota() {
		return map[string]string{prove.Throttled: "the service has no CPU quota"}
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
