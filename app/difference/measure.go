package difference

import (
	"math"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// Resources that are added up by place.
const (
	CPU        = "cpu"
	Memory     = "memory"
	Goroutines = "goroutines"
)

// A resource is what is added up, and by how much a place must differ at least to be told.
type resource struct {
	name  string
	unit  vitals.Unit
	least float64
	of    func(*diagnose.Reading) *measure
}

var resources = [...]resource{
	{CPU, vitals.Cores, 0.01, cpuOf},
	{Memory, vitals.Bytes, 1 << 20, heapOf},
	{Goroutines, vitals.Count, 10, goroutinesOf},
}

// A measure is one resource of one side.
type measure struct {
	*resource
	table  *stacks.Table
	set    *stacks.Set
	weight stacks.Weight
	scale  float64 // from the profile's values to the unit
	sample float64 // what one sample stands for, in the unit
	total  float64
}

// A side is all that is measured of one piece of evidence.
type side struct {
	reading *diagnose.Reading
	by      map[string]*measure
}

func measured(r *diagnose.Reading) *side {
	s := &side{r, make(map[string]*measure)}
	for i := range resources {
		if r == nil {
			break
		}
		if m := resources[i].of(r); m != nil && m.set != nil {
			m.resource, m.table = &resources[i], r.Table
			m.total = m.sum(func(*stacks.Sample) bool { return true })
			s.by[resources[i].name] = m
		}
	}
	return s
}

// cpuOf is the CPU of the trouble, in cores, all of it: findings have their shares of that.
func cpuOf(r *diagnose.Reading) *measure {
	set := stacks.Merge(r.Best(casefile.CPU))
	if set == nil || set.Seconds <= 0 {
		return nil
	}
	ns := stacks.ByValue(set.Value("cpu", "nanoseconds"))
	m := &measure{set: set, scale: 1e-9 / set.Seconds, weight: ns}
	ticks := max(float64(set.Total(stacks.ByValue(set.Value("samples", "count")))), 1)
	m.sample = float64(set.Total(ns)) * m.scale / ticks
	return m
}

// heapOf is what was alive at the last collection.
func heapOf(r *diagnose.Reading) *measure {
	h := r.Holds()
	if h == nil || h.Last == nil {
		return nil
	}
	return &measure{set: h.Last, scale: 1, sample: h.Last.Rate(),
		weight: stacks.ByValue(h.Last.Value("inuse_space", "bytes"))}
}

func goroutinesOf(r *diagnose.Reading) *measure {
	set := r.Goroutines()
	if set == nil {
		return nil
	}
	return &measure{set: set, scale: 1, sample: 1, weight: set.Count()}
}

// sum is what the samples have for which match is true.
func (m *measure) sum(match func(*stacks.Sample) bool) float64 {
	return m.scale * float64(m.set.Total(func(s *stacks.Sample) int64 {
		if !match(s) {
			return 0
		}
		return m.weight(s)
	}))
}

// through is what stacks have that pass a line of a function; with line 0 any of its lines.
func (m *measure) through(function string, line int) float64 { return m.sum(m.passing(function, line)) }

// passing matches the stacks that pass a line of a function; with line 0 any of its lines.
func (m *measure) passing(function string, line int) func(*stacks.Sample) bool {
	of := make(map[stacks.FuncID]bool)
	for i := range m.table.Funcs {
		if m.table.Funcs[i].Name == function {
			of[stacks.FuncID(i)] = true
		}
	}
	return func(s *stacks.Sample) bool {
		return slices.ContainsFunc(s.Stack, func(id stacks.FrameID) bool {
			return of[m.table.FuncID(id)] && (line == 0 || m.table.Line(id) == line)
		})
	}
}

// band is how many standard errors two sums differ by that are not the same.
const band = 4

// surely reports whether two sums of samples, which scatter by their root, differ by more than chance.
func surely(base, now *measure, b, n float64) bool {
	return math.Abs(n-b) >= max(band*scatter(base, now, b, n), now.least)
}

// scatter is the standard error of the difference of two sums of samples.
func scatter(base, now *measure, b, n float64) float64 {
	return math.Sqrt(b*base.sample + n*now.sample)
}
