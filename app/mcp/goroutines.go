package mcp

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/number"
)

// A stateRow counts goroutines by what they wait for.
type stateRow struct {
	State string `json:"state"`
	Count int64  `json:"count"`
}

// A groupRow is the goroutines with one stack, state and creator.
type groupRow struct {
	Count     int64    `json:"count"`
	Before    *int64   `json:"before,omitempty"` // in the base
	State     string   `json:"state"`
	Where     string   `json:"where"` // the innermost frame that is the program's own, or else the outermost
	CreatedBy string   `json:"created_by,omitempty"`
	Waiting   int64    `json:"waiting_a_minute,omitempty"` // how many wait for a minute or more; a dump says so
	Longest   int64    `json:"longest_minutes,omitempty"`
	Stack     []string `json:"stack"` // the innermost first
	Deeper    int      `json:"deeper,omitempty"`
}

// stackFrames bounds a stack in an answer.
const stackFrames = 12

// A crowd is what is counted of one stack, state and creator.
type crowd struct {
	stack            []stacks.FrameID
	creator          stacks.FrameID
	state            string
	now, before      int64
	waiting, longest int64
}

func (c *counted) goroutines() error {
	if c.sets[0].Value(c.sets[0].Kind, "count") < 0 {
		return fmt.Errorf("%s is a profile of %s, not of goroutines; its views are top, peek and lines",
			c.shownEvidence.File, c.sets[0].Kind)
	}
	crowds := c.crowds()
	states := make(map[string]int64)
	for _, g := range crowds {
		states[g.state] += g.now
		c.shownEvidence.Total += g.now
	}
	for state, n := range states {
		c.States = append(c.States, stateRow{state, n})
	}
	slices.SortFunc(c.States, func(a, b stateRow) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.State, b.State))
	})
	crowds = slices.DeleteFunc(crowds, func(g *crowd) bool { return !c.has(g, c.evidenceArgs.Function) })
	shown := crowds[:min(len(crowds), c.Rows)]
	c.left("groups", len(shown), len(crowds))
	fmt.Fprintf(&c.text, "%s in %s.\n", number.Things(c.shownEvidence.Total, "goroutine"), c.shownEvidence.File)
	for _, g := range shown {
		r := c.group(g)
		c.Groups = append(c.Groups, r)
		before := ""
		if r.Before != nil {
			before = fmt.Sprintf(" (%d before)", *r.Before)
		}
		fmt.Fprintf(&c.text, "%8d%s  %s at %s", r.Count, before, r.State, r.Where)
		if r.CreatedBy != "" {
			fmt.Fprintf(&c.text, ", created by %s", r.CreatedBy)
		}
		if r.Longest > 0 {
			fmt.Fprintf(&c.text, ", up to %s", number.Things(r.Longest, "minute"))
		}
		c.text.WriteString("\n")
	}
	return nil
}

// crowds groups goroutines; with a base those that grew most are first.
func (c *counted) crowds() []*crowd {
	groups := make(map[string]*crowd)
	for side, set := range c.sets {
		value := stacks.ByValue(set.Value(set.Kind, "count"))
		for i := range set.Samples {
			g := crowd{stack: set.Samples[i].Stack, creator: stacks.NoFrame, state: set.Wait(i).String()}
			var waiting, longest int64
			if set.Goroutines != nil {
				d := set.Goroutines[i]
				g.creator, g.state, waiting, longest = d.CreatedBy, d.State, d.Waiting, d.Longest
			}
			key := fmt.Sprint(g.stack, g.creator, g.state)
			if groups[key] == nil {
				groups[key] = &g
			}
			at := groups[key]
			if n := max(value(&set.Samples[i]), 0); side == 0 {
				at.now, at.waiting, at.longest = at.now+n, at.waiting+waiting, max(at.longest, longest)
			} else {
				at.before += n
			}
		}
	}
	var out []*crowd
	for _, g := range groups {
		out = append(out, g)
	}
	slices.SortFunc(out, func(a, b *crowd) int {
		return cmp.Or(cmp.Compare(b.now-b.before, a.now-a.before), cmp.Compare(b.now, a.now),
			strings.Compare(a.state, b.state), cmp.Compare(a.creator, b.creator), slices.Compare(a.stack, b.stack))
	})
	return out
}

func (c *counted) has(g *crowd, part string) bool {
	return part == "" || c.table.Has(g.stack, func(f *stacks.Func) bool { return isNamed(f, part) })
}

func (c *counted) group(g *crowd) groupRow {
	at, depth := c.table.UserFrame(g.stack)
	if depth < 0 && len(g.stack) > 0 {
		at = g.stack[len(g.stack)-1]
	}
	r := groupRow{Count: g.now, State: g.state, Where: c.place(at), Waiting: g.waiting, Longest: g.longest,
		Stack: []string{}}
	if len(c.sets) > 1 {
		r.Before = &g.before
	}
	if g.creator != stacks.NoFrame {
		r.CreatedBy = c.place(g.creator)
	}
	for _, id := range g.stack[:min(len(g.stack), stackFrames)] {
		r.Stack = append(r.Stack, c.place(id))
	}
	r.Deeper = len(g.stack) - len(r.Stack)
	return r
}

func (c *counted) place(id stacks.FrameID) string {
	if id < 0 {
		return "(no stack)"
	}
	f := c.table.Func(id)
	return fmt.Sprintf("%s %s:%d", f.Name, f.File, c.table.Line(id))
}
