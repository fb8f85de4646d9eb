package diagnose

import (
	"slices"
	"strings"

	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// A pool that nobody knows by name shows as a gate: requests wait in a function of a dependency, others have passed
// that function before (what they did behind it is in the other evidence), and now nobody is behind it and the process
// is idle. Then what the gate gives out was not given back.

// gateCPU is in seconds what a request with a round trip costs at least (net/http alone takes 20 to 40 µs), and
// gateWait how long a wait for a timer of a library may be: a batch that is sent once a second ends by itself. By
// Little's law the requests wait longer where the process uses less CPU than those need that would end.
const (
	gateCPU  = 50e-6
	gateWait = 5.0
)

// A gate is where requests wait in a dependency.
type gate struct {
	at      stacks.FuncID          // of the module, nearest to the leaf
	callers map[stacks.FuncID]bool // of the module, that call it
	n       int64
}

// unknownPools are gates before which requests wait in a capture and nothing moves.
func unknownPools(r *Reading) (out []connPool) {
	if len(r.Moments()) == 0 {
		return nil
	}
	set := lastMoment(r)
	cpu, known := meanOf(r.Vitals[max(len(r.Vitals)-poolWindow, 0):], vitals.CPU)
	for module, g := range gates(r, set) {
		if float64(g.n) < lockWaiterScale().Worth || !known || cpu*gateWait > float64(g.n)*gateCPU || !passed(r, g) {
			continue
		}
		f := r.Table.Funcs[g.at]
		out = append(out, connPool{acquire: []string{f.Name}, library: libraryOf(f, module),
			what: libraryOf(f, module), unknown: true,
			fix: "give back what " + short(f.Name) + " and what calls it return: Close or Release, on every path"})
	}
	return out
}

// libraryOf is how the functions of a module begin.
func libraryOf(f stacks.Func, module string) string {
	if module != "" && strings.HasPrefix(f.Name, module) {
		return module
	}
	return f.Package
}

// gates are the functions of dependencies in which requests are parked, by module. A module in which they wait in
// several has none: it has no one gate.
func gates(r *Reading, set *stacks.Set) map[string]*gate {
	out := make(map[string]*gate)
	count := set.Count()
	for i := range set.Samples {
		stack := set.Samples[i].Stack
		switch set.Wait(i) {
		case stacks.WaitSelect, stacks.WaitReceive, stacks.WaitSemaphore:
		default:
			continue
		}
		_, u := r.Table.UserFrame(stack)
		if u < 1 || r.Table.Func(stack[u-1]).Owner != stacks.Dependency || !serves(r.Table, stack) ||
			callsWhat(r, stack) != "" {
			continue
		}
		module := r.Table.Func(stack[u-1]).Module()
		k := slices.IndexFunc(stack[:u], func(id stacks.FrameID) bool { return r.Table.Func(id).Module() == module })
		at := r.Table.FuncID(stack[k])
		g := out[module]
		if g == nil {
			g = &gate{at: at, callers: make(map[stacks.FuncID]bool)}
			out[module] = g
		}
		if g.at != at {
			g.n = -1 << 40
		}
		g.n += count(&set.Samples[i])
		if k+1 < u {
			g.callers[r.Table.FuncID(stack[k+1])] = true
		}
	}
	return out
}

// passed reports whether any evidence shows who called the gate further on, in the same module.
func passed(r *Reading, g *gate) bool {
	module := r.Table.Funcs[g.at].Module()
	for _, set := range r.Sets {
		for i := range set.Samples {
			stack := set.Samples[i].Stack
			for k := 1; k < len(stack); k++ {
				if inner := r.Table.FuncID(stack[k-1]); g.callers[r.Table.FuncID(stack[k])] && inner != g.at &&
					r.Table.Funcs[inner].Module() == module && !g.callers[inner] {
					return true
				}
			}
		}
	}
	return false
}
