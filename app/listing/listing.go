// Package listing shows the source of functions with what each of their lines costs.
//
// The problem: a finding names a line, and who wants to change it reads the whole function: what the lines around it
// cost, in every profile at once, and how many goroutines stand where. go tool pprof -list shows one profile at a time.
// The approach: package heat knows the cost of lines, goroutine profiles how many pass them, and package source the
// text of the build's own versions; a Listing is the three beside each other.
//
// Limits: without source only lines that cost something are known; and a line that was inlined is blamed where it is
// written.
package listing

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/app/heat"
	"github.com/gocasebook/casebook/app/source"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// Most is how many functions a Listing has: a name that matches more was not meant.
const Most = 20

// A Listing is functions, those that cost most first.
type Listing struct {
	Totals     []heat.Total // what shares are of, by measure; of no value where nothing measured it
	Goroutines int64        // of the last profile of goroutines; 0 without one
	Functions  []Function
	Left       int // functions that match and are not among these
}

// A Function is a declared function with its closures.
type Function struct {
	Name   string // as the evidence names it
	File   string // as the build recorded it
	Lines  []Line // all of it; without source those that cost something
	Total  Line   // of the function: each sample once
	Source bool   // whether the text of the lines is here
	Note   string // what a reader must know of the source
}

// A Line is one line of a function.
type Line struct {
	Number     int
	Text       string
	Own        heat.Cost // of the line by itself, with what the runtime does for it
	Cost       heat.Cost // with everything that is called there
	Goroutines int64     // that are there, or in what is called there
}

// Cold reports whether nothing was measured at a line.
func (l *Line) Cold() bool { return l.Goroutines == 0 && l.Cost == heat.Cost{} }

// An Input is what a Listing is made of.
type Input struct {
	Heat       *heat.Map   // whose files are named as the build recorded them
	Goroutines *stacks.Set // the last; nil without one
	Source     facts.Source
}

// Of lists the functions with this name, or with it in theirs.
func Of(ctx context.Context, in Input, name string) *Listing {
	l := &Listing{}
	for _, m := range heat.Measures() {
		l.Totals = append(l.Totals, in.Heat.Total(m))
	}
	w := writer{in: in, passed: make(map[place][]int)}
	if in.Goroutines != nil {
		w.index(in.Goroutines)
		l.Goroutines = w.goroutines
	}
	all := w.declared(name)
	l.Left = max(len(all)-Most, 0)
	for _, d := range all[:len(all)-l.Left] {
		l.Functions = append(l.Functions, w.function(ctx, d))
	}
	return l
}

// A declared is a declared function as the evidence knows it.
type declared struct {
	name  string // its own, or that of a closure where the evidence has no other
	file  string
	lines source.Span // that the evidence has, the first and the last
}

// A place is a line of a file.
type place struct {
	file string
	line int
}

type writer struct {
	in    Input
	count stacks.Weight

	goroutines int64
	passed     map[place][]int // indices of samples of goroutines
}

// declared are the functions of this name, those that cost most first.
func (w *writer) declared(name string) []declared {
	type key struct{ file, name string }
	found := make(map[key]declared)
	add := func(t *stacks.Table, stack []stacks.FrameID) {
		for _, id := range stack {
			f, line := t.Func(id), t.Line(id)
			if f.File == "" || line <= 0 || !strings.Contains(f.Name, name) {
				continue
			}
			k := key{f.File, facts.Declared(f.Name)}
			d, ok := found[k]
			if !ok {
				d = declared{f.Name, f.File, source.Span{First: line, Last: line}}
			}
			d.name = min(d.name, f.Name) // that of the function itself, if it is there, is the shortest
			d.lines.First, d.lines.Last = min(d.lines.First, line), max(d.lines.Last, line)
			found[k] = d
		}
	}
	for _, m := range heat.Measures() {
		for _, s := range w.in.Heat.Stacks(m) {
			add(w.in.Heat.Table(), s.Frames)
		}
	}
	if g := w.in.Goroutines; g != nil {
		for i := range g.Samples {
			add(g.Table, g.Samples[i].Stack)
		}
	}
	weights := make(map[declared]float64, len(found))
	for _, d := range found {
		all := w.line(d.file, d.lines.First, d.lines.Last)
		weights[d] = max(slices.Max(all.Cost[:]), float64(all.Goroutines)/float64(max(w.goroutines, 1)))
	}
	return slices.SortedFunc(maps.Keys(weights), func(a, b declared) int {
		return cmp.Or(cmp.Compare(weights[b], weights[a]), cmp.Compare(a.name, b.name), cmp.Compare(a.file, b.file))
	})
}

// function has its source where that is here.
func (w *writer) function(ctx context.Context, d declared) Function {
	f := Function{Name: d.name, File: d.file}
	var text []string
	if w.in.Source != nil {
		text, f.Note = w.in.Source.Lines(ctx, facts.Frame{Function: d.name, File: d.file, Line: d.lines.First})
	}
	span := d.lines
	if in := source.Functions(text, d.lines.First); len(in) > 0 {
		f.Source, span = true, in[0]
	}
	for n := span.First; n <= span.Last; n++ {
		l := w.line(d.file, n, n)
		if f.Source {
			l.Text = text[n-1]
		} else if l.Cold() {
			continue
		}
		f.Lines = append(f.Lines, l)
	}
	f.Total = w.line(d.file, span.First, span.Last)
	return f
}

func (w *writer) line(file string, from, to int) Line {
	return Line{Number: from, Own: w.in.Heat.Own(file, from, to), Cost: w.in.Heat.Lines(file, from, to),
		Goroutines: w.standing(file, from, to)}
}

// index finds the goroutines that pass each line.
func (w *writer) index(set *stacks.Set) {
	w.count = set.Count()
	w.goroutines = set.Total(w.count)
	for i := range set.Samples {
		for _, id := range set.Samples[i].Stack {
			at := place{set.Table.Func(id).File, set.Table.Line(id)}
			w.passed[at] = append(w.passed[at], i)
		}
	}
}

// standing is how many goroutines pass some lines, each once.
func (w *writer) standing(file string, from, to int) (n int64) {
	var all []int
	for line := from; line <= to; line++ {
		all = append(all, w.passed[place{file, line}]...)
	}
	slices.Sort(all)
	for _, i := range slices.Compact(all) {
		n += w.count(&w.in.Goroutines.Samples[i])
	}
	return n
}
