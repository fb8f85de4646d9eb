package stacks

import (
	"encoding/binary"
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
// less earlier, stack by stack. It spans the time between the captures. ok is false where the two do not compare: other
// sample types, or a total that fell, which means that the process was restarted in between.
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
	before := make(map[string][]int64, len(earlier))
	for i := range earlier {
		add(before, stackKey(earlier[i].Stack), earlier[i].Values)
	}
	now := make(map[string][]int64, len(later))
	first := make(map[string]*Sample, len(later))
	var order []string
	for i := range later {
		s := &later[i]
		k := stackKey(s.Stack)
		if first[k] == nil {
			first[k] = s
			order = append(order, k)
		}
		add(now, k, s.Values)
	}
	for _, k := range order {
		v := now[k]
		for i, b := range before[k] {
			v[i] -= b
			if cumulative[i] {
				v[i] = max(v[i], 0) // unsampling rounds
			}
		}
		if slices.ContainsFunc(v, func(x int64) bool { return x != 0 }) {
			out = append(out, Sample{Stack: first[k].Stack, Values: v, Class: first[k].Class})
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

// cumulativeTypes tells which values can only grow while a process lives: all but those of what is in use now.
func cumulativeTypes(s *Set) []bool {
	out := make([]bool, len(s.Types))
	for i, t := range s.Types {
		out[i] = !strings.HasPrefix(t.Type, "inuse")
	}
	return out
}

func add(m map[string][]int64, key string, values []int64) {
	sum, ok := m[key]
	if !ok {
		m[key] = slices.Clone(values)
		return
	}
	for i, v := range values {
		sum[i] = addSat(sum[i], v)
	}
}

func stackKey(stack []FrameID) string {
	b := make([]byte, 0, 4*len(stack))
	for _, id := range stack {
		b = binary.LittleEndian.AppendUint32(b, uint32(id))
	}
	return string(b)
}
