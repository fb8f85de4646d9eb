package casebook

import (
	"context"
	"errors"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
)

// A baseline is a set of profiles from when the target was last healthy, to compare those of a case with.
type baseline struct {
	quiet    time.Time // since when no rule has been near its limit; Watch.mu guards it
	profiles []instance.Profile
	taken    time.Time
}

const (
	baselineLook  = 10 * time.Second
	baselineQuiet = 30 * time.Second // how long a target must have been healthy to count as healthy
	baselineEvery = 10 * time.Minute
	// A baseline is taken for a case that may never come, so it must cost little, in CPU and in memory.
	baselineCost  = 50 * time.Millisecond
	baselineBytes = 4 << 20
)

// note remembers since when the target has been healthy.
func (b *baseline) note(now time.Time, troubled bool) {
	if troubled {
		b.quiet = time.Time{}
	} else if b.quiet.IsZero() {
		b.quiet = now
	}
}

// takeBaseline takes one when the target has been healthy for a while and the last one is old. Only the worker calls
// it, which owns profiles and taken.
func (w *Watch) takeBaseline(ctx context.Context, now time.Time) {
	w.mu.Lock()
	s := w.session
	quiet := s.base.quiet
	w.mu.Unlock()
	if quiet.IsZero() || now.Sub(quiet) < baselineQuiet || now.Sub(s.base.taken) < baselineEvery {
		return
	}
	s.base.taken = now
	var taken []instance.Profile
	for _, kind := range []string{casefile.Goroutine, casefile.Heap} {
		if p, err := w.baselineOf(ctx, kind); err == nil {
			taken = append(taken, p)
		}
	}
	if len(taken) > 0 {
		for i := range s.base.profiles {
			s.base.profiles[i].Release()
		}
		s.base.profiles = taken
	}
}

var errTooExpensive = errors.New("too expensive for a baseline")

func (w *Watch) baselineOf(ctx context.Context, kind string) (p instance.Profile, err error) {
	if w.predict(kind, 0).CPU > baselineCost {
		return p, errTooExpensive
	}
	spent, err := w.ask(kind, 0)
	if err != nil {
		return p, err
	}
	err = guard("taking a baseline", func() (err error) {
		p, err = w.cfg.Target.Capture(ctx, kind, 0)
		return err
	})
	spent.settle(p, err)
	if err == nil && len(p.Data) > baselineBytes {
		p.Release()
		err = errTooExpensive
	}
	return p, err
}

// addBaseline keeps the last healthy profiles in the case.
func (t *taking) addBaseline() {
	for _, p := range t.s.base.profiles {
		p.Note = "baseline: taken while no rule was near its limit"
		t.addProfile(p, fileName(p.Kind, casefile.Before), casefile.Before)
	}
}
