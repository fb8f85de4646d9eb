package stage

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"time"

	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/prove"
)

// TurnTime is how long a turn takes with windows of length round.
func TurnTime(round time.Duration) time.Duration { return (1 + stretchWindows) * round }

// Turns measures two forms against each other, each loaded while the other is idle: in each of n passes before has a
// turn, after has one, and before has another, so that what happens to the machine happens to both, and what drifts
// evenly cancels. told, which may be nil, gets each turn's figures when it ends. Both stages are without load when it
// returns.
func Turns(ctx context.Context, before, after *Stage, n int, told func(turn int, r prove.Round)) (prove.Turns, error) {
	var sides [2]*turns
	for i, s := range [...]*Stage{before, after} {
		s.Pause()
		t, err := newTurns(ctx, s)
		if err != nil {
			return prove.Turns{}, err
		}
		sides[i] = t
	}
	blocks := make([]prove.Block, n)
	for i := range blocks {
		began := time.Now()
		var pass [3]prove.Round
		for k, t := range [...]*turns{sides[0], sides[1], sides[0]} {
			var err error
			if pass[k], err = t.turn(ctx); err != nil {
				return prove.Turns{}, err
			}
			if told != nil {
				told(len(pass)*i+k, pass[k])
			}
		}
		blocks[i] = prove.Block{A: pass[0], B: pass[1], A2: pass[2], Seconds: time.Since(began).Seconds()}
	}
	for _, t := range sides {
		if err := t.probe.close(ctx); err != nil {
			return prove.Turns{}, err
		}
		t.probe.collections(t.rounds, t.spans)
	}
	return prove.Turns{Blocks: blocks, Before: sides[0].probe.ended(), After: sides[1].probe.ended()}, nil
}

// turns are those of one form.
type turns struct {
	stage  *Stage
	probe  *probe
	usage  *prove.Sampler
	flow   *flow
	rounds []prove.Round
	spans  []span
}

func newTurns(ctx context.Context, s *Stage) (*turns, error) {
	if s.cfg.Request == nil {
		return nil, fmt.Errorf("%s finds its work by itself: it cannot be loaded in turns", s.cfg.Name)
	}
	probe, err := newProbe(ctx, s.Process)
	if err != nil {
		return nil, fmt.Errorf("measuring %s: %w", s.cfg.Name, err)
	}
	usage, err := prove.NewSampler(s.PID())
	return &turns{stage: s, probe: probe, usage: usage, flow: newFlow(s)}, err
}

// turn loads the form for some windows and measures it.
func (t *turns) turn(ctx context.Context) (r prove.Round, err error) {
	throttling := prove.NewThrottling(t.stage.PID())
	t.stage.Resume(ctx)
	stop := t.probe.start(ctx)
	defer func() {
		t.stage.Pause()
		stop()
		t.probe.round(r)
	}()
	var from time.Duration
	var begins error
	sum, used, err := t.stage.stretch(ctx, t.usage, func() {
		from = t.probe.now()
		throttling.Begin()
		begins = t.flow.begin(ctx)
	})
	if err = cmp.Or(err, begins); err != nil {
		return nil, err
	}
	throttling.End()
	t.probe.sample(ctx) // so that cycles are known as far as the turn goes
	r = prove.WindowRound(load.Window{Counts: sum}, &used)
	for _, q := range prove.LatencyQuantiles() {
		delete(r, q.Name)
	}
	maps.Copy(r, prove.BlockQuantiles(sum))
	throttling.Add(r)
	if err := t.flow.end(ctx, used.Seconds, r); err != nil {
		return nil, err
	}
	t.rounds, t.spans = append(t.rounds, r), append(t.spans, span{from, t.probe.now()})
	return r, nil
}
