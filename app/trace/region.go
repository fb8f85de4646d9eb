package trace

import (
	"cmp"
	"slices"

	xtrace "golang.org/x/exp/trace"
)

// A region is a request, a call or a part of the user's that a goroutine is in.
type region struct {
	kind    *kindTable
	method  *kindTable // of gRPC, once a stack shows it; nil: it does not
	of      kind       // of inferred ones
	user    bool       // the user's own, by runtime/trace
	whole   bool       // its beginning is in the trace
	begun   bool       // what it is about has begun: the request is sent
	waited  bool       // for the network or a channel, since then
	awaited bool       // of a call of gRPC: for the header of its answer
	start   int64      // ns
	before  spent      // of its goroutine, when it began
	stopped int64      // stops.total then
	marked  int64      // gc.total then
	path    []stay     // where its time went so far
	course  course     // what its goroutine was at
	calls   []call     // system calls so far, of a request to a server
	waits   []*site    // where it has waited, of the same
}

// A call is the system calls of a request at one place.
type call struct {
	at    *place
	count int64
	ns    int64
}

// A servedTable is the system calls at one place, by the requests that make them.
type servedTable struct {
	calls    int64
	took     durations
	requests int64 // ns
}

// Calls of a request that are kept: long ones, at a few places. Of its waits, the first sites.
const (
	longCall   = 100_000 // ns
	maxCalls   = 8
	maxSitesOf = 32
)

// called adds a system call to the request to a server that a goroutine is in, if it is in one.
func (g *goroutine) called(at *place, ns int64) {
	if g.kinds&servers == 0 || ns < longCall {
		return
	}
	for _, r := range g.regions {
		if !r.user && servers.has(r.of) {
			r.called(at, ns)
			return
		}
	}
}

func (r *region) called(at *place, ns int64) {
	for i := range r.calls {
		if r.calls[i].at == at {
			r.calls[i].count++
			r.calls[i].ns += ns
			return
		}
	}
	if len(r.calls) < maxCalls {
		r.calls = append(r.calls, call{at, 1, ns})
	}
}

// waitsAt counts the request to a server that a goroutine is in, if it is in one, among those that wait at a site.
func (g *goroutine) waitsAt(s *site) {
	if g.kinds&servers == 0 {
		return
	}
	i := slices.IndexFunc(g.regions, func(r *region) bool { return !r.user && servers.has(r.of) })
	if i >= 0 && len(g.regions[i].waits) < maxSitesOf && !slices.Contains(g.regions[i].waits, s) {
		g.regions[i].waits = append(g.regions[i].waits, s)
		s.requests++
	}
}

// serve adds a request's system calls to the table of all.
func (t *regionTables) serve(r *region, took int64) {
	for _, c := range r.calls {
		s := t.served[c.at]
		if s == nil {
			s = new(servedTable)
			t.served[c.at] = s
		}
		s.calls += c.count
		s.took.add(c.ns)
		s.requests += took
	}
}

// A kindTable is all regions of one kind.
type kindTable struct {
	name             string
	times            durations
	open             int64
	spent            spent
	stopped          int64
	marking, between durations
	slowest          []slowRegion // the slowest first
}

// A slowRegion is one of the slowest of its kind.
type slowRegion struct {
	at, took  int64
	method    string // the name of its method's table; "": it has none
	goroutine xtrace.GoID
	spent     spent
	stopped   int64
	path      []stay
	course    *course
}

// regionTables are the regions by name.
type regionTables struct {
	inferred [inferred]*kindTable
	user     map[string]*kindTable
	tasks    map[xtrace.TaskID]task
	served   map[*place]*servedTable // system calls of requests to servers
}

// A task is one of runtime/trace that has not ended.
type task struct {
	kind  *kindTable
	start int64
}

// Bounds of the tables.
const (
	maxUserKinds = 200
	maxTasks     = 100_000
	maxRegions   = 64 // of the user's, one in the other
	slowest      = 10
)

func (t *regionTables) init() {
	t.user, t.tasks = make(map[string]*kindTable), make(map[xtrace.TaskID]task)
	t.served = make(map[*place]*servedTable)
	for k := range t.inferred {
		t.inferred[k] = &kindTable{name: kind(k).String()}
	}
}

func (t *regionTables) named(what, name string) *kindTable {
	key := what + " " + name
	if k := t.user[key]; k != nil {
		return k
	}
	if len(t.user) >= maxUserKinds {
		key = what + " " + othersName
	}
	if t.user[key] == nil {
		t.user[key] = &kindTable{name: key}
	}
	return t.user[key]
}

// infer begins and ends the regions that a goroutine's stack shows.
func (c *tables) infer(g *goroutine, at *place) {
	if len(at.frames) == 0 || at == c.places.others {
		return
	}
	if at.again&g.kinds != 0 {
		c.splits(g, at)
	}
	if at.rpc != nil {
		defer c.rpc(g, at)
	}
	kinds := at.kinds | at.keeps&g.kinds
	if kinds == g.kinds {
		return
	}
	if ended := g.kinds &^ kinds; ended != 0 {
		for i := len(g.regions) - 1; i >= 0; i-- {
			if r := g.regions[i]; !r.user && ended.has(r.of) {
				c.leaveRegion(g, i)
			}
		}
	}
	for k := range (kinds &^ g.kinds).all() {
		c.enterKind(g, k)
		g.regions[len(g.regions)-1].begun = at.again.has(k)
	}
	g.kinds = kinds
}

// splits ends a region and begins the next one, where two follow each other without an event between them.
func (c *tables) splits(g *goroutine, at *place) {
	for i := len(g.regions) - 1; i >= 0; i-- {
		r := g.regions[i]
		if r.user || !at.again.has(r.of) {
			continue
		}
		if r.begun && r.waited {
			c.leaveRegion(g, i)
			c.enterKind(g, r.of)
			r = g.regions[len(g.regions)-1]
		}
		r.begun, r.waited = true, false
	}
}

// enterKind begins an inferred region. A request to a server began when it reached the goroutine.
func (c *tables) enterKind(g *goroutine, k kind) {
	r := &region{kind: c.regions.inferred[k], of: k}
	c.begin(g, r)
	if servers.has(k) && g.arrived != 0 {
		r.start, r.before = g.arrived, g.before
		r.course.begin(r.start)
		c.replay(g, r)
		g.arrived = 0
	}
}

// begin puts a goroutine into a region.
func (c *tables) begin(g *goroutine, r *region) {
	r.start, r.whole = c.now, true
	r.course.begin(c.now)
	r.before = g.spent
	r.before[g.bucket] += c.now - g.since
	r.stopped, r.marked = c.stops.totalAt(c.now), c.gc.totalAt(c.now)
	g.regions = append(g.regions, r)
}

// leaveRegion ends a goroutine's region.
func (c *tables) leaveRegion(g *goroutine, i int) {
	r := g.regions[i]
	g.regions = slices.Delete(g.regions, i, i+1)
	if !r.user && servers.has(r.of) {
		g.arrived = 0
	}
	if !r.whole {
		r.opened()
		return
	}
	took := c.now - r.start
	now := g.spent
	now[g.bucket] += c.now - g.since
	used := now.minus(&r.before)
	r.course.add(g.since, c.now, g.bucket)
	stopped := c.stops.totalAt(c.now) - r.stopped
	c.regions.serve(r, took)
	marked := c.gc.totalAt(c.now) - r.marked
	c.nameMethod(r)
	ended := slowRegion{at: r.start - c.first, took: took, goroutine: g.id, spent: used, stopped: stopped, path: r.path,
		course: &r.course}
	r.kind.add(&ended, marked)
	if r.method != nil {
		ended.method = r.method.name
		r.method.add(&ended, marked)
	}
	r.kind.keep(ended)
}

// opened counts a region of which the trace has no beginning or no end.
func (r *region) opened() {
	r.kind.open++
	if r.method != nil {
		r.method.open++
	}
}

// add adds a region that has ended, and for how long the collector marked meanwhile.
func (t *kindTable) add(r *slowRegion, marked int64) {
	t.times.add(r.took)
	t.spent.plus(&r.spent)
	t.stopped += r.stopped
	if 2*marked >= r.took && marked > 0 {
		t.marking.add(r.took)
	} else {
		t.between.add(r.took)
	}
}

// threshold is how long a region must take to be among the slowest.
func (t *kindTable) threshold() int64 {
	if len(t.slowest) < slowest {
		return 0
	}
	return t.slowest[slowest-1].took
}

// keep keeps a region if it is one of the slowest.
func (t *kindTable) keep(s slowRegion) {
	if len(t.slowest) == slowest && s.took <= t.threshold() {
		return
	}
	i, _ := slices.BinarySearchFunc(t.slowest, s, func(a, b slowRegion) int { return cmp.Compare(b.took, a.took) })
	t.slowest = slices.Insert(t.slowest, i, s)
	t.slowest = t.slowest[:min(len(t.slowest), slowest)]
}

// userRegionBegins and userRegionEnds take regions of runtime/trace.
func (c *tables) userRegionBegins(ev *xtrace.Event) {
	g := c.goroutines[ev.Goroutine()]
	if g == nil || len(g.regions) >= maxRegions {
		return
	}
	c.begin(g, &region{kind: c.regions.named("region", ev.Region().Type), user: true})
}

func (c *tables) userRegionEnds(ev *xtrace.Event) {
	g := c.goroutines[ev.Goroutine()]
	if g == nil {
		return
	}
	t := c.regions.named("region", ev.Region().Type)
	for i := len(g.regions) - 1; i >= 0; i-- {
		if r := g.regions[i]; r.user && r.kind == t {
			c.leaveRegion(g, i)
			return
		}
	}
	t.open++ // it began before the trace
}

func (c *tables) taskBegins(t xtrace.Task) {
	if len(c.regions.tasks) < maxTasks {
		c.regions.tasks[t.ID] = task{c.regions.named("task", t.Type), c.now}
	}
}

func (c *tables) taskEnds(t xtrace.Task) {
	began, ok := c.regions.tasks[t.ID]
	if !ok {
		return
	}
	delete(c.regions.tasks, t.ID)
	began.kind.times.add(c.now - began.start)
	began.kind.between.add(c.now - began.start)
}
