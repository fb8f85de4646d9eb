package trace

import (
	"time"

	xtrace "golang.org/x/exp/trace"

	"github.com/gocasebook/casebook/diagnose/traces"
)

// processors is how the Ps were used, and how many goroutines waited for one.
type processors struct {
	number  int                    // GOMAXPROCS
	running map[xtrace.ProcID]bool // those that are not idle
	queue   int                    // goroutines that wait for a P
	looked  int64                  // when the network was last looked at for certain
	episode int64                  // since when goroutines wait beside idle Ps; 0: they do not

	now        int64
	shared     float64 // goroutine ns in the queue, divided by the Ps that were busy: what each that ran delayed
	waited     float64 // goroutine ns in the queue
	besideIdle float64
	each       float64 // of besideIdle, what each goroutine in the queue had
	busy, idle float64 // P ns
	episodes   durations
	line       timeline
	levels     [maxLevels]int64 // ns in which so many goroutines ran at once
}

// maxLevels bounds levels: the last is that of as many or more. Few processes have more processors.
const maxLevels = 257

// maxProcs bounds what a damaged trace may claim.
const maxProcs = 1 << 16

func (p *processors) init() { p.running = make(map[xtrace.ProcID]bool) }

// begin is called once, with the time of the first event.
func (p *processors) begin(now int64) { p.now, p.looked = now, now }

// skip moves the clock over a gap.
func (p *processors) skip(now int64) { p.now, p.looked = now, now }

// forget drops the states; what follows begins with all of them.
func (p *processors) forget() {
	p.endEpisode()
	clear(p.running)
	p.queue = 0
}

func (p *processors) finish() { p.endEpisode() }

func (p *processors) setNumber(n int) {
	if n > 0 {
		p.number = n
	}
}

// idleNow is how many Ps are idle.
func (p *processors) idleNow() int { return max(p.number-len(p.running), 0) }

// advance adds up the time since the last event, in which so many goroutines ran.
func (p *processors) advance(now int64, running int, marking bool) {
	p.levels[min(running, maxLevels-1)] += now - p.now
	dt := float64(now - p.now)
	busy, idle, queue := float64(len(p.running)), float64(p.idleNow()), float64(p.queue)
	p.busy += busy * dt
	p.idle += idle * dt
	if p.queue > 0 {
		p.waited += queue * dt
		p.shared += queue * dt / max(busy, 1)
		p.besideIdle += min(queue, idle) * dt
		p.each += min(queue, idle) / queue * dt
	}
	mark := 0.0
	if marking {
		mark = 1
	}
	p.line.add(now-p.now, queue, busy, mark)
	p.now = now
}

func (p *processors) transition(id xtrace.ProcID, from, to xtrace.ProcState) {
	switch {
	case to == xtrace.ProcRunning && len(p.running) < maxProcs:
		if p.idleNow() > 0 {
			p.looked = p.now
		}
		p.running[id] = true
	case to != xtrace.ProcRunning:
		delete(p.running, id)
	}
	p.note()
}

// waiting changes the length of the queue.
func (p *processors) waiting(by int) {
	p.queue = max(p.queue+by, 0)
	p.note()
}

// note begins or ends an episode in which goroutines wait beside idle Ps.
func (p *processors) note() {
	if p.queue > 0 && p.idleNow() > 0 {
		if p.episode == 0 {
			p.episode = p.now
		}
		return
	}
	p.endEpisode()
}

func (p *processors) endEpisode() {
	if p.episode != 0 {
		p.episodes.add(p.now - p.episode)
		p.episode = 0
	}
}

// sinceLooked is how long ago the runtime last looked for network events for certain: a P that is idle does so all the
// time, and so did whoever saw the last event.
func (p *processors) sinceLooked(now int64) int64 {
	since := now - p.looked
	if p.idleNow() > 0 {
		since = 0
	}
	p.looked = now
	return since
}

func (p *processors) use() traces.Use {
	ns := func(f float64) time.Duration { return time.Duration(f) }
	return traces.Use{Busy: ns(p.busy), Idle: ns(p.idle), Waited: ns(p.waited), WaitedBesideIdle: ns(p.besideIdle),
		Episodes: p.episodes.times(), Running: p.atOnce(), Step: time.Duration(p.line.step),
		Timeline: p.line.slots()}
}

// atOnce is for how long so many goroutines ran at once, up to the most that did.
func (p *processors) atOnce() (out []time.Duration) {
	for n, ns := range p.levels {
		if ns > 0 {
			out = append(out, make([]time.Duration, n+1-len(out))...)
			out[n] = time.Duration(ns)
		}
	}
	return out
}

// A timeline is means over at most timelineSlots steps of time. The step doubles when they are full.
type timeline struct {
	step    int64
	at      int64 // ns into the trace
	waiting [timelineSlots]float64
	busy    [timelineSlots]float64
	marking [timelineSlots]float64
}

const (
	timelineSlots = 120
	firstStep     = 1e6 // ns
)

// add adds dt nanoseconds with these levels.
func (t *timeline) add(dt int64, waiting, busy, marking float64) {
	if t.step == 0 {
		t.step = firstStep
	}
	for dt > 0 {
		slot := t.at / t.step
		for slot >= timelineSlots {
			t.double()
			slot = t.at / t.step
		}
		part := min(dt, (slot+1)*t.step-t.at)
		t.waiting[slot] += waiting * float64(part)
		t.busy[slot] += busy * float64(part)
		t.marking[slot] += marking * float64(part)
		t.at += part
		dt -= part
	}
}

func (t *timeline) double() {
	for _, level := range []*[timelineSlots]float64{&t.waiting, &t.busy, &t.marking} {
		for i := range timelineSlots / 2 {
			level[i] = level[2*i] + level[2*i+1]
		}
		clear(level[timelineSlots/2:])
	}
	t.step *= 2
}

func (t *timeline) slots() []traces.Slot {
	var out []traces.Slot
	for i := int64(0); i < timelineSlots && i*t.step < t.at; i++ {
		took := float64(min(t.step, t.at-i*t.step))
		out = append(out, traces.Slot{Waiting: t.waiting[i] / took, Busy: t.busy[i] / took,
			Marking: t.marking[i] / took})
	}
	return out
}

// latencies are waits for a P of all goroutines.
type latencies struct {
	all, created, network, unseen durations
}
