package diagnose

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A request that starts a goroutine for each of the commands that it has for Redis or a database answers before they
// are done, and every command still costs what a round trip costs, and a goroutine. When the commands do not keep up,
// they take the connections for which requests wait as well.
//
// How many there are for each request is told by allocations, which the heap profile counts since the process began: a
// go statement allocates its closure, and net/http and gRPC a few objects for each request. That it is these goroutines
// that ask over the network shows in their stacks.

// A spawned is a kind of goroutine that requests start, each for a query over the network.
type spawned struct {
	root  stacks.FuncID  // what the goroutines run
	at    stacks.FrameID // the go statement
	each  float64        // goroutines for each request
	least float64        // of them, for all that sampling may miss

	http  bool                     // they ask over HTTP or gRPC, each perhaps another service
	group bool                     // they belong to a group that somebody waits for
	lines map[stacks.FrameID]int64 // the user's lines that ask, by ns
	calls map[stacks.FrameID]int64 // the dependency's functions that they call, by ns

	asking, kernel, starting int64   // ns
	beside                   int64   // ns of the scheduler and the collector for them
	garbage                  float64 // bytes that they have allocated
	ticks                    float64

	pressure     // in the capture with the most
	moments  int // in which requests wait behind them
}

// A pressure is how goroutines press on the connections of a pool in a capture: those that ask, those of them that wait
// for a connection, and the requests that do.
type pressure struct {
	running, queued, behind int64
	pool                    string
	behindAt                stacks.FrameID
}

// ownRoot is the user's function that a goroutine was started with; group if that was through one that waits for it.
func ownRoot(t *stacks.Table, stack []stacks.FrameID) (root stacks.FuncID, group, ok bool) {
	for _, id := range slices.Backward(stack) {
		f := t.Func(id)
		switch {
		case f.Owner == stacks.Runtime, strings.Contains(f.Name, ".gowrap"):
		case f.Does(known.StartsForCaller, known.StartsInGroup):
			group = group || f.Does(known.StartsInGroup)
		default:
			return t.FuncID(id), group, f.Owner == stacks.User
		}
	}
	return stacks.NoFunc, group, false
}

// asksOut reports whether the user's nearest line is in a call to another service: of a client that is known, or one
// that uses the connection itself.
func asksOut(r *Reading, s *stacks.Sample, w stacks.Wait) bool {
	write, read := netCall(r, s)
	_, pool := poolOf(r.Table, s.Stack)
	return write || read || pool || w == stacks.WaitNetwork || callsWhat(r, s.Stack) != ""
}

// A spawning is what a reading shows of goroutines that ask over the network, by their root.
type spawning struct {
	*Reading
	of map[stacks.FuncID]*spawned
}

func newSpawning(r *Reading, v *cpuView) *spawning {
	sp := &spawning{r, make(map[stacks.FuncID]*spawned)}
	for _, set := range r.All(casefile.Goroutine) {
		for i := range set.Samples {
			sp.addAsking(&set.Samples[i], set.Wait(i))
		}
	}
	if v != nil {
		for i := range v.set.Samples {
			sp.addAsking(&v.set.Samples[i], stacks.WaitUnknown)
		}
	}
	return sp
}

// addAsking notes a line that asks.
func (sp *spawning) addAsking(s *stacks.Sample, w stacks.Wait) {
	root, group, ok := ownRoot(sp.Table, s.Stack)
	if !ok || !asksOut(sp.Reading, s, w) {
		return
	}
	line, i := sp.Table.UserFrame(s.Stack)
	if i < 1 {
		return
	}
	a := sp.of[root]
	if a == nil {
		a = &spawned{root: root, at: stacks.NoFrame, pressure: pressure{behindAt: stacks.NoFrame},
			lines: make(map[stacks.FrameID]int64), calls: make(map[stacks.FrameID]int64)}
		sp.of[root] = a
	}
	a.group = a.group || group
	a.http = a.http || sp.Table.Func(s.Stack[i-1]).Does(known.SpeaksHTTP, known.OfGRPC)
	a.lines[line] += 0
}

// What a request starts at once it can send at once, so that three are enough; requests that are rejected before they
// start any count as well. surelyMany are left in spite of what sampling may miss.
const (
	minSpawned = 3
	surelyMany = 2
)

// spawnedAsking are the goroutines that a request starts minSpawned of or more, the most expensive first.
func spawnedAsking(r *Reading, v *cpuView) []*spawned {
	sp := newSpawning(r, v)
	if len(sp.of) == 0 {
		return nil
	}
	c := newStarts(sp, v)
	if c == nil || c.requests.count <= 0 {
		return nil
	}
	for _, a := range sp.of {
		c.judge(a)
	}
	maps.DeleteFunc(sp.of, func(_ stacks.FuncID, a *spawned) bool {
		return a.each < minSpawned ||
			a.least < surelyMany
	})
	sp.addWaits()
	maps.DeleteFunc(sp.of, func(_ stacks.FuncID, a *spawned) bool { return c.joined(a) })
	if v != nil {
		sp.addCosts(v)
		sp.addBeside(v, c.garbage)
	}
	return slices.SortedFunc(maps.Values(sp.of), func(a, b *spawned) int {
		return cmp.Or(cmp.Compare(b.asking, a.asking), cmp.Compare(b.queued, a.queued), cmp.Compare(a.root, b.root))
	})
}

// addCosts adds up the CPU of the calls and of starting and ending the goroutines that make them.
func (sp *spawning) addCosts(v *cpuView) {
	ticks := stacks.ByValue(v.set.Value("samples", "count"))
	for s, w := range v.set.Counted(v.weight) {
		root, _, ok := ownRoot(sp.Table, s.Stack)
		a := sp.of[root]
		if !ok || a == nil || s.Class.GC() {
			continue
		}
		line, i := sp.Table.UserFrame(s.Stack)
		if _, asks := a.lines[line]; i < 1 || !asks || sp.Table.Func(s.Stack[i-1]).Owner == stacks.Runtime {
			continue
		}
		a.asking += w
		a.ticks += float64(max(ticks(s), 0))
		a.lines[line] += w
		a.calls[s.Stack[i-1]] += w
		if write, read := netCall(sp.Reading, s); write || read {
			a.kernel += w
		}
	}
	c := newChurn(sp.Reading, v)
	for _, a := range sp.of {
		if n := c.starts[a.at]; n > 0 {
			a.starting = n + int64(float64(c.ends-c.idles)*float64(n)/float64(c.all))
		}
	}
	sp.addConnections(v)
}

// addBeside adds what the scheduler does for goroutines that wait for the network, by their part of all system calls on
// it, and what collecting their garbage takes, by their part of all garbage.
func (sp *spawning) addBeside(v *cpuView, garbage float64) {
	network, scheduling, collecting := int64(0), int64(0), int64(0)
	for s, w := range v.set.Counted(v.weight) {
		if write, read := netCall(sp.Reading, s); write || read {
			network += w
		}
		if s.Class.GC() {
			collecting += w
		} else if atEdge(sp.Table, s.Stack, known.SchedulesNext) && !goesIdle(sp.Table, s.Stack) {
			scheduling += w
		}
	}
	for _, a := range sp.of {
		a.beside = int64(float64(scheduling)*float64(a.kernel)/max(float64(network), 1) +
			float64(collecting)*a.garbage/max(garbage, 1))
	}
}

// addConnections adds what net/http's client does for the calls in goroutines of its own, by their part of all calls.
func (sp *spawning) addConnections(v *cpuView) {
	own, all, beside := make(map[stacks.FuncID]int64), int64(0), int64(0)
	for s, w := range v.set.Counted(v.weight) {
		switch {
		case sp.Table.Has(s.Stack, withWork(known.RoundTripsHTTP)):
			root, _, _ := ownRoot(sp.Table, s.Stack)
			own[root] += w
			all += w
		case sp.Table.Has(s.Stack, withWork(known.ReadsForHTTP, known.WritesForHTTP)):
			beside += w
		}
	}
	for root, a := range sp.of {
		a.asking += int64(float64(beside) * float64(own[root]) / max(float64(all), 1))
	}
}

// addWaits finds out how much the goroutines press on a pool.
func (sp *spawning) addWaits() {
	for _, a := range sp.of {
		for _, set := range sp.Moments() {
			p := sp.pressure(a, set)
			if p.queued >= p.behind && p.behind > 0 {
				a.moments++
			}
			if p.running >= a.running {
				a.pressure = p
			}
		}
	}
}

func (sp *spawning) pressure(a *spawned, set *stacks.Set) pressure {
	p, n := pressure{behindAt: stacks.NoFrame}, set.Count()
	requests, waiting := make(map[stacks.FrameID]int64), make(map[string]int64) // by line, and by pool
	for i := range set.Samples {
		s := &set.Samples[i]
		line, _ := sp.Table.UserFrame(s.Stack)
		pool, waits := poolOf(sp.Table, s.Stack)
		if root, _, ok := ownRoot(sp.Table, s.Stack); ok && root == a.root {
			if _, asks := a.lines[line]; asks {
				p.running += n(s)
			}
			if waits {
				p.queued, p.pool = p.queued+n(s), pool.What
			}
		} else if waits && serves(sp.Table, s.Stack) {
			waiting[pool.What] += n(s)
			requests[line] += n(s)
		}
	}
	if p.behind = waiting[p.pool]; p.behind > 0 {
		p.behindAt = entries(requests)[0].Key
	}
	return p
}
