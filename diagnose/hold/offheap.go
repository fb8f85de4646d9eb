package hold

import (
	"cmp"
	"slices"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A Mapper is a line that leads to memory outside of Go's heap. No profile has that memory: what leads to it is on the
// stacks of what the same calls allocate and compute.
type Mapper struct {
	Line  stacks.FrameID // the user's
	Calls stacks.FrameID // what it calls; NoFrame if it calls the system or C itself
	Role  known.Role     // MapsMemory, CallsC, or KeepsOutside: of the library that it calls
	Of    known.Function // the function with the role
	Share float64        // of the weight of all with this role
	// Library is the module that maps the memory or calls C, where that is not the user's own code; "" where it is.
	Library string
}

// Mappers are the lines that lead to memory outside of the heap by the samples of one set: those that map memory first,
// then those that call a library which is known to hold such memory, then those that call C; those with most weight
// first. A library's own goroutines belong to who began them.
func (c *Chain) Mappers(s *stacks.Set, w stacks.Weight) []Mapper {
	roles := [...]known.Role{known.MapsMemory, known.KeepsOutside, known.CallsC}
	is := make([]known.Role, len(c.t.Funcs))
	for i := range c.t.Funcs {
		for _, role := range roles {
			if f := &c.t.Funcs[i]; f.Is(role) {
				is[i] |= role
			}
		}
	}
	type key struct {
		line stacks.FrameID
		role known.Role
	}
	ways, sums := make(map[key]*Mapper), make(map[known.Role]float64)
	begun := make(map[stacks.FuncID]Begin)
	for x, n := range s.Counted(w) {
		role, at, library := known.Role(0), stacks.NoFrame, ""
		line, calls := stacks.NoFrame, stacks.NoFrame
		for _, id := range x.Stack {
			fn := c.t.FuncID(id)
			if c.t.Funcs[fn].Owner == stacks.User {
				line = id
				break
			}
			if is[fn] != 0 && role == 0 {
				role, at = is[fn], id
			}
			if f := &c.t.Funcs[fn]; role != 0 && library == "" && f.Owner == stacks.Dependency {
				library = f.Module()
			}
			calls = id
		}
		if role == 0 {
			continue
		}
		if line == stacks.NoFrame {
			root := c.t.FuncID(Root(c.t, x.Stack))
			b, known := begun[root]
			if !known {
				b, _ = c.Goroutine(root)
				begun[root] = b
			}
			if line, calls = b.Line, b.Calls; b == (Begin{}) || c.t.Func(line).Owner != stacks.User {
				continue
			}
		}
		k := key{line, role}
		if ways[k] == nil {
			ways[k] = &Mapper{Line: line, Calls: calls, Role: role, Of: known.Of(c.t.Func(at).Name), Library: library}
		}
		ways[k].Share += float64(n)
		sums[role] += float64(n)
	}
	var out []Mapper
	for _, m := range ways {
		m.Share /= max(sums[m.Role], 1)
		out = append(out, *m)
	}
	slices.SortFunc(out, func(a, b Mapper) int {
		return cmp.Or(cmp.Compare(slices.Index(roles[:], a.Role), slices.Index(roles[:], b.Role)),
			cmp.Compare(b.Share, a.Share), cmp.Compare(a.Line, b.Line))
	})
	return out
}
