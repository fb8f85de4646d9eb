package trace

import (
	xtrace "golang.org/x/exp/trace"

	"github.com/gocasebook/casebook/diagnose/traces"
)

// Lanes are what the Ps were at over time. A trace may have any number of Ps and last for any time, so both are added
// up: the step of time doubles when the slots are full, and Ps share a lane when the lanes are. The time of a state is
// added when the P leaves it, because only then the goroutine that ran has shown a stack, and with it its type.
type lanes struct {
	procs []proc // by ID
	begun int64  // when the first event was, moved over gaps
	group int    // Ps of a lane
	step  int64
	rows  [][]laneSlot // by lane; as many slots as were needed
}

// Bounds of the lanes.
const (
	maxLanes     = 32
	maxLaneProcs = 1024 // more have no lane
	laneSlots    = 240
	slotTypes    = 16  // goroutine types of a slot
	laneStep     = 1e5 // ns; before it doubles
)

// A procState is what a P is at.
type procState uint8

const (
	procIdle procState = iota
	procRunning
	procSyscall
	procAssist
	procCollector
	procScheduler
	procStopped
	procStates
)

func (s procState) String() string {
	return [procStates]string{traces.ProcIdle, traces.ProcRunning, traces.ProcSyscall, traces.ProcAssist,
		traces.ProcCollector, traces.ProcScheduler, traces.ProcStopped}[s]
}

// A proc is a P. Its state is idle, syscall or running; what it runs says the rest.
type proc struct {
	state procState
	since int64
	g     *goroutine // that it runs, or that is in a system call on it; nil: it looks for one
}

// noProc is where a goroutine is that is on no P.
const noProc = -1

// A laneSlot is what the Ps of a lane were at during a step: ns.
type laneSlot struct {
	states [procStates]int64
	types  [slotTypes]typeTime // parts of the state running
}

type typeTime struct {
	typ *goType
	ns  int64
}

// begin is called once, with the time of the first event.
func (l *lanes) begin(now int64) { l.begun, l.group, l.step = now, 1, laneStep }

// skip moves the clock over a gap, in which no P has a state.
func (l *lanes) skip(gap int64) {
	l.begun += gap
	for i := range l.procs {
		l.procs[i].since += gap
	}
}

// know makes sure that there are so many Ps. One that is not mentioned yet was idle.
func (l *lanes) know(number int) {
	for len(l.procs) < min(number, maxLaneProcs) {
		l.procs = append(l.procs, proc{since: l.begun})
	}
}

// at is the P with an ID; nil of one without a lane.
func (l *lanes) at(id xtrace.ProcID) *proc {
	if id < 0 || id >= maxLaneProcs {
		return nil
	}
	l.know(int(id) + 1)
	return &l.procs[id]
}

// leave adds the time of a P's state up to now. stopped: the world is.
func (l *lanes) leave(id int, now int64, stopped bool) {
	p := &l.procs[id]
	if p.since >= now {
		return
	}
	state, typ := p.state, (*goType)(nil)
	switch {
	case state == procIdle && stopped:
		state = procStopped
	case state == procRunning:
		state, typ = stateOf(p.g)
	}
	l.add(id, p.since, now, state, typ)
	p.since = now
}

// stateOf is the state of a P that runs a goroutine, and the goroutine's type if it does its own work.
func stateOf(g *goroutine) (procState, *goType) {
	switch {
	case g == nil:
		return procScheduler, nil
	case g.marker != "", g.typ.name == "runtime.gcBgMarkWorker", g.typ.name == "runtime.bgsweep":
		return procCollector, nil
	case g.bucket == assisting:
		return procAssist, nil
	}
	return procRunning, g.typ
}

// transition starts a P or makes it idle.
func (l *lanes) transition(id xtrace.ProcID, running bool, now int64, stopped bool) {
	p := l.at(id)
	if p == nil || running == (p.state != procIdle) { // restated at the beginning of a generation
		return
	}
	l.leave(int(id), now, stopped)
	if p.g != nil {
		p.g.proc = noProc
	}
	p.state, p.g = procIdle, nil
	if running {
		p.state = procRunning
	}
}

// runs begins a stretch of a goroutine on a P, calls one in a system call that may keep the P.
func (l *lanes) runs(id xtrace.ProcID, g *goroutine, now int64)  { l.takes(id, g, procRunning, now) }
func (l *lanes) calls(id xtrace.ProcID, g *goroutine, now int64) { l.takes(id, g, procSyscall, now) }

func (l *lanes) takes(id xtrace.ProcID, g *goroutine, state procState, now int64) {
	p := l.at(id)
	if p == nil {
		return
	}
	l.leave(int(id), now, false)
	if p.g != nil {
		p.g.proc = noProc
	}
	p.state, p.g, g.proc = state, g, int32(id)
}

// changes adds the time of a goroutine that goes on running as something else.
func (l *lanes) changes(g *goroutine, now int64) {
	if g.proc != noProc {
		l.leave(int(g.proc), now, false)
	}
}

// stops ends a stretch of a goroutine on its P, which then looks for another.
func (l *lanes) stops(g *goroutine, now int64) {
	if g.proc == noProc {
		return
	}
	l.leave(int(g.proc), now, false)
	l.procs[g.proc].g = nil
	g.proc = noProc
}

// idles adds the time of the Ps that are idle: the world begins to be stopped, or ends to be.
func (l *lanes) idles(now int64, stopped bool) {
	for id := range l.procs {
		if l.procs[id].state == procIdle {
			l.leave(id, now, stopped)
		}
	}
}

// rest adds the time of all Ps, of which nothing is known from now on.
func (l *lanes) rest(now int64, stopped bool) {
	for id := range l.procs {
		l.leave(id, now, stopped)
		if g := l.procs[id].g; g != nil {
			g.proc = noProc
		}
		l.procs[id].state, l.procs[id].g = procIdle, nil
	}
}

// add adds a stretch of time to the slots of a P's lane.
func (l *lanes) add(id int, from, to int64, state procState, typ *goType) {
	from, to = max(from-l.begun, 0), to-l.begun
	for id/l.group >= maxLanes {
		l.joinLanes()
	}
	for to > laneSlots*l.step {
		l.joinSlots()
	}
	lane := id / l.group
	for len(l.rows) <= lane {
		l.rows = append(l.rows, nil)
	}
	row := l.rows[lane]
	if last := int((to - 1) / l.step); last >= len(row) {
		row = append(row, make([]laneSlot, last+1-len(row))...)
		l.rows[lane] = row
	}
	for from < to {
		slot := &row[from/l.step]
		part := min(to, (from/l.step+1)*l.step) - from
		slot.states[state] += part
		if typ != nil {
			slot.ran(typ, part)
		}
		from += part
	}
}

// ran adds the time of a type. Without room the one with the least goes, if it has less.
func (s *laneSlot) ran(typ *goType, ns int64) {
	least := 0
	for i := range s.types {
		t := &s.types[i]
		if t.typ == typ {
			t.ns += ns
			return
		}
		if t.ns < s.types[least].ns {
			least = i
		}
	}
	if s.types[least].ns < ns {
		s.types[least] = typeTime{typ, ns}
	}
}

func (s *laneSlot) plus(o *laneSlot) {
	for i, ns := range o.states {
		s.states[i] += ns
	}
	for _, t := range o.types {
		if t.typ != nil {
			s.ran(t.typ, t.ns)
		}
	}
}

// joinSlots doubles the step.
func (l *lanes) joinSlots() {
	for lane, row := range l.rows {
		for i := range row {
			if i%2 == 0 {
				row[i/2] = row[i]
			} else {
				row[i/2].plus(&row[i])
			}
		}
		half := (len(row) + 1) / 2
		clear(row[half:])
		l.rows[lane] = row[:half]
	}
	l.step *= 2
}

// joinLanes makes two lanes one.
func (l *lanes) joinLanes() {
	for i := range l.rows {
		if i%2 == 0 {
			l.rows[i/2] = l.rows[i]
			continue
		}
		into, row := l.rows[i/2], l.rows[i]
		if len(into) < len(row) {
			into, row = row, into
		}
		for k := range row {
			into[k].plus(&row[k])
		}
		l.rows[i/2] = into
	}
	half := (len(l.rows) + 1) / 2
	clear(l.rows[half:])
	l.rows = l.rows[:half]
	l.group *= 2
}
