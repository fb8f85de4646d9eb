package view

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A Pile is the goroutines that wait at one place for one thing.
type Pile struct {
	At      stacks.FrameID // the user's line, otherwise the outermost frame that is not the runtime's
	User    bool           // At is the user's
	Wait    stacks.Wait
	N       int64
	Started map[stacks.FrameID]int64 // go statements, from a dump with debug=2
	Root    map[stacks.FrameID]int64 // the goroutines' own functions
	Minutes int64                    // sum of whole minutes waited; only a dump with debug=2 has them
	Longest int64
	Waiting int64 // how many waited a minute or more
	Dump    bool
	Stack   []stacks.FrameID // of the sample with the most goroutines
	most    int64            // how many that sample has
}

func (p *Pile) addDump(g stacks.Goroutine, n int64) {
	p.Dump = true
	p.Minutes += g.Minutes
	p.Waiting += g.Waiting
	p.Longest = max(p.Longest, g.Longest)
	if g.CreatedBy != stacks.NoFrame {
		p.Started[g.CreatedBy] += n
	}
}

// piled is the piles of one set, made once: many detectors ask for them, and compare them between captures.
type piled struct {
	once  sync.Once
	piles []*Pile
	at    map[stacks.FrameID]int64 // goroutines by place, whatever they wait for
}

// Piles are the goroutines of a set by place and wait, the largest first. What they wait for, and since when, only a
// dump says; a profile knows what the stacks show. Nobody may change them.
func (v *View) Piles(s *stacks.Set) []*Pile { return v.piled(s).piles }

// NumberAt is how many goroutines of a set are at a place, whatever they wait for.
func (v *View) NumberAt(s *stacks.Set, at stacks.FrameID) int64 { return v.piled(s).at[at] }

func (v *View) piled(s *stacks.Set) *piled {
	made, _ := v.piles.LoadOrStore(s, new(piled))
	p := made.(*piled)
	p.once.Do(func() {
		p.piles, p.at = v.pile(s), make(map[stacks.FrameID]int64)
		for _, q := range p.piles {
			p.at[q.At] += q.N
		}
	})
	return p
}

func (v *View) pile(s *stacks.Set) []*Pile {
	type key struct {
		at   stacks.FrameID
		wait stacks.Wait
	}
	if s == nil {
		return nil
	}
	count := s.Count() // the kind goroutineleak, too
	byKey := make(map[key]*Pile)
	for i := range s.Samples {
		sample := &s.Samples[i]
		n := count(sample)
		if n <= 0 || len(sample.Stack) == 0 {
			continue
		}
		at, user := v.Table.WaitPlace(sample.Stack)
		k := key{at, s.Wait(i)}
		p := byKey[k]
		if p == nil {
			p = &Pile{At: at, User: user, Wait: k.wait, Started: map[stacks.FrameID]int64{},
				Root: map[stacks.FrameID]int64{}}
			byKey[k] = p
		}
		p.N += n
		if n > p.most {
			p.Stack, p.most = sample.Stack, n
		}
		p.Root[v.Table.Root(sample.Stack)] += n
		if s.Goroutines != nil {
			p.addDump(s.Goroutines[i], n)
		}
	}
	out := make([]*Pile, 0, len(byKey))
	for _, p := range byKey {
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b *Pile) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.At, b.At), cmp.Compare(a.Wait, b.Wait))
	})
	return out
}

// Goroutines is the set of goroutines to judge, or nil. From the best phase it is the latest dump with states and
// times, otherwise the profile with the most goroutines: a profile taken after the trouble shows fewer, and one of a
// growing pile shows more.
func (v *View) Goroutines() *stacks.Set {
	for _, s := range slices.Backward(v.Best(casefile.Goroutine)) {
		if s.Goroutines != nil {
			return s
		}
	}
	return v.MostGoroutines()
}

// MostGoroutines is the evidence with the most goroutines, from the time of the trouble or after it if there is any.
func (v *View) MostGoroutines() (most *stacks.Set) {
	var n int64
	for _, s := range v.Troubled(casefile.Goroutine) {
		if all := s.Total(stacks.ByValue(s.Value(casefile.Goroutine, "count"))); most == nil || all >= n {
			most, n = s, all
		}
	}
	if most == nil { // there is nothing but a baseline
		most = v.Latest(casefile.Goroutine)
	}
	return most
}

// Moments are the goroutine sets of distinct times, oldest first. If one moment has both a dump and a profile, the
// profile is used: the two differ by what ran in between, and the profile's number has no limit. If some have a time,
// those without one are left out (a dump does not say when it was taken).
func (v *View) Moments() []*stacks.Set {
	var out []*stacks.Set
	sets := v.All(casefile.Goroutine)
	if len(sets) > 0 && !sets[len(sets)-1].Taken.IsZero() {
		sets = slices.DeleteFunc(sets, func(s *stacks.Set) bool { return s.Taken.IsZero() })
	}
	for _, s := range sets {
		if n := len(out); n > 0 && s.Taken.Sub(out[n-1].Taken) < time.Second {
			if out[n-1].Goroutines != nil {
				out[n-1] = s
			}
			continue
		}
		out = append(out, s)
	}
	return out
}
