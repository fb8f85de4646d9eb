// Package heat says what lines of source cost, from the profiles of a running program.
//
// The problem: an analyzer or the compiler names a line, and nobody knows whether production ever pays for it. The
// approach: the samples of CPU, heap, block and mutex profiles are indexed by the files and lines of all frames of
// their stacks, so that the cost of some lines is the share of the samples that pass them or what is called there. Each
// sample counts once, however often its stack passes: recursion and loops of calls do not add up.
//
// Limits: a profile blames lines and not expressions; lines that were inlined are blamed where they are written, with
// their callers; and what a profile did not sample is not cold, only unseen: Total.Samples says how certain that is.
package heat

import (
	"cmp"
	"iter"
	"math"
	"path/filepath"
	"slices"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A Measure is what lines are charged for.
type Measure int

// The measures.
const (
	CPU          Measure = iota // ns on a processor; marking on idle processors is nobody's
	AllocBytes                  // bytes allocated, live or not
	AllocObjects                // objects allocated
	Wait                        // ns of waiting: for locks, by those who hold them; for locks and channels, by those who wait
	LiveBytes                   // bytes that were allocated there and are in use
	measures
)

// Measures lists all.
func Measures() []Measure { return []Measure{CPU, AllocBytes, AllocObjects, Wait, LiveBytes} }

// String is the measure's name in JSON.
func (m Measure) String() string {
	return [...]string{"cpu", "alloc_bytes", "alloc_objects", "wait", "live_bytes"}[m]
}

// A Cost is a share of all that was measured, from 0 to 1, by Measure.
type Cost [measures]float64

// shares are what Cost is made of: of waiting, what mutex profiles say, and what block profiles say of the same waits.
type shares [measures + 1]float64

// blocked is the index of what block profiles say; mutex profiles have Wait's.
const blocked = measures

// cost is what shares come to. Of the two profiles of waiting the one counts that says more.
func (s shares) cost() (c Cost) {
	for k := range c {
		c[k] = min(s[k], 1) // rounding
	}
	c[Wait] = max(c[Wait], min(s[blocked], 1))
	return c
}

func (s shares) plus(more shares) shares {
	for k := range s {
		s[k] += more[k]
	}
	return s
}

// A Total is what the shares of a measure are shares of.
type Total struct {
	Value   float64 // ns, bytes or objects
	Samples float64 // that were taken to know it, about: how certain small shares are
	Seconds float64 // it covers; 0 where that is not known: all since the process began
}

// A Map is where the cost of a program is.
type Map struct {
	table  *stacks.Table
	files  []string // of each function of the table: on this machine, or as the build named it
	lines  map[string][]passing
	costs  []shares // of each sample
	stacks [][]stacks.FrameID
	totals [measures]Total
	waited shares // ns a second, by mutex and by block profiles
}

// A passing is a sample whose stack is on a line.
type passing struct {
	line   int32
	sample int32
}

// Locate returns the file of a function on this machine, "" where it is not here.
type Locate func(f *stacks.Func) string

// Of indexes what was sampled. The sets have one table; what is no CPU, heap, block or mutex profile is ignored. A nil
// locate leaves file names as the build recorded them.
func Of(sets []*stacks.Set, locate Locate) *Map {
	m := &Map{lines: make(map[string][]passing)}
	if len(sets) == 0 {
		return m
	}
	m.table = sets[0].Table
	m.files = make([]string, len(m.table.Funcs))
	for i := range m.table.Funcs {
		f := &m.table.Funcs[i]
		if locate != nil {
			m.files[i] = locate(f)
		}
		m.files[i] = cmp.Or(m.files[i], f.File)
	}
	for _, c := range charges(sets) {
		m.add(c)
	}
	for _, p := range m.lines {
		slices.SortFunc(p, func(a, b passing) int {
			return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.sample, b.sample))
		})
	}
	return m
}

// add indexes the samples of one profile.
func (m *Map) add(c charge) {
	for i := range c.set.Samples {
		s := &c.set.Samples[i]
		cost, some := c.cost(s)
		if !some || len(s.Stack) == 0 {
			continue
		}
		id := int32(len(m.costs))
		m.costs, m.stacks = append(m.costs, cost), append(m.stacks, s.Stack)
		for _, f := range s.Stack {
			file, line := m.files[m.table.FuncID(f)], int32(m.table.Line(f))
			m.lines[file] = append(m.lines[file], passing{line, id})
		}
	}
	for _, v := range c.values {
		if c.set.Seconds > 0 {
			m.waited[v.column] = v.total / c.set.Seconds
		}
		if v.total > m.totals[v.measure].Value {
			m.totals[v.measure] = Total{Value: v.total, Samples: c.samples(v), Seconds: c.set.Seconds}
		}
	}
}

// Total returns what the shares of a measure are shares of; its Value is 0 where nothing measured it.
func (m *Map) Total(by Measure) Total { return m.totals[by] }

// Has reports whether anything was sampled by a measure.
func (m *Map) Has(by Measure) bool { return m.totals[by].Value > 0 }

// Lines returns the cost of lines of a file, both ends included, with what is called there.
func (m *Map) Lines(file string, from, to int) Cost {
	return m.sum(m.passing(filepath.Clean(file), from, to))
}

// Own returns the cost of lines of a file by themselves: a line of the runtime counts for the one that called it.
func (m *Map) Own(file string, from, to int) Cost {
	file = filepath.Clean(file)
	return m.sum(slices.DeleteFunc(m.passing(file, from, to), func(id int32) bool {
		f, at := m.table.Caller(m.stacks[id])
		return at < 0 || !m.isAt(f, file, from, to)
	}))
}

// Calls returns the part of the cost of lines that is spent in functions that these lines call, and of which called is
// true. It is asked with the name of the function, or "" for what the line does by itself, and with the names of what that
// function called in its turn.
func (m *Map) Calls(file string, from, to int, called func(name string, below iter.Seq[string]) bool) Cost {
	file = filepath.Clean(file)
	ids := slices.DeleteFunc(m.passing(file, from, to), func(id int32) bool {
		stack := m.stacks[id]
		for i, f := range stack {
			if !m.isAt(f, file, from, to) {
				continue
			}
			name := ""
			if i > 0 {
				name = m.table.Func(stack[i-1]).Name
			}
			if called(name, m.names(stack[:max(0, i-1)])) {
				return false
			}
		}
		return true
	})
	return m.sum(ids)
}

// Below returns the part of the cost of lines that is spent in functions which are called there, or by what is called
// there, however deep.
func (m *Map) Below(file string, from, to int, called func(name string, below iter.Seq[string]) bool) Cost {
	file = filepath.Clean(file)
	ids := slices.DeleteFunc(m.passing(file, from, to), func(id int32) bool {
		stack := m.stacks[id]
		outer := len(stack) - 1
		for !m.isAt(stack[outer], file, from, to) {
			outer--
		}
		return !m.reaches(stack[:outer], called)
	})
	return m.sum(ids)
}

// Anywhere returns the cost of functions wherever they are called from.
func (m *Map) Anywhere(called func(name string, below iter.Seq[string]) bool) Cost {
	var s shares
	for id, stack := range m.stacks {
		if m.reaches(stack, called) {
			s = s.plus(m.costs[id])
		}
	}
	return s.cost()
}

// reaches reports whether called is true of one of some frames.
func (m *Map) reaches(stack []stacks.FrameID, called func(name string, below iter.Seq[string]) bool) bool {
	for i, f := range stack {
		if called(m.table.Func(f).Name, m.names(stack[:i])) {
			return true
		}
	}
	return false
}

// Waiters is how many goroutines waited at lines of a file, or for those that ran there, on average; known is false
// where the profiles span no known time. Shares of waiting say nothing about that: somebody waits the longest in a
// process that hardly waits.
func (m *Map) Waiters(file string, from, to int) (n float64, known bool) {
	var s shares
	for _, id := range m.passing(filepath.Clean(file), from, to) {
		s = s.plus(m.costs[id])
	}
	const second = 1e9
	return max(s[Wait]*m.waited[Wait], s[blocked]*m.waited[blocked]) / second, m.waited[Wait]+m.waited[blocked] > 0
}

// isAt reports whether a frame is on some lines of a file.
func (m *Map) isAt(f stacks.FrameID, file string, from, to int) bool {
	line := m.table.Line(f)
	return from <= line && line <= to && m.files[m.table.FuncID(f)] == file
}

// Sizes returns the sizes, in bytes, of the objects that lines of a file allocate by themselves, ascending. A heap profile
// counts objects of each size by themselves (runtime/pprof/protomem.go).
func (m *Map) Sizes(file string, from, to int) (sizes []int64) {
	file = filepath.Clean(file)
	for _, id := range m.passing(file, from, to) {
		objects := m.costs[id][AllocObjects] * m.totals[AllocObjects].Value
		if objects <= 0 || !m.isAt(m.stacks[id][0], file, from, to) {
			continue
		}
		sizes = append(sizes, int64(math.Round(m.costs[id][AllocBytes]*m.totals[AllocBytes].Value/objects)))
	}
	slices.Sort(sizes)
	return slices.Compact(sizes)
}

// names are those of some frames.
func (m *Map) names(frames []stacks.FrameID) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, f := range frames {
			if !yield(m.table.Func(f).Name) {
				return
			}
		}
	}
}

// passing returns the samples that pass lines, each once.
func (m *Map) passing(file string, from, to int) []int32 {
	all := m.lines[file]
	first, _ := slices.BinarySearchFunc(all, int32(from), func(p passing, line int32) int {
		return cmp.Compare(p.line, line)
	})
	var ids []int32
	for _, p := range all[first:] {
		if int(p.line) > to {
			break
		}
		ids = append(ids, p.sample)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// sum adds the costs of samples, each of which is named once.
func (m *Map) sum(ids []int32) Cost {
	var s shares
	for _, id := range ids {
		s = s.plus(m.costs[id])
	}
	return s.cost()
}
