package trace

import (
	"time"

	xtrace "golang.org/x/exp/trace"
)

// tables is all that is kept of a trace while it is read. Nothing in it grows with the file's length: goroutines are
// dropped as they end, and each table has a bound.
type tables struct {
	now, first int64 // ns of the trace's clock; of the last event, and the first
	lost       int64 // ns of gaps, where a part could not be read
	gap        bool  // the next event is the first after one
	events     int64
	wall       time.Time // at wallAt; zero if not known
	wallAt     int64

	places     *places
	goroutines map[xtrace.GoID]*goroutine
	types      map[string]*goType
	makers     map[*place]*goMaker

	ps        processors
	running   []*goroutine // on a P
	scheduler latencies
	regions   regionTables
	gc        collector
	stops     stopTables
	bound     bindings
	lanes     lanes
	thread    xtrace.ThreadID // of the event that is taken
	proc      xtrace.ProcID   // likewise
}

func newTables() *tables {
	c := &tables{places: newPlaces(), goroutines: make(map[xtrace.GoID]*goroutine), types: make(map[string]*goType),
		makers: make(map[*place]*goMaker), gap: true}
	c.ps.init()
	c.regions.init()
	c.gc.workers = make(map[string]int64)
	c.stops.init()
	c.bound.init()
	return c
}

func (c *tables) elapsed() time.Duration { return time.Duration(c.now - c.first - c.lost) }

// restart drops every state: what follows a gap begins with all of them.
func (c *tables) restart() {
	for _, g := range c.goroutines {
		c.drop(g)
	}
	clear(c.goroutines)
	c.running = c.running[:0]
	c.lanes.rest(c.now, c.stops.open != nil)
	c.ps.forget()
	c.gc.forget()
	c.bound.forget()
	c.stops.open = nil
	c.places.next()
	c.gap = true
}

// drop forgets a goroutine whose end the trace does not show.
func (c *tables) drop(g *goroutine) {
	for _, r := range g.regions {
		r.opened()
	}
	g.regions = nil
}

// finish counts what is still open at the end.
func (c *tables) finish() {
	for _, g := range c.goroutines {
		took := c.now - g.since
		g.spent[g.bucket] += took
		g.typ.spent[g.bucket] += took
		if g.bucket.waits() && g.whole {
			g.at.site(g.bucket).open += took
		}
		c.drop(g)
	}
	c.ps.finish()
	c.lanes.rest(c.now, c.stops.open != nil)
}

// event takes the next event.
func (c *tables) event(ev *xtrace.Event) {
	if ev.Kind() == xtrace.EventSync {
		c.sync(ev)
		return
	}
	c.advance(int64(ev.Time()))
	c.events++
	switch ev.Kind() {
	case xtrace.EventStateTransition:
		c.transition(ev)
	case xtrace.EventMetric:
		c.metric(ev.Metric())
	case xtrace.EventLabel:
		c.label(ev.Label())
	case xtrace.EventRangeBegin, xtrace.EventRangeActive:
		c.rangeBegins(ev)
	case xtrace.EventRangeEnd:
		c.rangeEnds(ev)
	case xtrace.EventRegionBegin:
		c.userRegionBegins(ev)
	case xtrace.EventRegionEnd:
		c.userRegionEnds(ev)
	case xtrace.EventTaskBegin:
		c.taskBegins(ev.Task())
	case xtrace.EventTaskEnd:
		c.taskEnds(ev.Task())
	}
}

// advance moves the clock.
func (c *tables) advance(now int64) {
	switch {
	case c.gap && c.events == 0:
		c.first, c.now = now, now
		c.ps.begin(now)
		c.lanes.begin(now)
	case c.gap:
		c.lost += max(now-c.now, 0)
		c.lanes.skip(max(now-c.now, 0))
		c.now = max(now, c.now)
		c.ps.skip(c.now)
	case now > c.now:
		c.ps.advance(now, len(c.running), c.gc.marking)
		c.now = now
	}
	c.gap = false
}

func (c *tables) sync(ev *xtrace.Event) {
	c.places.next()
	if s := ev.Sync(); s.ClockSnapshot != nil && c.wall.IsZero() {
		c.wall, c.wallAt = s.ClockSnapshot.Wall, int64(s.ClockSnapshot.Trace)
	}
}

// start is the wall time of the first event; zero if it is not known.
func (c *tables) start() time.Time {
	if c.wall.IsZero() {
		return c.wall
	}
	return c.wall.Add(time.Duration(c.first - c.wallAt))
}

func (c *tables) metric(m xtrace.Metric) {
	if m.Value.Kind() != xtrace.ValueUint64 {
		return
	}
	v := int64(min(m.Value.Uint64(), 1<<62))
	switch m.Name {
	case "/sched/gomaxprocs:threads":
		c.ps.setNumber(int(min(v, 1<<16)))
		c.lanes.know(c.ps.number)
	case "/gc/heap/goal:bytes":
		if v < 1<<50 { // GOGC=off has none
			c.gc.goal = v
		}
	case "/memory/classes/heap/objects:bytes":
		c.gc.heapMax = max(c.gc.heapMax, v)
	}
}
