package trace

import (
	"strings"

	xtrace "golang.org/x/exp/trace"
)

// collector is what the garbage collector did.
type collector struct {
	marking bool
	whole   bool  // the phase began within the trace
	since   int64 // of the phase
	marked  int64 // ns in finished phases

	marks       durations
	cycles      cycles
	workers     map[string]int64 // CPU ns by mode
	assistCPU   int64
	assistDelay durations
	sweep       int64
	sweeping    map[xtrace.ProcID]int64
	goal        int64
	heapMax     int64
}

// An assist is marking that an allocating goroutine has to do.
type assist struct {
	at     *place
	start  int64
	cpu    int64 // spent on it before
	whole  bool
	paused bool // while its goroutine ends the mark phase
}

// Names of ranges (internal/trace, go122 ranges).
const (
	markPhase  = "GC concurrent mark phase"
	markAssist = "GC mark assist"
	sweepRange = "GC incremental sweep"
	stopPrefix = "stop-the-world ("
)

// totalAt is how long the collector has marked up to now.
func (c *collector) totalAt(now int64) int64 {
	if c.marking {
		return c.marked + now - c.since
	}
	return c.marked
}

// forget drops what is open, before a gap.
func (c *collector) forget() {
	c.marking, c.cycles.last = false, nil
	clear(c.sweeping)
}

func (c *tables) rangeBegins(ev *xtrace.Event) {
	r := ev.Range()
	whole := ev.Kind() == xtrace.EventRangeBegin
	switch {
	case r.Name == markPhase:
		if !c.gc.marking {
			c.gc.marking, c.gc.whole, c.gc.since = true, whole, c.now
			c.gc.cycles.begin(c.now, whole)
		}
	case r.Name == markAssist:
		c.assistBegins(c.goroutines[r.Scope.Goroutine()], c.places.of(ev.Stack()), whole)
	case r.Name == sweepRange:
		c.gc.sweepBegins(r.Scope.Proc(), c.now)
	case strings.HasPrefix(r.Name, stopPrefix):
		reason := strings.TrimSuffix(strings.TrimPrefix(r.Name, stopPrefix), ")")
		c.lanes.idles(c.now, c.stops.open != nil)
		c.stops.begin(reason, c.now, c.running, ev.Goroutine(), c.places.of(ev.Stack()))
		c.terminates(c.goroutines[ev.Goroutine()])
	}
}

// terminates takes that the goroutine of an assist stops the world, to end the mark phase. Before that it waited, on
// its P, until every other P had answered (gcMarkDone, runtime/mgc.go): this is the cycle's work, mostly waiting, and
// not the assist's CPU. The trace does not show where one begins, so all of this assist counts as running.
func (c *tables) terminates(g *goroutine) {
	if g == nil || g.assist == nil || g.bucket != assisting {
		return
	}
	c.changes(g, running)
	g.assist.paused = true
	moved := g.spent[assisting] - g.assist.cpu
	for _, s := range []*spent{&g.spent, &g.typ.spent} {
		s[assisting] -= moved
		s[running] += moved
	}
}

// resumes takes that it has.
func (c *tables) resumes(g *goroutine) {
	if g != nil && g.assist != nil && g.assist.paused {
		g.assist.paused = false
		if g.bucket == running {
			c.changes(g, assisting)
		}
	}
}

func (c *tables) rangeEnds(ev *xtrace.Event) {
	r := ev.Range()
	switch {
	case r.Name == markPhase:
		c.gc.ends(c.now)
	case r.Name == markAssist:
		c.assistEnds(c.goroutines[r.Scope.Goroutine()])
	case r.Name == sweepRange:
		c.gc.sweepEnds(r.Scope.Proc(), c.now)
	case strings.HasPrefix(r.Name, stopPrefix):
		c.lanes.idles(c.now, c.stops.open != nil)
		c.stops.end(c.now)
		c.resumes(c.goroutines[ev.Goroutine()])
	}
}

func (c *collector) ends(now int64) {
	if !c.marking {
		return
	}
	c.marked += now - c.since
	if c.whole {
		c.marks.add(now - c.since)
		c.cycles.end(now)
	}
	c.marking = false
}

func (c *collector) sweepBegins(p xtrace.ProcID, now int64) {
	if c.sweeping == nil {
		c.sweeping = make(map[xtrace.ProcID]int64)
	}
	if len(c.sweeping) < maxProcs {
		c.sweeping[p] = now
	}
}

func (c *collector) sweepEnds(p xtrace.ProcID, now int64) {
	if since, ok := c.sweeping[p]; ok {
		c.sweep += now - since
		delete(c.sweeping, p)
	}
}

func (c *tables) assistBegins(g *goroutine, at *place, whole bool) {
	if g == nil || g.assist != nil {
		return
	}
	c.infer(g, at)
	if g.bucket == running {
		c.changes(g, assisting)
	}
	g.assist = &assist{at: at, start: c.now, cpu: g.spent[assisting], whole: whole}
}

func (c *tables) assistEnds(g *goroutine) {
	if g == nil || g.assist == nil {
		return
	}
	if g.bucket == assisting {
		c.changes(g, running)
	}
	a := g.assist
	g.assist = nil
	c.gc.assistCPU += g.spent[assisting] - a.cpu
	if a.whole {
		c.gc.assistDelay.add(c.now - a.start)
		c.gc.cycles.last.assisted(g.id, c.now-a.start)
		a.at.site(assisting).times.add(c.now - a.start)
	}
}

// changes moves a goroutine that goes on running between running and assisting.
func (c *tables) changes(g *goroutine, b bucket) {
	c.lanes.changes(g, c.now)
	whole := g.whole
	g.enter(c.now, b)
	g.whole = whole
}

// label takes the label of the goroutine that runs: the runtime gives them to the collector's workers.
func (c *tables) label(l xtrace.Label) {
	mode, ok := strings.CutPrefix(l.Label, "GC (")
	if !ok || l.Resource.Kind != xtrace.ResourceGoroutine {
		return
	}
	if g := c.goroutines[l.Resource.Goroutine()]; g != nil {
		g.marker = strings.TrimSuffix(mode, ")")
	}
}
