package diagnose

import (
	"slices"
	"time"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// beforeTrip is how long before a trip its trouble counts: a rule's condition held for that long.
const beforeTrip = 10 * time.Second

// troubledVitals are the vitals while the CPU was profiled, and from before the trip on until then; the last ten where
// there are no such times.
func troubledVitals(r *Reading) []vitals.Sample {
	var from, to time.Time
	if v := r.cpu(); v != nil && v.set.Seconds > 0 {
		from = v.set.Taken
		to = from.Add(time.Duration(v.set.Seconds * float64(time.Second)))
	}
	for _, t := range r.Triggers {
		if t.Signal == "" || t.Time.IsZero() {
			continue
		}
		if begun := t.Time.Add(-beforeTrip); from.IsZero() || begun.Before(from) {
			from = begun
		}
		if t.Time.After(to) {
			to = t.Time
		}
	}
	first := slices.IndexFunc(r.Vitals, func(s vitals.Sample) bool { return !s.Time.Before(from) })
	last := len(r.Vitals)
	if i := slices.IndexFunc(r.Vitals, func(s vitals.Sample) bool { return s.Time.After(to) }); i >= 0 {
		last = i
	}
	if from.IsZero() || first < 0 || last-first < quotaSamples {
		return r.Vitals[max(len(r.Vitals)-10, 0):]
	}
	return r.Vitals[first:last]
}

// Signs that a process serves somebody.
const (
	servingCPU   = 0.05 // of its CPU in answers
	servingConns = 3    // connections: one or two are those of whoever takes the evidence
)

// isAsked reports whether somebody is seen to wait for answers of the process.
func isAsked(r *Reading) bool {
	if rate, ok := r.Mean(vitals.HTTPRate); ok && rate > 0 {
		return true
	}
	if v := r.cpu(); v != nil && v.total > 0 {
		answering := 0.0
		for i := range v.set.Samples {
			if s := &v.set.Samples[i]; serves(r.Table, s.Stack) || reads(r.Table, s.Stack) {
				answering += float64(v.weight(s))
			}
		}
		if answering >= servingCPU*v.total {
			return true
		}
	}
	set := r.MostGoroutines()
	if set == nil {
		return false
	}
	conns := int64(0)
	for _, p := range r.Piles(set) {
		if serves(r.Table, p.Stack) || p.User && p.Wait == stacks.WaitNetwork && reads(r.Table, p.Stack) {
			conns += p.N
		}
		if r.Table.Has(p.Stack, withWork(known.ReadsPackets)) { // a packet server has one socket for all its clients
			conns += servingConns
		}
	}
	return conns >= servingConns
}

// reads reports whether a stack reads from a connection or a packet socket in code of the program's own.
func reads(t *stacks.Table, stack []stacks.FrameID) bool {
	return t.Has(stack, withWork(known.ReadsConn, known.ReadsPackets))
}
