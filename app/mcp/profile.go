package mcp

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/internal/words"
)

// A functionRow is what a function costs: by itself, and with what it calls. Shares are of the total.
type functionRow struct {
	Function   string  `json:"function"`
	File       string  `json:"file,omitempty"`
	Owner      string  `json:"owner"` // "user": the program's own; "dependency", "std", "runtime"
	Self       int64   `json:"self"`
	SelfShare  float64 `json:"self_share"`
	Total      int64   `json:"total"`
	TotalShare float64 `json:"total_share"`
}

// An edgeRow is what a function costs as caller or callee of another. The share is of that one's total.
type edgeRow struct {
	Function string  `json:"function"`
	Value    int64   `json:"value"`
	Share    float64 `json:"share"`
}

// A lineRow is what a line costs.
type lineRow struct {
	File     string  `json:"file"`
	Line     int     `json:"line"`
	Function string  `json:"function"`
	Self     int64   `json:"self"`
	Total    int64   `json:"total"`
	Share    float64 `json:"share"` // of the total
}

// A cost is what was counted of a function or a line: at the leaf, and anywhere on the stack, once a stack.
type cost struct{ self, total int64 }

// A counted profile is a set, and an earlier one that is taken off.
type counted struct {
	*look
	table *stacks.Table
	sets  []*stacks.Set // the second is the base
	value int           // index of the sample type
}

// profile fills the views of a profile.
func (l *look) profile() error {
	c := &counted{look: l, table: stacks.NewTable(l.module())}
	if err := c.add(l.file.File, l.file.Kind, l.data); err != nil {
		return err
	}
	if l.evidenceArgs.Base != "" {
		base, err := l.entry.file(l.evidenceArgs.Base)
		if err != nil {
			return fmt.Errorf("base: %w", err)
		}
		data, err := l.entry.read(base)
		if err != nil {
			return fmt.Errorf("base: %w", err)
		}
		if err := c.add(base.File, base.Kind, data); err != nil {
			return fmt.Errorf("base: %w", err)
		}
	}
	if err := c.choose(); err != nil {
		return err
	}
	set := c.sets[0]
	l.Kind = set.Kind
	l.Note = strings.Join(slices.DeleteFunc([]string{set.Cut, set.Remark}, func(s string) bool { return s == "" }), "; ")
	if l.shownEvidence.View == viewGoroutines {
		return c.goroutines()
	}
	c.shownEvidence.Total = c.whole()
	switch l.shownEvidence.View {
	case viewPeek:
		return c.peek()
	case viewLines:
		return c.lines()
	}
	return c.top()
}

func (l *look) module() string {
	if l.entry.Case == nil {
		return ""
	}
	return l.entry.Case.Case.Target.Build.Module
}

func (c *counted) add(name, kind string, data []byte) error {
	set, err := c.table.Read(stacks.Source{Name: name, Kind: kind}, data)
	if err != nil {
		return err
	}
	if len(c.sets) > 0 && !slices.Equal(set.Types, c.sets[0].Types) {
		return fmt.Errorf("%s is another kind of profile than %s", name, c.sets[0].Name)
	}
	c.sets = append(c.sets, set)
	return nil
}

// usualValues are the numbers that a profile is mostly about, in the order in which they are looked for.
var usualValues = []string{"cpu", "inuse_space", "delay", "alloc_space"}

// choose finds the number that is asked for.
func (c *counted) choose() error {
	types := c.sets[0].Types
	if len(types) == 0 {
		return fmt.Errorf("%s has no numbers", c.sets[0].Name)
	}
	find := func(name string) int {
		return slices.IndexFunc(types, func(t stacks.ValueType) bool { return t.Type == name })
	}
	c.value = len(types) - 1
	if want := c.evidenceArgs.Value; want != "" {
		if c.value = find(want); c.value < 0 {
			var names []string
			for _, t := range types {
				names = append(names, t.Type)
			}
			return fmt.Errorf("%s has no value %.40q; it has %s", c.sets[0].Name, want, strings.Join(names, ", "))
		}
	} else {
		for _, name := range usualValues {
			if i := find(name); i >= 0 {
				c.value = i
				break
			}
		}
	}
	c.shownEvidence.Value, c.shownEvidence.Unit = types[c.value].Type, types[c.value].Unit
	return nil
}

// each calls fn with every sample and its weight; that of the base is negative.
func (c *counted) each(fn func(s *stacks.Sample, weight int64)) {
	for i, set := range c.sets {
		for k := range set.Samples {
			if v := stacks.ByValue(c.value)(&set.Samples[k]); v > 0 {
				fn(&set.Samples[k], v*int64(1-2*i))
			}
		}
	}
}

func (c *counted) whole() (sum int64) {
	c.each(func(_ *stacks.Sample, v int64) { sum += v })
	return sum
}

// share is a part of the total; 0 where a base leaves nothing, or less.
func (c *counted) share(v int64) float64 {
	if c.shownEvidence.Total <= 0 {
		return 0
	}
	return float64(v) / float64(c.shownEvidence.Total)
}

// format writes a number with its unit.
func (c *counted) format(v int64) string {
	switch c.Unit {
	case "nanoseconds":
		return number.Seconds(float64(v) / 1e9)
	case "bytes":
		return number.Bytes(float64(v))
	}
	return number.Count(float64(v))
}

// functions counts by function.
func (c *counted) functions() map[stacks.FuncID]*cost {
	sums := make(map[stacks.FuncID]*cost)
	c.each(func(s *stacks.Sample, v int64) {
		seen := make(map[stacks.FuncID]bool, len(s.Stack))
		for depth, id := range s.Stack {
			fn := c.table.FuncID(id)
			if fn < 0 { // of no frame
				continue
			}
			if sums[fn] == nil {
				sums[fn] = &cost{}
			}
			if depth == 0 {
				sums[fn].self += v
			}
			if !seen[fn] {
				seen[fn] = true
				sums[fn].total += v
			}
		}
	})
	return sums
}

func (c *counted) row(fn stacks.FuncID, v *cost) functionRow {
	f := &c.table.Funcs[fn]
	return functionRow{Function: words.Symbol(f.Name), File: f.File, Owner: f.Owner.String(), Self: v.self,
		SelfShare: c.share(v.self), Total: v.total, TotalShare: c.share(v.total)}
}

// top lists functions.
func (c *counted) top() error {
	sums := c.functions()
	by := func(v *cost) int64 { return v.self }
	switch c.Sort {
	case "", "self":
	case "total":
		by = func(v *cost) int64 { return v.total }
	default:
		return fmt.Errorf("sort is %.40q; want self or total", c.Sort)
	}
	order := slices.Collect(maps.Keys(sums))
	order = slices.DeleteFunc(order, func(fn stacks.FuncID) bool {
		return !isNamed(&c.table.Funcs[fn], c.evidenceArgs.Function) || sums[fn].self == 0 && sums[fn].total == 0
	})
	slices.SortFunc(order, func(a, b stacks.FuncID) int {
		return cmp.Or(cmp.Compare(by(sums[b]), by(sums[a])), cmp.Compare(sums[b].total, sums[a].total),
			cmp.Compare(c.table.Funcs[a].Name, c.table.Funcs[b].Name))
	})
	shown := order[:min(len(order), c.Rows)]
	c.left("functions", len(shown), len(order))
	fmt.Fprintf(&c.text, "%s of %s, %s in all.\n%10s %6s %10s %6s  function\n", c.shownEvidence.Value,
		c.shownEvidence.File, c.format(c.shownEvidence.Total), "self", "", "total", "")
	for _, fn := range shown {
		r := c.row(fn, sums[fn])
		c.Functions = append(c.Functions, r)
		fmt.Fprintf(&c.text, "%10s %6s %10s %6s  %s\n", c.format(r.Self), number.Share(r.SelfShare), c.format(r.Total),
			number.Share(r.TotalShare), r.Function)
	}
	return nil
}

// isNamed reports whether a part of a function's name is this, as the linker or a person writes it.
func isNamed(f *stacks.Func, part string) bool {
	return strings.Contains(words.Symbol(f.Name), words.Symbol(part))
}

// one finds the function that is asked for: the one with this name, or the only one that has it as a part.
func (c *counted) one(sums map[stacks.FuncID]*cost) (stacks.FuncID, error) {
	want := c.evidenceArgs.Function
	if want == "" {
		return 0, fmt.Errorf("which function? Name one, or a part of its name; the view top lists them")
	}
	var found []stacks.FuncID
	for fn := range sums {
		switch f := &c.table.Funcs[fn]; {
		case words.Symbol(f.Name) == words.Symbol(want):
			return fn, nil
		case isNamed(f, want):
			found = append(found, fn)
		}
	}
	slices.SortFunc(found, func(a, b stacks.FuncID) int {
		return cmp.Or(cmp.Compare(sums[b].total, sums[a].total), cmp.Compare(a, b))
	})
	switch {
	case len(found) == 0:
		return 0, fmt.Errorf("no function of %s has %.200q in its name; the view top lists them", c.shownEvidence.File, want)
	case len(found) > 1:
		var names []string
		for _, fn := range found[:min(len(found), 10)] {
			names = append(names, words.Symbol(c.table.Funcs[fn].Name))
		}
		return 0, fmt.Errorf("%d functions have %.200q in their names; name one: %s", len(found), want,
			strings.Join(names, ", "))
	}
	return found[0], nil
}

// peek shows who calls a function, and what it calls.
func (c *counted) peek() error {
	sums := c.functions()
	fn, err := c.one(sums)
	if err != nil {
		return err
	}
	callers, callees := make(map[stacks.FuncID]int64), make(map[stacks.FuncID]int64)
	c.each(func(s *stacks.Sample, v int64) {
		up, down := make(map[stacks.FuncID]bool), make(map[stacks.FuncID]bool)
		for i, id := range s.Stack { // the leaf first
			if c.table.FuncID(id) != fn {
				continue
			}
			if i+1 < len(s.Stack) && s.Stack[i+1] >= 0 {
				up[c.table.FuncID(s.Stack[i+1])] = true
			}
			if i > 0 && s.Stack[i-1] >= 0 {
				down[c.table.FuncID(s.Stack[i-1])] = true
			}
		}
		for f := range up {
			callers[f] += v
		}
		for f := range down {
			callees[f] += v
		}
	})
	row := c.row(fn, sums[fn])
	c.shownEvidence.Function = &row
	c.Callers, c.Callees = c.edges("callers", callers, row.Total), c.edges("callees", callees, row.Total)
	fmt.Fprintf(&c.text, "%s of %s: %s by itself, %s (%s) with what it calls.\nCallers:\n", c.shownEvidence.Value,
		row.Function, c.format(row.Self), c.format(row.Total), number.Share(row.TotalShare))
	c.printEdges(c.Callers)
	c.text.WriteString("Callees:\n")
	c.printEdges(c.Callees)
	return nil
}

func (c *counted) edges(what string, sums map[stacks.FuncID]int64, of int64) (out []edgeRow) {
	order := slices.SortedFunc(maps.Keys(sums), func(a, b stacks.FuncID) int {
		return cmp.Or(cmp.Compare(sums[b], sums[a]), cmp.Compare(c.table.Funcs[a].Name, c.table.Funcs[b].Name))
	})
	for _, f := range order[:min(len(order), c.Rows)] {
		r := edgeRow{Function: words.Symbol(c.table.Funcs[f].Name), Value: sums[f]}
		if of > 0 {
			r.Share = float64(r.Value) / float64(of)
		}
		out = append(out, r)
	}
	c.left(what, len(out), len(order))
	return out
}

func (c *counted) printEdges(rows []edgeRow) {
	for _, r := range rows {
		fmt.Fprintf(&c.text, "%10s %6s  %s\n", c.format(r.Value), number.Share(r.Share), r.Function)
	}
	if len(rows) == 0 {
		c.text.WriteString("    (none)\n")
	}
}

// lines shows what lines cost: of one function in their order, otherwise the most expensive ones of all.
func (c *counted) lines() error {
	sums := make(map[stacks.FrameID]*cost)
	c.each(func(s *stacks.Sample, v int64) {
		seen := make(map[stacks.FrameID]bool, len(s.Stack))
		for depth, id := range s.Stack {
			if id < 0 {
				continue
			}
			if sums[id] == nil {
				sums[id] = &cost{}
			}
			if depth == 0 {
				sums[id].self += v
			}
			if !seen[id] {
				seen[id] = true
				sums[id].total += v
			}
		}
	})
	order := slices.Collect(maps.Keys(sums))
	by := func(id stacks.FrameID) int64 { return sums[id].self }
	if c.Sort == "total" {
		by = func(id stacks.FrameID) int64 { return sums[id].total }
	}
	if c.evidenceArgs.Function != "" {
		fn, err := c.one(c.functions())
		if err != nil {
			return err
		}
		order = slices.DeleteFunc(order, func(id stacks.FrameID) bool { return c.table.FuncID(id) != fn })
		by = func(id stacks.FrameID) int64 { return -int64(c.table.Line(id)) }
	}
	slices.SortFunc(order, func(a, b stacks.FrameID) int { return cmp.Or(cmp.Compare(by(b), by(a)), cmp.Compare(a, b)) })
	shown := order[:min(len(order), c.Rows)]
	c.left("lines", len(shown), len(order))
	fmt.Fprintf(&c.text, "%s of %s, %s in all.\n%10s %10s  line\n", c.shownEvidence.Value, c.shownEvidence.File,
		c.format(c.shownEvidence.Total), "self", "total")
	for _, id := range shown {
		f := c.table.Func(id)
		r := lineRow{File: f.File, Line: c.table.Line(id), Function: words.Symbol(f.Name), Self: sums[id].self,
			Total: sums[id].total, Share: c.share(sums[id].total)}
		c.Lines = append(c.Lines, r)
		fmt.Fprintf(&c.text, "%10s %10s  %s:%d %s\n", c.format(r.Self), c.format(r.Total), r.File, r.Line, r.Function)
	}
	return nil
}
