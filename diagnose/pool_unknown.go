package diagnose

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/wait"
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
	wait.Queue
	at      stacks.FuncID          // of the module, nearest to the leaf
	callers map[stacks.FuncID]bool // of the module, that call it
	several bool                   // they wait in several functions of the module: none is the one gate
}

// unknownPools are gates before which requests wait in the last capture and nothing moves.
func unknownPools(r *Reading) (out []awaitedPool) {
	cpu, known := meanOf(r.Vitals[max(len(r.Vitals)-poolWindow, 0):], vitals.CPU)
	for module, g := range gates(r) {
		n := float64(g.Last())
		if g.several || n < lockWaiterScale().Worth || !known || cpu*gateWait > n*gateCPU || !passed(r, g) {
			continue
		}
		out = append(out, awaitedPool{Queue: &g.Queue, Row: gateRow(r.Table.Funcs[g.at], module), unknown: true})
	}
	return out
}

// gateRow is what a row would say of a gate.
func gateRow(f stacks.Func, module string) known.Row {
	library := f.Package // how the functions of the module begin
	if strings.HasPrefix(f.Name, module) {
		library = cmp.Or(module, library)
	}
	return known.Row{Functions: []string{f.Name}, Library: []string{library}, What: library,
		Remedy: "give back what " + short(f.Name) + " and what calls it return: Close or Release, on every path"}
}

// gates are the functions of dependencies in which requests are parked in the last capture, by module.
func gates(r *Reading) map[string]*gate {
	out := make(map[string]*gate)
	for _, p := range r.waits().Piles {
		parks := p.Park == stacks.WaitSelect || p.Park == stacks.WaitReceive || p.Park == stacks.WaitSemaphore
		if !p.Request || !parks || p.Last() == 0 || !ofDependency(r.Table.Func(p.Enter)) || callsWhat(r, p.Stack) != "" {
			continue
		}
		module, inner := r.Table.Func(p.Enter).Module(), p.Inner()
		k := slices.IndexFunc(inner, func(id stacks.FrameID) bool { return r.Table.Func(id).Module() == module })
		at := r.Table.FuncID(inner[k])
		g := out[module]
		if g == nil {
			g = &gate{at: at, callers: make(map[stacks.FuncID]bool)}
			out[module] = g
		}
		g.Waiters, g.several = append(g.Waiters, p), g.several || g.at != at
		if k+1 < len(inner) {
			g.callers[r.Table.FuncID(inner[k+1])] = true
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
