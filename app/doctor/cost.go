package doctor

import (
	"context"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/internal/budget"
	"github.com/gocasebook/casebook/internal/settings"
	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

// Rates need two samples, and some signals move only when a garbage collection ends, which the heap profile before may
// have brought about.
const (
	samples = 10
	between = 200 * time.Millisecond
)

// signals takes samples as a watch does, a few times faster, and notes how long the target took to answer.
func (e *examination) signals(ctx context.Context) {
	seen := make(map[string]bool)
	var answers []time.Duration
	for i := range samples {
		if i > 0 && !sleep(ctx, between) {
			return
		}
		s := vitals.NewSample(time.Now())
		if err := e.Sample(ctx, &s); err != nil {
			continue
		}
		if v, ok := s.Get(vitals.ProbeTime); ok {
			answers = append(answers, time.Duration(v*float64(time.Second)))
		}
		for id := range vitals.NumSignals {
			if _, ok := s.Get(vitals.ID(id)); ok {
				seen[vitals.ID(id).Signal().Name] = true
			}
		}
	}
	e.Signals.Absent = e.Absent()
	for name := range seen {
		e.Signals.Present = append(e.Signals.Present, name)
		delete(e.Signals.Absent, name)
	}
	slices.Sort(e.Signals.Present)
	if len(answers) > 0 {
		slices.Sort(answers)
		e.Watching.Index = answers[len(answers)/2]
	}
}

// cost says what a watch with the default settings would take.
func (e *examination) cost(ctx context.Context) {
	w := &e.Watching
	w.Interval = settings.Interval.Default
	w.Share = w.Index.Seconds() / w.Interval.Seconds()
	e.profileRate = -1
	began := time.Now()
	if m, err := e.HTTP.MemStats(ctx); err == nil {
		w.MemStats, e.profileRate = time.Since(began), m.ProfileRate
		w.MemStatsEvery = max(instance.MemStatsEvery(e.Records()[casefile.Heap]), w.Interval)
		w.Share += w.MemStats.Seconds() / w.MemStatsEvery.Seconds()
	}
	for _, kind := range rule.DefaultCapture() {
		w.Case = w.Case.plus(Cost(e.predict(kind, settings.ProfileFor.Default)))
	}
	w.Hour = Cost{CPU: budget.DefaultCPU, Bytes: budget.DefaultBytes, Pause: budget.DefaultPause,
		Longest: budget.DefaultLongest}
}

func (c Cost) plus(d Cost) Cost {
	return Cost{c.CPU + d.CPU, c.Bytes + d.Bytes, c.Pause + d.Pause, max(c.Longest, d.Longest)}
}

// sleep reports whether it slept to the end.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
