package hold

import (
	"slices"
	"strings"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A backlog is work that came and is not done. What it keeps was made by the function that takes work in; who does it
// is few goroutines, in a function literal of that very function which somebody else's goroutine calls, or in a method
// of the same type. As long as they are all busy, more waits than is done.

// Workers are the goroutines that do what a function hands over.
type Workers struct {
	N    int64
	Root stacks.FuncID  // the function they were started with
	At   stacks.FrameID // where most of them are, of the user's
	// Literal reports whether they run a literal of the function itself: what it refers to waits with it.
	Literal bool
}

// WorkersOf are the goroutines of one profile that do what a function of the user's hands over, if all goroutines that
// were started like them are busy with it. A goroutine that was started for each piece of work is no worker.
func WorkersOf(t *stacks.Table, set *stacks.Set, maker stacks.FuncID) (Workers, bool) {
	type started struct { // with one function
		all, busy int64
		literal   bool
		at        map[stacks.FrameID]int64
	}
	n, with := set.Count(), make(map[stacks.FuncID]*started)
	for i := range set.Samples {
		s := &set.Samples[i]
		if len(s.Stack) == 0 {
			continue
		}
		root := t.FuncID(t.Root(s.Stack))
		g := with[root]
		if g == nil {
			g = &started{at: make(map[stacks.FrameID]int64)}
			with[root] = g
		}
		g.all += n(s)
		line, _ := t.UserFrame(s.Stack)
		if own, ok := worksFor(t, s.Stack, root, maker); ok && line != stacks.NoFrame {
			g.busy, g.literal = g.busy+n(s), g.literal || own
			g.at[line] += n(s)
		}
	}
	var best Workers
	for root, g := range with {
		better := g.literal && !best.Literal || g.literal == best.Literal && (g.busy > best.N || g.busy == best.N &&
			root < best.Root)
		if g.busy > 0 && g.busy == g.all && (best.N == 0 || better) {
			line, _ := most(g.at)
			best = Workers{N: g.busy, Root: root, At: line, Literal: g.literal}
		}
	}
	return best, best.N > 0
}

// worksFor reports whether a goroutine does what the maker hands over: it runs a literal of the maker's that it was not
// started with, or it was started with a method of the maker's type and is at work below that.
func worksFor(t *stacks.Table, stack []stacks.FrameID, root, maker stacks.FuncID) (literal, ok bool) {
	name := t.Funcs[maker].Name
	for _, id := range stack {
		switch fn := t.FuncID(id); {
		case fn == maker:
			return false, false // it takes work in itself
		case fn != root && isLiteralOf(t.Funcs[fn].Name, name):
			return true, !isLiteralOf(t.Funcs[root].Name, name)
		}
	}
	f := &t.Funcs[root]
	own := receiver(f.Name)
	line, k := t.UserFrame(stack)
	return false, own != "" && own == receiver(name) && f.Package == t.Funcs[maker].Package && k >= 0 &&
		t.FuncID(line) != root
}

// isLiteralOf reports whether a function is a literal that is written in another: "main.upload.func1" in "main.upload".
func isLiteralOf(name, of string) bool {
	rest, ok := strings.CutPrefix(name, of+".")
	return ok && rest != "" && (strings.HasPrefix(rest, "func") || strings.HasPrefix(rest, "gowrap") ||
		slices.Contains([]byte("0123456789"), rest[0]))
}
