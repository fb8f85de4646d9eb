package trace

import xtrace "golang.org/x/exp/trace"

// A goroutine that lives. It is dropped when it ends: a trace of millions has few at a time.
type goroutine struct {
	id      xtrace.GoID
	typ     *goType
	made    *goMaker // nil if it is older than the trace
	created int64    // 0 if it is older than the trace

	bucket bucket
	since  int64 // when it got there
	whole  bool  // since is when that began, and not when the trace did
	spent  spent

	at     *place  // where it is: of a wait or a system call, its stack
	why    why     // of runnable
	woke   wakeup  // who ended its last wait
	waited *place  // where it waited last; nil: nowhere yet
	slot   int     // in tables.running; -1 when it is not there
	proc   int32   // the P that it is on; noProc when it is on none, or on one without a lane
	queue  float64 // processors.shared when it began to run
	ran    int64   // when it began to run
	marker string  // mode of a background worker of the collector; "": it is none

	assist   *assist // that it is in
	arrived  int64   // when the next request reached it; 0: not yet
	before   spent   // spent when it did
	kinds    kindSet // inferred regions that it is in
	regions  []*region
	recent   []step // what it did last, for critical paths: a ring
	recentAt int

	locked int64  // when its last wait for a lock ended; 0: there was none
	hands  []hand // that it went through up to then, the last ones
	gave   *place // where it woke another one that waited for a lock; nil: nowhere yet
	turns  []turn // its last waits for others, one a line

	thread    xtrace.ThreadID // that it ran on last
	apart     int             // how often in a row there, and not where the one that woke it had made room: see bound.go
	bound     bool            // was so far apart once
	besideAt  float64         // processors.each when it got into the queue
	stoppedAt int64           // stops.total then
}

// why is a goroutine runnable?
type why uint8

const (
	voluntary why = iota // after Gosched or Sleep, or not known
	woken
	preempted
	fresh // created
	byNetwork
)

// involuntary reports whether the wait for a P counts as latency.
func (w why) involuntary() bool { return w == woken || w == preempted || w == byNetwork }

// A goType is all goroutines with one start function.
type goType struct {
	name   string
	number int64
	alive  int64
	spent  spent
	late   durations // runnable to running
	life   durations
	runs   durations
	run    *place // where the longest run that ended in a preemption did
	runMax int64
	delay  int64 // goroutine ns that others waited while it ran, shared among those that ran
}

// A goMaker is a line that starts goroutines.
type goMaker struct {
	at     *place
	starts string
	number int64
	alive  int64
	life   durations
	// typ is the type of what it starts, if the go statement is inside of a function that only starts others
	// (WaitGroup.Go): the first of these goroutines that shows a stack names it for all. nil: starts is the type.
	typ   *goType
	named bool
}

// maxTypes and maxMakers bound the tables by start function and by go statement.
const (
	maxTypes  = 2000
	maxMakers = 4000
)

// othersName stands for what a bounded table had no room for, unknownName for goroutines that showed no stack.
const (
	othersName  = "(others)"
	unknownName = "(unknown)"
)

func (c *tables) typeOf(name string) *goType {
	if name == "" {
		name = unknownName
	}
	if t := c.types[name]; t != nil {
		return t
	}
	if len(c.types) >= maxTypes {
		name = othersName
		if t := c.types[name]; t != nil {
			return t
		}
	}
	t := &goType{name: name}
	c.types[name] = t
	return t
}

func (c *tables) makerOf(at, start *place) *goMaker {
	if m := c.makers[at]; m != nil {
		return m
	}
	starts := unknownName
	if len(start.frames) > 0 {
		starts = start.frames[len(start.frames)-1].Function
	}
	if len(c.makers) >= maxMakers {
		at, starts = c.places.others, othersName
		if m := c.makers[at]; m != nil {
			return m
		}
	}
	m := &goMaker{at: at, starts: starts}
	if start.start == "" && at != c.places.others && len(start.frames) > 0 {
		m.typ = &goType{name: starts}
	}
	c.makers[at] = m
	return m
}

// adopt gives a new goroutine the type of those that the same line starts, if its own stack does not show it.
func (c *tables) adopt(g *goroutine) {
	if g.made.typ == nil || g.typ.name != unknownName {
		return
	}
	g.typ.number--
	g.typ.alive--
	g.typ = g.made.typ
	g.typ.number++
	g.typ.alive++
}

// goroutine is the one with this ID, added if it is new.
func (c *tables) goroutine(id xtrace.GoID) *goroutine {
	g := c.goroutines[id]
	if g == nil {
		g = &goroutine{id: id, typ: c.typeOf(""), slot: -1, proc: noProc, since: c.now, at: c.places.none}
		g.typ.number++
		g.typ.alive++
		c.goroutines[id] = g
	}
	return g
}

// learn gives a goroutine the type that its stack shows, if that was not known.
func (c *tables) learn(g *goroutine, at *place) {
	if at.start == "" {
		return
	}
	if m := g.made; m != nil && m.typ == g.typ && !m.named {
		m.starts, m.typ.name, m.named = at.start, at.start, true
	}
	if g.typ.name != unknownName {
		return
	}
	g.typ.number--
	g.typ.alive--
	g.typ = c.typeOf(at.start)
	g.typ.number++
	g.typ.alive++
}

// plus adds another type's numbers to a type of the same name.
func (t *goType) plus(u *goType) {
	t.number += u.number
	t.alive += u.alive
	t.spent.plus(&u.spent)
	t.late.plus(&u.late)
	t.life.plus(&u.life)
	t.runs.plus(&u.runs)
	t.delay += u.delay
	if u.runMax > t.runMax {
		t.run, t.runMax = u.run, u.runMax
	}
}

// allTypes are the types by start function, with those that the goroutines of one go statement share.
func (c *tables) allTypes() map[string]*goType {
	all := make(map[string]*goType, len(c.types))
	add := func(t *goType) {
		if all[t.name] == nil {
			all[t.name] = &goType{name: t.name}
		}
		all[t.name].plus(t)
	}
	for _, t := range c.types {
		add(t)
	}
	for _, m := range c.makers {
		if m.typ != nil {
			add(m.typ)
		}
	}
	return all
}

// enter moves a goroutine into a state. The time in the last one goes to where it belongs.
func (g *goroutine) enter(now int64, b bucket) {
	took := now - g.since
	g.spent[g.bucket] += took
	g.typ.spent[g.bucket] += took
	for _, r := range g.regions {
		r.course.add(g.since, now, g.bucket)
	}
	g.bucket, g.since, g.whole = b, now, true
}
