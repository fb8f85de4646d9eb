package engine

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
)

// wanted are the values of a kind of evidence, in the order of pprof's files of Go. What an engine lacks of them is 0.
// A profile is looked for by the names of its values, because senders name profiles differently; with named also by its
// own name, where mutex and block profiles have the same values.
type wanted struct {
	values []valueType
	named  bool
}

var kinds = map[string]wanted{
	casefile.CPU: {values: []valueType{{typ: "samples", unit: "count"}, {typ: "cpu", unit: "nanoseconds"}}},
	casefile.Heap: {values: []valueType{{typ: "alloc_objects", unit: "count"}, {typ: "alloc_space", unit: "bytes"},
		{typ: "inuse_objects", unit: "count"}, {typ: "inuse_space", unit: "bytes"}}},
	casefile.Allocs: {values: []valueType{{typ: "alloc_objects", unit: "count"}, {typ: "alloc_space", unit: "bytes"},
		{typ: "inuse_objects", unit: "count"}, {typ: "inuse_space", unit: "bytes"}}},
	casefile.Goroutine: {values: []valueType{{typ: "goroutine", unit: "count"}}},
	casefile.Mutex: {named: true, values: []valueType{{typ: "contentions", unit: "count"},
		{typ: "delay", unit: "nanoseconds"}}},
	casefile.Block: {named: true, values: []valueType{{typ: "contentions", unit: "count"},
		{typ: "delay", unit: "nanoseconds"}}},
}

// takes reports whether a kind of evidence has a value of the engine: of a heap what was there at a moment, of
// allocations what was made in the window.
func takes(kind string, t *valueType) bool {
	switch kind {
	case casefile.Heap:
		return t.snapshot()
	case casefile.Allocs:
		return !t.snapshot()
	}
	return true
}

// snapshotOf is how much of the end of a window is asked for of what there was at a moment: four profiles of
// Pyroscope's clients, which push every 15 s.
const snapshotOf = time.Minute

// Capture asks for one kind of evidence: the window that the address says, or the last minute of it for what is of a
// moment, and not d. It returns an *instance.EmptyError when the engine has nothing of the kind.
func (t *Target) Capture(ctx context.Context, kind string, _ time.Duration) (instance.Profile, error) {
	if _, ok := kinds[kind]; !ok || t.store == nil {
		return instance.Profile{}, &instance.EmptyError{Reason: fmt.Sprintf("%s has no %s", t.address.Engine, kind)}
	}
	w := t.address.window(time.Now())
	if atMoment(kind) {
		w = w.lastOf(kind)
		if !t.first(kind, w.to) {
			return instance.Profile{}, &instance.EmptyError{Reason: "the engine was asked for it a moment ago: " +
				"it has nothing newer"}
		}
	}
	of, err := t.selector(ctx, w)
	if err != nil {
		return instance.Profile{}, err
	}
	return t.profileOf(ctx, kind, of, w)
}

// lastOf is the part of a window that is asked for a kind of evidence.
func (w window) lastOf(kind string) window {
	if atMoment(kind) {
		w.from = w.to.Add(-min(snapshotOf, w.length()))
	}
	return w
}

// again is how much time must pass before a snapshot is asked for again.
const again = 45 * time.Second

// first reports whether a snapshot of a moment was not asked for already.
func (t *Target) first(kind string, at time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if last, ok := t.asked[kind]; ok && at.Sub(last) < again {
		return false
	}
	t.asked[kind] = at
	return true
}

// profileOf puts one kind of evidence together for a window.
func (t *Target) profileOf(ctx context.Context, kind string, of selector, w window) (p instance.Profile, err error) {
	want := kinds[kind]
	there, err := t.store.types(ctx, w)
	if err != nil {
		return p, err
	}
	instances, err := t.instances(ctx, of, w)
	if err != nil {
		return p, err
	}
	parts := make([]part, len(want.values))
	for i, v := range want.values {
		parts[i].valueType = v
		if !takes(kind, &v) {
			continue
		}
		if parts[i], err = t.part(ctx, find(there, v, want.named, kind), v, of, w, instances); err != nil {
			return p, err
		}
	}
	merged, err := combine(parts, w)
	switch {
	case err != nil:
		return p, err
	case merged == nil:
		return p, &instance.EmptyError{Reason: fmt.Sprintf("%s has no %s of %s from %s", t.address, kind,
			t.address.Service, w)}
	}
	return t.finished(kind, merged, w, instances)
}

// find returns what an engine may have a value under.
func find(there []valueType, v valueType, named bool, kind string) (found []valueType) {
	for _, t := range there {
		same := t.typ == v.typ || t.typ == v.typ+"s" && v.typ == casefile.Goroutine
		if same && t.unit == v.unit && !t.sinceStart && (!named || strings.Contains(strings.ToLower(t.name), kind)) {
			t.typ = v.typ
			found = append(found, t)
		}
	}
	slices.SortStableFunc(found, func(a, b valueType) int { // memory before java_memory
		return len(a.name) - len(b.name)
	})
	return found
}

// part asks for one value under the names it may have; the first that has samples counts.
func (t *Target) part(ctx context.Context, names []valueType, v valueType, of selector, w window, instances int,
) (part, error) {
	for _, name := range names {
		p, err := t.store.merged(ctx, name, of, w)
		if err != nil {
			return part{}, err
		}
		if len(p.Sample) == 0 {
			continue
		}
		factor := 1 / float64(instances)
		if name.snapshot() {
			if factor, err = t.oneOf(ctx, p, name, of, w); err != nil {
				return part{}, err
			}
		}
		return part{name, p, factor}, nil
	}
	return part{valueType: v}, nil
}

// oneOf is what the sum of many snapshots must be multiplied by to be an average one.
func (t *Target) oneOf(ctx context.Context, p *profile.Profile, v valueType, of selector, w window) (float64, error) {
	points, err := t.store.course(ctx, v, of, w, w.length(), true)
	if err != nil {
		return 0, err
	}
	mean, sum := 0.0, total(p)
	for _, v := range points {
		mean += v.value / float64(len(points))
	}
	if mean <= 0 || sum <= 0 || mean > sum {
		return 1, nil
	}
	return mean / sum, nil
}

// finished writes the evidence, with a note of where it comes from.
func (t *Target) finished(kind string, merged *profile.Profile, w window, instances int) (
	instance.Profile, error) {
	if kind == casefile.Allocs {
		merged.DefaultSampleType = "alloc_space" // as /debug/pprof/allocs has it; without, it is a heap profile
	}
	var b bytes.Buffer
	if err := merged.Write(&b); err != nil {
		return instance.Profile{}, fmt.Errorf("writing the %s of %s: %w", kind, t.address, err)
	}
	p := instance.Profile{Kind: kind, Data: b.Bytes(), Taken: w.from, Seconds: w.length().Seconds(),
		Note: fmt.Sprintf("from %s, %s", t.address, w)}
	if atMoment(kind) {
		p.Taken, p.Seconds = w.to, 0
		p.Note += "; the mean of the snapshots in it"
	}
	if instances > 1 {
		p.Note += fmt.Sprintf("; an average one of %d instances", instances)
	}
	return p, nil
}
