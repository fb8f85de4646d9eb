package stage

import (
	"context"
	"errors"
	"fmt"

	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/prove"
)

// turnWindows is how many windows of load a turn measures. The one before them, in which the load begins, is left out.
const turnWindows = 2

// Turns measures two forms against each other, each loaded while the other is idle: in each of n passes before has a turn, after has
// one, and before has another, so that what happens to the machine happens to both, and what drifts evenly cancels. told, which may be
// nil, gets each turn's figures when it ends. Both stages are without load when it returns.
func Turns(ctx context.Context, before, after *Stage, n int, told func(turn int, r prove.Round)) ([]prove.Block, error) {
	var sides [2]*turns
	for i, s := range [...]*Stage{before, after} {
		s.Pause()
		t, err := newTurns(ctx, s)
		if err != nil {
			return nil, err
		}
		sides[i] = t
	}
	order := [...]*turns{sides[0], sides[1], sides[0]}
	for i := range n * len(order) {
		r, err := order[i%len(order)].turn(ctx)
		if err != nil {
			return nil, err
		}
		if told != nil {
			told(i, r)
		}
	}
	for _, t := range sides {
		if err := t.probe.close(ctx); err != nil {
			return nil, err
		}
		t.collections()
	}
	blocks := make([]prove.Block, n)
	for i := range blocks {
		a, b := sides[0], sides[1]
		blocks[i] = prove.Block{A: a.rounds[2*i], B: b.rounds[i], A2: a.rounds[2*i+1], Seconds: a.spans[2*i+1].to.Sub(a.spans[2*i].from).Seconds()}
	}
	return blocks, nil
}

// turns are those of one form.
type turns struct {
	stage  *Stage
	probe  *probe
	usage  *prove.Sampler
	rounds []prove.Round
	spans  []span
}

func newTurns(ctx context.Context, s *Stage) (*turns, error) {
	if s.cfg.Request == nil {
		return nil, fmt.Errorf("%s finds its work by itself: it cannot be loaded in turns", s.cfg.Name)
	}
	probe, err := newProbe(ctx, s.PprofAddr)
	if err != nil {
		return nil, fmt.Errorf("measuring %s: %w", s.cfg.Name, err)
	}
	usage, err := prove.NewSampler(s.PID())
	return &turns{stage: s, probe: probe, usage: usage}, err
}

// turn loads the form for some windows and measures it.
func (t *turns) turn(ctx context.Context) (r prove.Round, err error) {
	t.stage.Resume(ctx)
	stop := t.probe.start(ctx)
	defer func() {
		t.stage.Pause()
		stop()
		t.probe.round(r)
	}()
	next, err := t.stage.windows(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := t.usage.Next(); err != nil {
		return nil, err
	}
	from := t.probe.now()
	var windows []load.Window
	for range turnWindows {
		w, err := next(ctx)
		if err != nil {
			return nil, err
		}
		windows = append(windows, w)
	}
	u, err := t.usage.Next()
	if err != nil {
		return nil, errors.Join(err, t.stage.Failed())
	}
	r = prove.WindowRound(load.Window{Counts: load.Sum(windows)}, &u)
	t.rounds, t.spans = append(t.rounds, r), append(t.spans, span{from, t.probe.now()})
	return r, nil
}

// collections adds what is known of the garbage collector only now.
func (t *turns) collections() {
	for i, s := range t.spans {
		if share, rate, known := t.probe.gc(s.from, s.to); known {
			t.rounds[i][prove.GCCPU], t.rounds[i][prove.GCRate] = share, rate
		}
	}
}
