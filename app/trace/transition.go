package trace

import xtrace "golang.org/x/exp/trace"

// transition takes an event that moves a goroutine or a P from one state to another.
func (c *tables) transition(ev *xtrace.Event) {
	t := ev.StateTransition()
	switch t.Resource.Kind {
	case xtrace.ResourceProc:
		from, to := t.Proc()
		c.ps.transition(t.Resource.Proc(), from, to)
		c.lanes.transition(t.Resource.Proc(), to == xtrace.ProcRunning, c.now, c.stops.open != nil)
	case xtrace.ResourceGoroutine:
		from, to := t.Goroutine()
		if from == to {
			return // restated at the beginning of a generation
		}
		c.goTransition(ev, &t, from, to)
	}
}

func (c *tables) goTransition(ev *xtrace.Event, t *xtrace.StateTransition, from, to xtrace.GoState) {
	g := c.goroutine(t.Resource.Goroutine())
	c.thread, c.proc = ev.Thread(), ev.Proc()
	switch from {
	case xtrace.GoUndetermined:
		c.appears(g, t, to)
		return
	case xtrace.GoNotExist:
		c.creates(g, ev, t, to)
		return
	}
	c.leave(g, ev)
	switch to {
	case xtrace.GoNotExist:
		c.destroys(g)
	case xtrace.GoRunnable:
		c.becomesRunnable(g, ev, t, from)
	case xtrace.GoRunning:
		c.binds(g)
		g.woke = wakeup{} // or those that wake each other would be kept in a chain
		c.runs(g)
	case xtrace.GoWaiting:
		g.enter(c.now, reasonBucket(t.Reason))
	case xtrace.GoSyscall:
		c.lanes.calls(c.proc, g, c.now)
		g.enter(c.now, syscalling)
	}
}

// appears takes a goroutine that is older than the trace.
func (c *tables) appears(g *goroutine, t *xtrace.StateTransition, to xtrace.GoState) {
	at := c.places.of(t.Stack)
	c.learn(g, at)
	g.at = at
	switch to {
	case xtrace.GoRunnable:
		g.why = voluntary
		c.queues(g)
	case xtrace.GoRunning:
		c.runs(g)
	case xtrace.GoWaiting:
		g.enter(c.now, other)
	case xtrace.GoSyscall:
		g.enter(c.now, syscalling)
	}
	g.whole = false
	c.infer(g, at)
	for _, r := range g.regions {
		r.whole = false
	}
}

// creates takes the go statement of the goroutine that runs.
func (c *tables) creates(g *goroutine, ev *xtrace.Event, t *xtrace.StateTransition, to xtrace.GoState) {
	start, from := c.places.of(t.Stack), c.places.of(ev.Stack())
	c.learn(g, start)
	g.created, g.since, g.arrived, g.at = c.now, c.now, c.now, start
	g.made = c.makerOf(from, start)
	g.made.number++
	g.made.alive++
	c.adopt(g)
	switch to {
	case xtrace.GoRunnable:
		g.why = fresh
		c.queues(g)
	case xtrace.GoWaiting:
		g.enter(c.now, other)
	case xtrace.GoSyscall:
		g.enter(c.now, syscalling)
	}
	c.infer(g, start)
	if by := c.goroutines[ev.Goroutine()]; by != nil {
		c.infer(by, from)
		g.inheritTurns(by)
	}
}

// leave ends the state that a goroutine is in.
func (c *tables) leave(g *goroutine, ev *xtrace.Event) {
	took := c.now - g.since
	if g.bucket != runnable {
		g.woke = wakeup{}
	}
	switch {
	case g.bucket.onP():
		c.stopsRunning(g, c.places.of(ev.Stack()))
	case g.bucket == runnable:
		c.ps.waiting(-1)
		c.leavesQueue(g, took)
	case g.bucket == syscalling:
		if g.whole {
			g.at.site(syscalling).times.add(took)
			g.called(g.at, took)
		}
		c.remember(g, nil, nil)
		if g.arrived == 0 && g.kinds&servers == 0 {
			c.arrives(g)
		}
	case g.bucket.waits():
		c.endsWait(g, ev, took)
	}
}

// stopsRunning ends a stretch on a P; at is where it ended.
func (c *tables) stopsRunning(g *goroutine, at *place) {
	c.learn(g, at)
	if g.slot >= 0 {
		last := c.running[len(c.running)-1]
		c.running[g.slot], last.slot = last, g.slot
		c.running = c.running[:len(c.running)-1]
		g.slot = -1
	}
	c.stops.stopped(g, at, c.now)
	c.lanes.stops(g, c.now)
	if g.whole {
		g.typ.runs.add(c.now - g.ran)
	}
	at.ran += c.now - g.since
	at.runs++
	g.at = at
	c.remember(g, nil, nil)
	c.infer(g, at)
	if g.marker != "" {
		c.gc.workers[g.marker] += c.now - g.since
		g.marker = ""
	}
	g.typ.delay += int64(c.ps.shared - g.queue)
}

// runs begins a stretch on a P.
func (c *tables) runs(g *goroutine) {
	b := running
	if g.assist != nil {
		b = assisting
	}
	c.lanes.runs(c.proc, g, c.now)
	g.enter(c.now, b)
	g.queue, g.ran = c.ps.shared, c.now
	if g.slot < 0 {
		g.slot = len(c.running)
		c.running = append(c.running, g)
	}
}

// leavesQueue ends the wait for a P.
func (c *tables) leavesQueue(g *goroutine, took int64) {
	if g.whole {
		if g.why != voluntary {
			c.besideIdle(g, took)
		}
		if g.why.involuntary() {
			g.typ.late.add(took)
			c.scheduler.all.add(took)
			g.at.site(runnable).times.add(took)
		}
		switch g.why {
		case byNetwork:
			c.scheduler.network.add(took)
		case fresh:
			c.scheduler.created.add(took)
		}
	}
	c.remember(g, nil, nil)
}

// becomesRunnable puts a goroutine into the queue for a P.
func (c *tables) becomesRunnable(g *goroutine, ev *xtrace.Event, t *xtrace.StateTransition, from xtrace.GoState) {
	switch {
	case from == xtrace.GoSyscall:
		g.why = woken
	case from == xtrace.GoRunning && t.Reason == "preempted":
		g.why = preempted
		g.at.cut.add(c.now - g.ran)
		if took := c.now - g.ran; took > g.typ.runMax {
			g.typ.runMax, g.typ.run = took, g.at
		}
	case from == xtrace.GoRunning || g.bucket == sleeping:
		g.why = voluntary
	case g.bucket == network && ev.Goroutine() == xtrace.NoGoroutine:
		g.why = byNetwork
		c.scheduler.unseen.add(c.ps.sinceLooked(c.now))
	default:
		g.why = woken
	}
	c.queues(g)
}

// endsWait takes the event that wakes a goroutine: it happens on the one that wakes it, if one does.
func (c *tables) endsWait(g *goroutine, ev *xtrace.Event, took int64) {
	waker := c.goroutines[ev.Goroutine()]
	at := c.places.none
	g.waited = g.at
	if waker != nil {
		g.woke = wakeup{waker, c.thread}
		at = c.places.of(ev.Stack())
		c.infer(waker, at)
	}
	if g.bucket == lock && waker != nil {
		c.handOver(g, waker, at)
	}
	if g.whole {
		c.addWait(g, waker, at, took)
	}
	g.at.ended(waker, c.now)
	if waker != nil {
		c.takesTurn(g)
	}
	c.remember(g, waker, at)
	if g.bucket == network && g.at.conn && g.kinds&servers == 0 {
		c.arrives(g)
	}
}

// addWait adds a wait to its site, with who ended it.
func (c *tables) addWait(g, waker *goroutine, at *place, took int64) {
	s := g.at.site(g.bucket)
	s.times.add(took)
	g.waitsAt(s)
	if waker == nil {
		s.wake(nil, nil, took)
		return
	}
	w := s.wake(at, waker.typ, took)
	if since, ok := c.queued(waker, g.at); ok && w != nil {
		w.queued++
		w.kept.plus(&since)
	}
	if g.bucket == lock {
		s.holds(g.hands, g.since)
	}
}

// destroys ends a goroutine.
func (c *tables) destroys(g *goroutine) {
	g.enter(c.now, unknown)
	for len(g.regions) > 0 {
		c.leaveRegion(g, len(g.regions)-1)
	}
	g.kinds = 0
	if g.made != nil && g.typ.name == unknownName {
		c.learn(g, &place{start: g.made.starts})
	}
	if g.created != 0 {
		g.typ.life.add(c.now - g.created)
	}
	g.typ.alive--
	if g.made != nil {
		g.made.alive--
		g.made.life.add(c.now - g.created)
	}
	delete(c.goroutines, g.id)
}

// queues puts a goroutine into the queue for a P.
func (c *tables) queues(g *goroutine) {
	g.enter(c.now, runnable)
	c.ps.waiting(+1)
	g.besideAt, g.stoppedAt = c.ps.each, c.stops.totalAt(c.now)
}

// arrives notes that what a server's goroutine waited for is there: the next request begins now.
func (c *tables) arrives(g *goroutine) {
	g.arrived, g.before = c.now, g.spent
	g.before[g.bucket] += c.now - g.since
}
