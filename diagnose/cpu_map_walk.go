package diagnose

import (
	"slices"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
)

// A request that goes through a whole map looks for something that the map's keys do not give: the entries that have
// expired, the one with a value, how many there are of a kind. Unlike a loop over a slice it shows in a profile, because
// the runtime takes each step. What must go through all of it, a listing or a copy, makes something for each element.
// So a walk that allocates next to nothing and fills no other map is a search, whatever else it does for an element:
// reading the clock, comparing, deleting.

// A mapWalk is a loop over a map in one of the user's functions, as far as a CPU profile shows it.
type mapWalk struct {
	line    stacks.FrameID // of the range clause
	step    stacks.FrameID // the runtime's function that goes to the next element
	next    float64        // ns in going there
	begins  float64        // ns in beginning: what a small map takes most of
	total   float64        // ns of the loop's lines, with all that they call
	ticks   float64
	makes   float64 // ns of total in allocating, or in filling a map
	serving float64 // ns of total below a request
}

// Limits of a walk through a map.
const (
	mapSteps   = 8    // samples in going to the next element
	mapStep    = 0.10 // of the loop's CPU at least: below, the work for each element counts, and not their number
	mapBegins  = 20.0 // times as much in steps as in beginning: a step takes 5 to 20 ns, beginning 20 to 50
	mapMakes   = 0.10 // of the loop's CPU in allocating and filling at most
	mapLoop    = 12   // lines from the range clause on that are taken for the loop's
	mapServing = 0.5  // of it below requests at least: a sweep beside them is as often as somebody chose
)

// A mapWalker finds walks in a CPU profile; the functions that it knows are looked up once.
type mapWalker struct {
	*costView
	nexts, begins, fills, servers view.FuncSet
	ticks                         func(*stacks.Sample) int64
	walks                         map[stacks.FuncID]*mapWalk
}

// mapWalks are the loops over maps in the user's functions that are searches below requests.
func (c *costView) mapWalks(r *Reading) (out []*mapWalk) {
	m := mapWalker{costView: c, nexts: r.Funcs(withWork(known.StepsMap)),
		begins: r.Funcs(withWork(known.BeginsWalk)),
		fills:  r.Funcs(withWork(known.FillsMap)), servers: r.Funcs(withRole(known.BeginsRequest)),
		ticks: stacks.ByValue(c.cpu.set.Value("samples", "count")), walks: map[stacks.FuncID]*mapWalk{}}
	m.find()
	if len(m.walks) == 0 {
		return nil
	}
	for i := range c.cpu.set.Samples {
		m.add(&c.cpu.set.Samples[i])
	}
	for _, w := range m.walks {
		if w.next >= mapStep*w.total && w.next >= mapBegins*w.begins && w.makes <= mapMakes*w.total &&
			w.serving >= mapServing*w.total {
			out = append(out, w)
		}
	}
	return out
}

// find finds the user's functions that go through a map themselves.
func (m *mapWalker) find() {
	t, steps := m.x.t, map[stacks.FuncID]int64{}
	for i := range m.cpu.set.Samples {
		s := &m.cpu.set.Samples[i]
		id, u := t.UserFrame(s.Stack)
		if u <= 0 {
			continue
		}
		callee, w, fn := s.Stack[u-1], float64(m.cpu.weight(s)), t.FuncID(id)
		next := m.nexts[t.FuncID(callee)]
		if !next && !m.begins[t.FuncID(callee)] {
			continue
		}
		walk := m.walks[fn]
		if walk == nil {
			walk = &mapWalk{line: id, step: callee}
			m.walks[fn] = walk
		}
		if !next {
			walk.begins += w
			continue
		}
		steps[fn] += max(m.ticks(s), 0)
		walk.next += w
		if t.Line(id) < t.Line(walk.line) {
			walk.line, walk.step = id, callee
		}
	}
	for fn := range m.walks {
		if steps[fn] < mapSteps {
			delete(m.walks, fn)
		}
	}
}

// add counts a sample that lies within a loop, in it or in what it calls.
func (m *mapWalker) add(s *stacks.Sample) {
	if s.Class.GC() || s.Class == stacks.Scheduler {
		return
	}
	t := m.x.t
	i := slices.IndexFunc(s.Stack, func(id stacks.FrameID) bool {
		walk := m.walks[t.FuncID(id)]
		return walk != nil && walk.around(t, id)
	})
	if i < 0 {
		return
	}
	walk, w := m.walks[t.FuncID(s.Stack[i])], float64(m.cpu.weight(s))
	walk.total += w
	walk.ticks += float64(max(m.ticks(s), 0))
	if s.Class == stacks.Malloc || m.fills.In(t, s.Stack[:i]) {
		walk.makes += w
	}
	if m.servers.In(t, s.Stack[i:]) {
		walk.serving += w
	}
}

// around reports whether a line of the walk's function is one of the loop's.
func (w *mapWalk) around(t *stacks.Table, id stacks.FrameID) bool {
	d := t.Line(id) - t.Line(w.line)
	return d >= 0 && d < mapLoop
}

// resolveMapWalks puts walks through maps into the row of searches, with what they do for each element.
func (c *costView) resolveMapWalks(r *Reading) {
	if c.cpu == nil {
		return
	}
	search := c.row("cpu-linear-search")
	for _, w := range c.mapWalks(r) {
		for k := range c.byLine {
			if c.x.t.FuncID(k.line) == c.x.t.FuncID(w.line) && w.around(c.x.t, k.line) {
				delete(c.byLine, k)
			}
		}
		l := c.at(search, w.line)
		l.cpu, l.ticks, l.own = w.total/c.cpu.total, w.ticks, w.total/c.cpu.total
		l.calls[w.step], l.loop = w.next, true
	}
}

// mapWalkFixes are for a line that goes through a map.
func mapWalkFixes() (out []Remedy) {
	for _, name := range known.DoneBy(known.StepsMap) {
		out = append(out,
			byChange(name, "Do not visit each element", "At {line}: what expires stands in a list by time "+
				"(container/list; the oldest are at its end), so that only what has expired is visited. What is "+
				"looked for by a value has a second map by it; a count or a sum is kept where elements come and go.",
				"memory, and the second structure must follow the map"),
			byChange(name, "Visit them less often", "At {line}: one goroutine that goes through the map once a second "+
				"or once a minute, instead of each request.", "what has expired stays a little longer"))
	}
	return out
}
