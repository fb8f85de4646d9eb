package engine

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// Engines get new values every 15 s or so. To ask them more often would give the same and cost them.
const (
	step   = 15 * time.Second
	settle = 15 * time.Second // how late the last value of an engine may come
	coarse = 30 * time.Second // steps of the course of profiles: each has one of a client that pushes every 15 s
)

// sampling is what was sampled last. Only Sample and Past use it, one at a time.
type sampling struct {
	due  time.Time // when the engines may be asked again
	last time.Time // of the newest sample that was given
	seen map[vitals.ID]bool
}

// Sample gives the newest values that were not given before. In between all signals are absent.
func (t *Target) Sample(ctx context.Context, s *vitals.Sample) error {
	now := time.Now()
	if now.Before(t.sampling.due) {
		return nil
	}
	t.sampling.due = now.Add(step)
	to := t.address.window(now).to
	all, err := t.course(ctx, window{to.Add(-4 * coarse), to})
	if err != nil {
		return err
	}
	s.Set(vitals.ProbeTime, time.Since(now).Seconds())
	t.note(all)
	if n := len(all); n > 0 && all[n-1].Time.After(t.sampling.last) {
		t.sampling.last = all[n-1].Time
		values := all[n-1].Values
		for id := range vitals.NumSignals {
			if !math.IsNaN(values[id]) {
				s.Set(vitals.ID(id), values[id])
			}
		}
	}
	return nil
}

// Past returns what the engines know of the time from since on: a watch knows it when it begins.
func (t *Target) Past(ctx context.Context, since time.Time) ([]vitals.Sample, error) {
	to := t.address.window(time.Now()).to
	from := since
	if first := to.Add(-maxSince); from.Before(first) {
		from = first
	}
	if !t.address.Until.IsZero() { // the past of that moment
		from = to.Add(-time.Since(since))
	}
	all, err := t.course(ctx, window{from, to})
	if err != nil {
		return nil, err
	}
	t.note(all)
	if n := len(all); n > 0 {
		t.sampling.last = all[n-1].Time
	}
	return all, nil
}

// note remembers which signals there are.
func (t *Target) note(all []vitals.Sample) {
	if t.sampling.seen == nil {
		t.sampling.seen = make(map[vitals.ID]bool)
	}
	for i := range all {
		for id := range vitals.NumSignals {
			if _, ok := all[i].Get(vitals.ID(id)); ok {
				t.sampling.seen[vitals.ID(id)] = true
			}
		}
	}
	t.settle(t.sampling.seen)
}

// course returns samples of a window, the oldest first: of the metrics, and of the profiles what the metrics lack.
func (t *Target) course(ctx context.Context, w window) ([]vitals.Sample, error) {
	table := make(timeline)
	if t.store != nil {
		if err := t.ofProfiles(ctx, w, table); err != nil {
			return nil, err
		}
	}
	if t.metrics != nil {
		if err := t.metrics.course(ctx, w, table); err != nil {
			return nil, err
		}
	}
	return table.samples(), nil
}

// A timeline collects signals by time.
type timeline map[time.Time]*vitals.Sample

func (l timeline) set(at time.Time, id vitals.ID, v float64) {
	if l[at] == nil {
		s := vitals.NewSample(at)
		l[at] = &s
	}
	l[at].Set(id, v)
}

func (l timeline) samples() []vitals.Sample {
	all := make([]vitals.Sample, 0, len(l))
	for _, s := range l {
		all = append(all, *s)
	}
	slices.SortFunc(all, func(a, b vitals.Sample) int { return a.Time.Compare(b.Time) })
	return all
}

// A profileSignal is a signal that the totals of profiles give.
type profileSignal struct {
	id        vitals.ID
	typ, unit string
	scale     float64 // of what is summed in a second
}

var profileSignals = []profileSignal{
	{vitals.CPU, "cpu", "nanoseconds", 1e-9},
	{vitals.AllocRate, "alloc_space", "bytes", 1},
	{vitals.AllocObjectRate, "alloc_objects", "count", 1},
	{vitals.HeapLive, "inuse_space", "bytes", 1},
	{vitals.Goroutines, "goroutine", "count", 1},
	{vitals.MutexWait, "delay", "nanoseconds", 1e-9},
}

// ofProfiles makes signals of the totals of profiles, as far as they are complete.
func (t *Target) ofProfiles(ctx context.Context, w window, to timeline) error {
	of, err := t.selector(ctx, w)
	if err != nil {
		return err
	}
	if t.address.Until.IsZero() {
		w.to = w.to.Add(-settle)
	}
	w.from, w.to = w.from.Truncate(coarse), w.to.Truncate(coarse)
	there, err := t.store.types(ctx, w)
	if err != nil {
		return err
	}
	instances, err := t.instances(ctx, of, w)
	if err != nil {
		return err
	}
	for _, s := range profileSignals {
		for _, v := range find(there, valueType{typ: s.typ, unit: s.unit}, s.id == vitals.MutexWait, "mutex") {
			points, err := t.store.course(ctx, v, of, w, coarse, v.snapshot())
			if err != nil {
				return err
			}
			scale := s.scale
			if !v.snapshot() {
				scale /= coarse.Seconds() * float64(instances)
			}
			for _, p := range points {
				if p.at.After(w.from) && !p.at.After(w.to) {
					to.set(p.at, s.id, p.value*scale)
				}
			}
			if len(points) > 0 {
				break
			}
		}
	}
	return nil
}
