package hold

import "github.com/gocasebook/casebook/diagnose/stacks"

// LeastWhole is how many sampled allocations a stack must have made: of fewer, chance may have left all alive.
const LeastWhole = 3

// KeptWhole is what is kept whole below each call: of many stacks all that they ever allocated is alive. What a call
// needs for itself is on other stacks, and those have freed. Without a line of the user's it is what the first function
// of a dependency, or the server itself, keeps. Nobody may change it.
func (h *Heap) KeptWhole() Sums[Call] { return h.whole() }

// keptWhole makes it. Stacks with few sampled allocations count by what allocates, and only beside as much that is
// certain.
func (h *Heap) keptWhole() Sums[Call] {
	type site struct {
		call Call
		at   stacks.FrameID
	}
	few, out, beside := make(Sums[site]), make(Sums[Call]), make(Sums[Call])
	for _, b := range h.Held {
		k := b.Call()
		if b.Line == stacks.NoFrame {
			k.Enter = h.Table.Entered(b.Stack)
		}
		switch {
		case b.Made.Bytes <= 0, b.Pooled(h.Table): // a pool's object belongs to whoever takes it next
		case b.Samples(b.Made) < LeastWhole:
			few.Add(site{k, b.At}, b)
		case b.WholeIsAlive():
			out.Add(k, b)
		}
	}
	for k, s := range few {
		if s.Now.Bytes < AllKept*s.Made.Bytes {
			continue
		}
		for _, b := range s.Held {
			beside.Add(k.call, b)
		}
	}
	for k, s := range beside {
		if out[k] != nil && s.Samples <= out[k].Samples {
			out[k].AddAll(s.Held)
		}
	}
	return out
}
