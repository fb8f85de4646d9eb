package stacks

import (
	"slices"
	"strings"
)

// Merge joins profiles of the same kind and process that follow one another: samples are put side by side, seconds
// added up. Sets whose sample types differ from the first's are left out. The samples are shared, not copied.
func Merge(sets []*Set) *Set {
	if len(sets) == 0 {
		return nil
	}
	if len(sets) == 1 {
		return sets[0]
	}
	first := sets[0]
	m := &Set{Table: first.Table, Kind: first.Kind, Taken: first.Taken, Types: first.Types, Period: first.Period}
	m.Observed = make([]int64, len(first.Types))
	var names []string
	for _, s := range sets {
		if !slices.Equal(s.Types, first.Types) || s.Table != first.Table || s.Goroutines != nil {
			continue
		}
		m.Samples = append(m.Samples, s.Samples...)
		m.Seconds += s.Seconds
		for i, v := range s.Observed {
			m.Observed[i] = addSat(m.Observed[i], v)
		}
		if s.Cut != "" {
			m.Cut = s.Cut
		}
		m.Completed += s.Completed
		m.Own = append(m.Own, s.Own...)
		m.Parts = append(m.Parts, s)
		names = append(names, s.Name)
	}
	m.Name = strings.Join(names, ", ")
	return m
}

// Subtract is what a cumulative profile (heap, mutex, block) gained between two captures of the same process: later
// minus earlier, stack by stack. It covers the time between the captures. ok is false if the two cannot be compared:
// other sample types, or a total that fell, which means that the process was restarted in between.
func Subtract(later, earlier *Set) (diff *Set, ok bool) {
	if later.Table != earlier.Table || !slices.Equal(later.Types, earlier.Types) {
		return nil, false
	}
	d := &Set{Table: later.Table, Kind: later.Kind, Name: later.Name + " − " + earlier.Name, Taken: earlier.Taken,
		Types: later.Types, Period: later.Period, Parts: []*Set{earlier, later}}
	if later.Taken.After(earlier.Taken) {
		d.Seconds = later.Taken.Sub(earlier.Taken).Seconds()
	}
	if fell(later, earlier) {
		return nil, false
	}
	cumulative := cumulativeTypes(later)
	d.Samples = subtract(later.Samples, earlier.Samples, cumulative)
	d.Own = subtract(later.Own, earlier.Own, cumulative)
	return d, true
}

// subtract is what samples gained, stack by stack.
func subtract(later, earlier []Sample, cumulative []bool) (out []Sample) {
	width := len(cumulative)
	ids := newStackIDs(len(later))
	now := make([]int64, 0, width*len(later))
	var first []*Sample // of each stack
	for i := range later {
		s := &later[i]
		id := ids.add(s.Stack)
		if id == len(first) {
			first = append(first, s)
			now = append(now, s.Values...)
			continue
		}
		for k, v := range s.Values {
			now[id*width+k] = addSat(now[id*width+k], v)
		}
	}
	before := make([]int64, len(now))
	for i := range earlier {
		if id := ids.find(earlier[i].Stack); id >= 0 {
			for k, v := range earlier[i].Values {
				before[id*width+k] = addSat(before[id*width+k], v)
			}
		}
	}
	for id, s := range first {
		v := now[id*width : (id+1)*width : (id+1)*width]
		for k := range v {
			if v[k] -= before[id*width+k]; cumulative[k] {
				v[k] = max(v[k], 0) // unsampling rounds
			}
		}
		if slices.ContainsFunc(v, func(x int64) bool { return x != 0 }) {
			out = append(out, Sample{Stack: s.Stack, Values: v, Class: s.Class})
		}
	}
	return out
}

// fell reports whether a cumulative total is lower in the later set, by more than rounding and the loss of a few
// records explain.
func fell(later, earlier *Set) bool {
	for i, cumulative := range cumulativeTypes(later) {
		if cumulative && float64(later.Total(ByValue(i))) < 0.99*float64(earlier.Total(ByValue(i))) {
			return true
		}
	}
	return false
}

// Precedes reports whether a cumulative set may be of the same run of a process as a later one. The counters of a run
// never fall, nor does a stack of it go away; two runs have sampled different calls of what each does once at its
// start.
func (s *Set) Precedes(later *Set) bool {
	if s.Table != later.Table || !slices.Equal(s.Types, later.Types) || fell(later, s) {
		return false
	}
	cumulative := cumulativeTypes(s)
	ids := newStackIDs(len(later.Samples))
	sums := func(set *Set, into map[int]float64) {
		for i := range set.Samples {
			for k, v := range set.Samples[i].Values {
				if cumulative[k] {
					into[ids.add(set.Samples[i].Stack)*len(cumulative)+k] += float64(v)
				}
			}
		}
	}
	before, now := make(map[int]float64), make(map[int]float64)
	sums(s, before)
	sums(later, now)
	n, less := 0, 0
	for id, v := range before {
		if v > 0 {
			n++
			if now[id] < 0.99*v {
				less++
			}
		}
	}
	return n > 0 && less <= n/lostStacks
}

// lostStacks is one of how many stacks may be missing in a later set of the same run: those whose outer frames were cut
// off, and restored in one of the two alone.
const lostStacks = 50

// cumulativeTypes tells which values can only grow while a process lives: all except those of what is in use now.
func cumulativeTypes(s *Set) []bool {
	out := make([]bool, len(s.Types))
	for i, t := range s.Types {
		out[i] = !strings.HasPrefix(t.Type, "inuse")
	}
	return out
}
