package holmes

import (
	"context"

	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/vitals"
)

// A target is this process with the signals that the watch lacks: the live heap, and what holmes compares values with.
// They are read here and not by a source of the watch, for which a sample waits 2 ms: on a busy machine they would be
// absent when they are needed.
type target struct {
	*instance.Self
	live   *metric
	record *record
	ids    [numKinds]signalIDs
}

// signalIDs are those of a kind: its value and what that is compared with.
type signalIDs struct{ value, limit vitals.ID }

func newTarget(r *record) *target {
	return &target{instance.NewSelf(), newMetric(metricLive), r, kindIDs()}
}

// Prompt says that Sample answers at once.
func (t *target) Prompt() {}

// Sample reads the process, which allocates nothing.
func (t *target) Sample(ctx context.Context, s *vitals.Sample) error {
	err := t.Self.Sample(ctx, s)
	if v := t.live.read(); v > 0 { // 0 before the first cycle
		s.Set(t.ids[gcHeap].value, v)
	}
	t.record.judge(s, &t.ids)
	return err
}

// liveHeap is a signal that the watch does not have of its own: its heap_live has a value at the end of a GC cycle
// only, and holmes judges what the last one left at every interval.
const liveHeap = "holmes_live_heap"

// limitSignal is the name of what the kind's value is compared with. Package diagnose takes what is called so for a
// limit, which explains another signal and needs no explanation.
func (k kind) limitSignal() string { return "holmes_" + kindTexts[k].limit + "_limit" }

// signals are those that the target adds, in the order of their IDs.
func signals() []vitals.Signal {
	list := []vitals.Signal{
		{Name: liveHeap, Unit: vitals.Bytes, Text: "heap that the last GC cycle found live (" + metricLive + ")"},
	}
	units := [numKinds]vitals.Unit{mem: vitals.Bytes, cpu: vitals.Cores, thread: vitals.Count,
		goroutine: vitals.Count, gcHeap: vitals.Bytes}
	for k := range numKinds {
		list = append(list, vitals.Signal{Name: k.limitSignal(), Unit: units[k],
			Text: "abs of the options, or diff over the mean of the ten intervals before; absent before the tenth"})
	}
	return list
}

// IDs of the signals, which come right after the built-in ones.
const (
	liveHeapID = vitals.ID(vitals.NumSignals)
	firstLimit = liveHeapID + 1
)

func kindIDs() (ids [numKinds]signalIDs) {
	for k := range numKinds {
		ids[k] = signalIDs{liveHeapID, firstLimit + vitals.ID(k)}
		if id, ok := vitals.Lookup(k.signal()); ok {
			ids[k].value = id
		}
	}
	return ids
}

// sources declares the signals to the watch.
func sources() []vitals.Source {
	return []vitals.Source{{Name: "holmes", Signals: signals()}}
}
