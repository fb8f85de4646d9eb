package trace

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/diagnose/traces"
)

// Lengths of the summary's lists.
const (
	maxWaits   = 60
	maxSites   = 40
	maxTypesIn = 60
	maxLateIn  = 5
	maxPath    = 12
)

func (c *tables) summary() *traces.Summary {
	use := c.ps.use()
	use.WaitedStopped = time.Duration(c.bound.stopped)
	return &traces.Summary{
		Span: c.elapsed(), Events: c.events, Procs: c.ps.number, Start: c.start(), Use: use,
		Kinds: c.kinds(), Slowest: c.slowestRegions(),
		Scheduler: traces.Scheduler{Latency: c.scheduler.all.times(), Created: c.scheduler.created.times(),
			Network: c.scheduler.network.times(), Unseen: c.scheduler.unseen.times()},
		GC: c.collected(), Stops: c.stopped(), Blocking: c.blocking(), Ends: c.ends(),
		Syscalls: c.sites(syscalling), Served: c.served(),
		Goroutines: c.goTypes(), Created: c.created(), Preempted: c.preempted(), Bound: c.boundGoroutines(),
		Lanes: c.lanes.plain(),
	}
}

// most is the first n by falling weight.
func most[T any](all []T, n int, weight func(*T) int64) []T {
	slices.SortStableFunc(all, func(a, b T) int { return cmp.Compare(weight(&b), weight(&a)) })
	return all[:min(n, len(all)):min(n, len(all))]
}

func (c *tables) tablesOfKinds() []*kindTable {
	all := slices.Clone(c.regions.inferred[:])
	for _, t := range c.regions.user {
		all = append(all, t)
	}
	slices.SortFunc(all, func(a, b *kindTable) int {
		return cmp.Or(cmp.Compare(b.times.total, a.times.total), cmp.Compare(a.name, b.name))
	})
	return slices.DeleteFunc(all, func(t *kindTable) bool { return t.times.count+t.open == 0 })
}

func (c *tables) kinds() []traces.Kind {
	var out []traces.Kind
	for _, t := range c.tablesOfKinds() {
		out = append(out, traces.Kind{Name: t.name, Times: t.times.times(), Open: t.open, Spent: t.spent.plain(),
			Stopped: time.Duration(t.stopped), Marking: t.marking.times(), Between: t.between.times()})
	}
	return out
}

func (c *tables) slowestRegions() []traces.Request {
	var out []traces.Request
	drawn := c.drawn()
	for _, t := range c.tablesOfKinds() {
		for _, r := range t.slowest {
			var drawnAs *traces.Course
			if drawn[r.course] {
				drawnAs = r.course.plain()
			}
			out = append(out, traces.Request{Kind: cmp.Or(r.method, t.name), At: time.Duration(r.at),
				Took: time.Duration(r.took), Goroutine: int64(r.goroutine), Spent: r.spent.plain(), Stopped: time.Duration(r.stopped),
				Path: pathOf(r.path), Course: drawnAs})
		}
	}
	return out
}

// drawn are the courses of the slowest requests to servers; of a trace without any, of the slowest regions.
func (c *tables) drawn() map[*course]bool {
	var all []slowRegion
	for k := range servers.all() {
		all = append(all, c.regions.inferred[k].slowest...)
	}
	if len(all) == 0 {
		for _, t := range c.tablesOfKinds() {
			all = append(all, t.slowest...)
		}
	}
	out := make(map[*course]bool)
	for _, r := range most(all, maxCourses, func(r *slowRegion) int64 { return r.took }) {
		out[r.course] = true
	}
	return out
}

// pathOf keeps the longest stays of a path, in its order.
func pathOf(path []stay) []traces.Step {
	long := most(slices.Clone(path), maxPath, func(s *stay) int64 { return s.took })
	if len(long) == 0 {
		return nil
	}
	least := long[len(long)-1].took
	var out []traces.Step
	for _, s := range path {
		if s.took < least || len(out) == maxPath {
			continue
		}
		step := traces.Step{Depth: s.depth, Goroutine: s.typ.name, State: s.bucket.String(),
			Took: time.Duration(s.took), Stack: s.at.frames}
		if s.wakerAt != nil {
			step.Waker = s.wakerAt.frames
		}
		out = append(out, step)
	}
	return out
}

func (c *tables) collected() traces.GC {
	g := &c.gc
	out := traces.GC{Marks: g.marks.times(), Cycles: g.cycles.list(c.first),
		AssistCPU: time.Duration(g.assistCPU), AssistDelay: g.assistDelay.times(),
		Assists: c.sites(assisting), Sweep: time.Duration(g.sweep), HeapGoal: g.goal,
		HeapMax: g.heapMax, Workers: make(map[string]time.Duration)}
	for mode, ns := range g.workers {
		out.Workers[mode] = time.Duration(ns)
	}
	return out
}

func (c *tables) stopped() []traces.Stop {
	var out []traces.Stop
	for reason, t := range c.stops.reasons {
		stop := traces.Stop{Reason: reason, Times: t.times.times(), Stopping: t.stopping.times(),
			Third: time.Duration(t.longest[2])}
		for who, d := range t.late {
			stop.Late = append(stop.Late, traces.Late{Goroutine: who.typ.name, Stack: who.at.frames,
				Times: d.times()})
		}
		for at, d := range t.by {
			stop.By = append(stop.By, traces.Site{Stack: at.frames, Times: d.times()})
		}
		stop.By = most(stop.By, maxLateIn, func(s *traces.Site) int64 { return int64(s.Times.Total) })
		stop.Late = most(stop.Late, maxLateIn, func(l *traces.Late) int64 { return int64(l.Times.Max) })
		out = append(out, stop)
	}
	return most(out, len(out), func(s *traces.Stop) int64 { return int64(s.Times.Total) })
}

// tablesOf are the sites with a state in a set, the largest first.
func (c *tables) tablesOf(wanted func(bucket) bool) []*site {
	var out []*site
	c.places.all(func(at *place) {
		for _, s := range at.sites {
			if wanted(s.bucket) && s.times.count > 0 {
				out = append(out, s)
			}
		}
	})
	return most(out, len(out), func(s **site) int64 { return (*s).times.total })
}

func (c *tables) sites(b bucket) []traces.Site {
	var out []traces.Site
	for _, s := range c.tablesOf(func(x bucket) bool { return x == b }) {
		if len(out) == maxSites {
			break
		}
		out = append(out, traces.Site{Stack: s.frames, Times: s.times.times()})
	}
	return out
}

func (c *tables) served() []traces.Served {
	var out []traces.Served
	for at, s := range c.regions.served {
		out = append(out, traces.Served{Stack: at.frames, Calls: s.calls, Took: s.took.times(),
			Requests: time.Duration(s.requests)})
	}
	return most(out, maxSites, func(s *traces.Served) int64 { return int64(s.Took.Total) })
}

func (c *tables) preempted() []traces.Site {
	var out []traces.Site
	c.places.all(func(at *place) {
		if at.cut.count > 0 {
			out = append(out, traces.Site{Stack: at.frames, Times: at.cut.times()})
		}
	})
	return most(out, maxSites, func(s *traces.Site) int64 { return int64(s.Times.Total) })
}

func (c *tables) blocking() []traces.Wait {
	var out []traces.Wait
	for _, s := range c.tablesOf(bucket.waits) {
		if len(out) == maxWaits {
			break
		}
		w := traces.Wait{Reason: s.bucket.String(), Stack: s.frames, Times: s.times.times(), Holders: s.held(),
			Open: time.Duration(s.open), Requests: s.requests}
		for _, by := range most(slices.Clone(s.wakers), maxWakers, func(w *waker) int64 { return w.waited }) {
			to := traces.Waker{Count: by.count, Waited: time.Duration(by.waited), Queued: by.queued,
				Kept: by.kept.plain()}
			if by.at != nil {
				to.Goroutine, to.Stack = by.typ.name, by.at.frames
			}
			w.Wakers = append(w.Wakers, to)
		}
		out = append(out, w)
	}
	return out
}

// leastEnds is how many waits must have ended at a place to say who ends them; maxEnds is of how many places.
const (
	leastEnds = 10
	maxEnds   = 500
)

func (c *tables) ends() []traces.End {
	var out []traces.End
	c.places.all(func(at *place) {
		e := at.ends
		if e == nil || e.count < leastEnds || len(at.frames) == 0 || ofNetwork(at.frames) {
			return
		}
		end := traces.End{Stack: at.frames, Count: e.count, Timed: e.timed, Gaps: e.gaps.times()}
		end.By, end.ByOne = e.most()
		out = append(out, end)
	})
	return most(out, maxEnds, func(e *traces.End) int64 { return e.Count })
}

// ofNetwork reports whether a stack waits for a descriptor: these waits end without a goroutine, as for a timer.
func ofNetwork(s traces.Stack) bool {
	return slices.ContainsFunc(s, func(f traces.Frame) bool { return strings.HasPrefix(f.Function, "internal/poll.") })
}

func (c *tables) goTypes() []traces.GoroutineType {
	var out []traces.GoroutineType
	for _, t := range c.allTypes() {
		if t.number == 0 {
			continue
		}
		g := traces.GoroutineType{Name: t.name, Number: t.number, Alive: t.alive, Spent: t.spent.plain(),
			Latency: t.late.times(), Life: t.life.times(), Runs: t.runs.times(), Delayed: time.Duration(t.delay)}
		if t.run != nil {
			g.RunsStack = t.run.frames
		}
		out = append(out, g)
	}
	weight := func(g *traces.GoroutineType) int64 {
		return int64(g.Spent.Running + g.Spent.Assist + g.Spent.Runnable + g.Spent.Syscall)
	}
	slices.SortFunc(out, func(a, b traces.GoroutineType) int { return cmp.Compare(a.Name, b.Name) })
	return most(out, maxTypesIn, weight)
}

func (c *tables) created() []traces.GoroutinesFrom {
	var out []traces.GoroutinesFrom
	for _, m := range c.makers {
		out = append(out, traces.GoroutinesFrom{Stack: m.at.frames, Starts: m.starts, Number: m.number,
			Alive: m.alive, Life: m.life.times()})
	}
	return most(out, maxSites, func(g *traces.GoroutinesFrom) int64 { return g.Number })
}
