package diagnose

import (
	"sync"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A funcSet tells by FuncID whether a function belongs to a set. A profile has a hundred times as many frames as
// functions, so names are compared once per function and not once per frame.
type funcSet []bool

// funcs are the functions for which match is true.
func (r *Reading) funcs(match func(*stacks.Func) bool) funcSet {
	set := make(funcSet, len(r.Table.Funcs))
	for i := range r.Table.Funcs {
		set[i] = match(&r.Table.Funcs[i])
	}
	return set
}

// named are the functions whose names begin with one of the prefixes.
func (r *Reading) named(prefixes ...string) funcSet { return r.funcs(named(prefixes...)) }

// withWork are the functions that do one of the works.
func (r *Reading) withWork(works ...known.Work) funcSet { return r.funcs(withWork(works...)) }

// in reports whether one of the functions is in a stack.
func (m funcSet) in(t *stacks.Table, stack []stacks.FrameID) bool {
	for _, id := range stack {
		if m[t.FuncID(id)] {
			return true
		}
	}
	return false
}

// belowUser reports whether one of the functions is in a stack below the user's first line, and which line that is;
// NoFrame without one.
func (m funcSet) belowUser(t *stacks.Table, stack []stacks.FrameID) (line stacks.FrameID, hit bool) {
	for _, id := range stack {
		fn := t.FuncID(id)
		if t.Funcs[fn].Owner == stacks.User {
			return id, hit
		}
		hit = hit || m[fn]
	}
	return stacks.NoFrame, hit
}

// A pileSet is the piles of one set, made once: many detectors ask for them, and compare them between captures.
type pileSet struct {
	once  sync.Once
	piles []*pile
	at    map[stacks.FrameID]int64 // goroutines by place, whatever they wait for
}

// pileSets are those of a reading's sets. They are shared by detectors that run at once, and not changed after they
// are made.
type pileSets struct {
	mu  sync.Mutex
	set map[*stacks.Set]*pileSet
}

func (p *pileSets) of(r *Reading, s *stacks.Set) *pileSet {
	p.mu.Lock()
	if p.set == nil {
		p.set = make(map[*stacks.Set]*pileSet)
	}
	made := p.set[s]
	if made == nil {
		made = &pileSet{at: make(map[stacks.FrameID]int64)}
		p.set[s] = made
	}
	p.mu.Unlock()
	made.once.Do(func() {
		made.piles = makePiles(r, s)
		for _, q := range made.piles {
			made.at[q.at] += q.n
		}
	})
	return made
}

// piles groups the goroutines of a set by place and wait; the largest first. They must not be changed.
func (r *Reading) piles(s *stacks.Set) []*pile { return r.pileSets.of(r, s).piles }

// numberAt is how many goroutines of a set are at a place.
func (r *Reading) numberAt(s *stacks.Set, at stacks.FrameID) int64 { return r.pileSets.of(r, s).at[at] }
