package wait

import (
	"slices"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A Door is a server's loop that does not wait for the next connection, but for leave to accept it: a listener with a
// limit is full. Who comes meanwhile waits in the kernel, where no profile shows it.
type Door struct {
	*Pile
	Idle []int64 // connections that wait for their next request, in each capture
}

// Door finds the one that waits in the last two captures.
func (g *Graph) Door() (d Door, ok bool) {
	i := slices.IndexFunc(g.Piles, func(p *Pile) bool { return p.stays() && g.atDoor(p) })
	if i < 0 {
		return d, false
	}
	d = Door{g.Piles[i], make([]int64, len(g.Moments))}
	for _, p := range g.Piles {
		if p.For != Asked || !g.below(p, known.BeginsRequest) {
			continue
		}
		for m, n := range p.N {
			d.Idle[m] += n
		}
	}
	return d, true
}

// atDoor reports whether goroutines are in the listener of a server, and wait there for others of the process.
func (g *Graph) atDoor(p *Pile) bool {
	switch p.Park {
	case stacks.WaitReceive, stacks.WaitSend, stacks.WaitSelect, stacks.WaitCond, stacks.WaitSemaphore:
		return !p.Request && g.below(p, known.Accepts) && !known.Of(g.Table.Func(p.At).Name).Is(known.Accepts)
	}
	return false
}

// stays reports whether as many are there in the last two captures.
func (p *Pile) stays() bool {
	last := len(p.N) - 1
	return last > 0 && p.N[last] > 0 && p.N[last] == p.N[last-1]
}

func (g *Graph) below(p *Pile, role known.Role) bool {
	return g.Table.Has(p.Stack, func(f *stacks.Func) bool { return known.Of(f.Name).Is(role) })
}
