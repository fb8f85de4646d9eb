package hold

import (
	"cmp"
	"math"
	"slices"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// Timers are the timers, or the contexts, that one place made and that are alive. Each is one object or several (a
// context with a deadline has a timer, and both have functions), so they are counted by what allocates most of them.
type Timers struct {
	Sum                  // of what they are counted by
	Line  stacks.FrameID // the user's; stacks.NoFrame without one
	Maker stacks.FrameID // who asked for them: the line itself, or the innermost frame of the module that it calls

	Contexts bool // a parent context has them as children: they stay until it ends, or they are cancelled
	Ticks    bool // they fire until they are stopped

	Hang *Sum // what hangs on them: objects that the same call made, as many as they are; nil without any
	Kept *Sum // of contexts: what the calls that made them have allocated and nothing of which was freed, Hang with it

	Bytes         float64 // of all that belongs to them
	ParentsTables float64 // bytes of their parents' tables of children, which have no entry for a cancelled one
}

// MoreThan reports whether more than n of them are alive, and not by chance: n would show so many samples once in a
// thousand profiles.
func (t *Timers) MoreThan(n float64) bool {
	expected := n * t.Samples / t.Now.Objects // by the share of them that is sampled
	fewer, exactly := 0.0, math.Exp(-expected)
	for k := range int(t.Samples + 0.5) {
		fewer += exactly
		exactly *= expected / float64(k+1)
	}
	return t.Now.Objects > n && 1-fewer < chanceOfMore
}

// chanceOfMore is how rarely chance may show what is said not to be chance.
const chanceOfMore = 0.001

// Timers are what a heap profile shows of timers and contexts, the most first.
func (h *Heap) Timers() []*Timers {
	type key struct {
		line, maker stacks.FrameID
		contexts    bool
	}
	is := make([]known.Role, len(h.Table.Funcs))
	for i := range h.Table.Funcs {
		is[i] = known.Of(h.Table.Funcs[i].Name).Roles & (known.MakesTimer | known.MakesContext | known.Ticks |
			known.KeepsContext)
	}
	groups := make(map[key]Sums[stacks.FuncID])
	of := make(map[key]*Timers)
	for _, b := range h.Held {
		roles, maker := h.timer(b, is)
		if roles == 0 || maker == stacks.NoFrame {
			continue
		}
		k := key{b.Line, maker, roles&known.MakesContext != 0}
		t := of[k]
		if t == nil {
			t = &Timers{Line: b.Line, Maker: maker, Contexts: k.contexts}
			of[k], groups[k] = t, make(Sums[stacks.FuncID])
		}
		t.Ticks = t.Ticks || roles&known.Ticks != 0
		t.Bytes += b.Now.Bytes
		at := h.Table.FuncID(b.At)
		if is[at]&known.KeepsContext != 0 {
			t.ParentsTables += b.Now.Bytes
			continue
		}
		groups[k].Add(at, b)
	}
	out := make([]*Timers, 0, len(of))
	for k, t := range of {
		if _, most := groups[k].Most(AliveObjects); most != nil {
			t.Sum = *most
		}
		t.Hang = h.hanging(t, groups[k])
		if t.Contexts {
			t.Kept = h.keptBeside(groups[k])
		}
		out = append(out, t)
	}
	slices.SortFunc(out, func(a, b *Timers) int {
		return cmp.Or(cmp.Compare(b.Now.Objects, a.Now.Objects), cmp.Compare(a.Maker, b.Maker), cmp.Compare(a.Line, b.Line))
	})
	return out
}

// hanging is what hangs on timers: what the call that made them has allocated, beside them, in as many objects. The
// function of a timer, and what it refers to, live as long as the timer does.
func (h *Heap) hanging(t *Timers, parts Sums[stacks.FuncID]) *Sum {
	if t.Line == stacks.NoFrame || t.Samples == 0 {
		return nil
	}
	at := make(Sums[stacks.FrameID])
	for _, b := range h.madeWith(parts, h.innermost) {
		if h.Table.FuncID(b.Line) == h.Table.FuncID(t.Line) {
			at.Add(b.Line, b)
		}
	}
	var hang []*Held
	for _, s := range at {
		if asMany(s.Now.Objects, s.Samples, t.Now.Objects, t.Samples) {
			hang = append(hang, s.Held...)
		}
	}
	return SumOf(hang)
}

// keptBeside is what the calls that made contexts have allocated, they or what they call, and nothing of which was
// freed. A context refers to its values, and to those of the context that it was made of.
func (h *Heap) keptBeside(contexts Sums[stacks.FuncID]) *Sum {
	kept := SumOf(slices.DeleteFunc(h.madeWith(contexts, h.calls), func(b *Held) bool {
		return b.Now.Objects <= 0 || !b.WholeIsAlive()
	}))
	if kept == nil || !kept.NeverFreed() {
		return nil
	}
	return kept
}

// madeWith is what the calls that made some parts have allocated beside them, by the calls that a stack shows.
func (h *Heap) madeWith(parts Sums[stacks.FuncID], calls func(*Held) []string) (beside []*Held) {
	own, made := make(map[*Held]bool), make(map[string]bool)
	for _, part := range parts {
		for _, b := range part.Held {
			own[b] = true
			for _, call := range calls(b) {
				made[call] = true
			}
		}
	}
	for _, b := range h.Held {
		if !own[b] && slices.ContainsFunc(calls(b), func(call string) bool { return made[call] }) {
			beside = append(beside, b)
		}
	}
	return beside
}

// calls are the calls of the user's functions on a stack, from the innermost; not the one that a goroutine began with,
// below which all that it does is.
func (h *Heap) calls(b *Held) (out []string) {
	for i, id := range b.Stack[:len(b.Stack)-1] {
		if f := h.Table.Func(id); f.Owner == stacks.User {
			out = append(out, f.Name+string(stacks.AppendKey(nil, b.Stack[i+1:])))
		}
	}
	return out
}

// innermost is the call of the user's innermost function on a stack.
func (h *Heap) innermost(b *Held) []string {
	if b.Line == stacks.NoFrame {
		return nil
	}
	return []string{string(stacks.AppendKey(nil, b.Stack[slices.Index(b.Stack, b.Line)+1:]))}
}

// asMany reports whether two sampled numbers may be the same: they differ by less than two standard deviations, of
// samples that can tell.
func asMany(a, samplesA, b, samplesB float64) bool {
	return samplesA >= leastSame && samplesB >= leastSame &&
		math.Abs(a-b) <= 2*math.Sqrt(a*a/samplesA+b*b/samplesB)
}

// leastSame is how many samples of each number there must be: with fewer, any two may be the same.
const leastSame = 3

// timer is what makes a timer or a context on a stack, between the leaf and the first frame that is neither the
// runtime's nor the standard library's, and who asked for it. Of several modules that call one another it is the
// outermost: a package that wraps package time hands on what it makes. Nothing if the standard library's own code has
// it.
func (h *Heap) timer(b *Held, is []known.Role) (roles known.Role, maker stacks.FrameID) {
	maker, module := stacks.NoFrame, ""
	for _, id := range b.Stack {
		f := h.Table.Func(id)
		switch {
		case f.Owner == stacks.User && maker == stacks.NoFrame:
			return roles, id
		case f.Owner == stacks.User:
			return roles, maker
		case f.Owner == stacks.Dependency && f.Module() != module:
			maker, module = id, f.Module()
		case maker == stacks.NoFrame:
			roles |= is[h.Table.FuncID(id)]
		}
	}
	return roles, maker
}
