package trace

import (
	"slices"
	"strings"
	"time"

	xtrace "golang.org/x/exp/trace"

	"github.com/gocasebook/casebook/diagnose/traces"
)

// Why does a goroutine that could run wait beside an idle P? Mostly for microseconds, until an idle thread is awake; or
// because the world is stopped; or because the operating system has no CPU for the thread. And after
// runtime.LockOSThread: only one thread may run it, and that thread may run nothing else. Whoever wakes it must give
// its P away and wait until that thread is awake, and so must the goroutine itself when it has woken another one and
// waits again (startlockedm and stoplockedm, runtime/proc.go). Each hand-over costs two switches of the operating
// system.
//
// A trace does not say which goroutines are locked. It shows who ran where: a goroutine that another one wakes and then
// makes room for would run on that one's thread, whose P has it next. One that boundRuns times in a row did not, and
// always ran on one other thread that ran nothing else meanwhile, is bound to it.

// boundRuns is how often in a row. An idle P may take a goroutine from the one that woke it, but seldom twice in a row:
// in recordings of programs that bind none, the most in a row was 1 (TestBoundRecorded; evidence/cases/bound).
const boundRuns = 50

// maxThreads bounds what a damaged trace may claim; the runtime ends a program at 10,000 (debug.SetMaxThreads).
const maxThreads = 20_000

// A wakeup is who ended a goroutine's last wait.
type wakeup struct {
	by     *goroutine // nil: the runtime, or it was no wait
	thread xtrace.ThreadID
}

// bindings are the goroutines that are bound to threads.
type bindings struct {
	ran     map[xtrace.ThreadID]xtrace.GoID // which goroutine ran last on a thread
	tables  map[*goType]*boundTable
	stopped int64 // ns in which goroutines waited beside idle Ps while the world was stopped
	most    int   // the longest row of any goroutine
}

// A boundTable is the bound goroutines of one type.
type boundTable struct {
	number         int64
	at             *place    // where one of them waits
	wakes, returns durations // from ready to running: of them, and of those that they wake
	beside         int64     // ns of both beside an idle P
}

func (b *bindings) init() {
	b.ran, b.tables = make(map[xtrace.ThreadID]xtrace.GoID), make(map[*goType]*boundTable)
}

// forget drops what was known of threads: after a gap others may have run on them.
func (b *bindings) forget() { clear(b.ran) }

// isBound reports whether a goroutine is bound to a thread, as far as is known.
func (g *goroutine) isBound() bool { return g.apart >= boundRuns }

// binds looks on which thread a goroutine begins to run, after a wait in the queue that began at g.since.
func (c *tables) binds(g *goroutine) {
	thread := c.thread
	if last, ok := c.bound.ran[thread]; g.thread != thread || ok && last != g.id {
		g.apart = 0
	}
	g.thread = thread
	if _, known := c.bound.ran[thread]; known || len(c.bound.ran) < maxThreads {
		c.bound.ran[thread] = g.id
	}
	by := g.woke.by
	switch {
	case by == nil:
		return
	case g.woke.thread == thread:
		g.apart = 0
		return
	case by.bucket.onP() && by.ran < g.since: // it runs on, so that another thread had to take this one
		return
	}
	g.apart++
	c.bound.most = max(c.bound.most, g.apart)
	if g.isBound() && !g.bound {
		g.bound = true
		c.boundOf(g.typ).number++
	}
}

func (c *tables) boundOf(typ *goType) *boundTable {
	t := c.bound.tables[typ]
	if t == nil {
		t = &boundTable{at: c.places.none}
		c.bound.tables[typ] = t
	}
	return t
}

// besideIdle takes a wait for a P that ends: the part of it beside an idle one, and why.
func (c *tables) besideIdle(g *goroutine, took int64) {
	beside := int64(c.ps.each - g.besideAt)
	stopped := min(beside, c.stops.totalAt(c.now)-g.stoppedAt)
	c.bound.stopped += stopped
	switch by := g.woke.by; {
	case g.isBound():
		t := c.boundOf(g.typ)
		t.wakes.add(took)
		t.beside += beside - stopped
		if g.waited != nil {
			t.at = g.waited
		}
	case by != nil && by.isBound():
		t := c.boundOf(by.typ)
		t.returns.add(took)
		t.beside += beside - stopped
	}
}

func (c *tables) boundGoroutines() []traces.Bound {
	var out []traces.Bound
	for typ, t := range c.bound.tables {
		if t.number > 0 {
			out = append(out, traces.Bound{Goroutine: typ.name, Number: t.number, Stack: t.at.frames,
				Wakes: t.wakes.times(), Returns: t.returns.times(), Beside: time.Duration(t.beside)})
		}
	}
	slices.SortFunc(out, func(a, b traces.Bound) int { return strings.Compare(a.Goroutine, b.Goroutine) })
	return most(out, maxTypesIn, func(b *traces.Bound) int64 { return int64(b.Beside) })
}
