package facts

import (
	"cmp"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
)

// sayTraced says what a trace shows of the waits at a line, and returns the stack of who had the lock meanwhile.
func (b *builder) sayTraced(t *text, line stacks.FrameID) (holder []Stack) {
	if line == stacks.NoFrame || b.trace.Span <= 0 {
		return nil
	}
	var all traces.Times
	var open time.Duration
	var most traces.Wait
	for w := range b.r.WaitsAt(b.trace, line) {
		all.Count, all.Total, all.Max = all.Count+w.Times.Count, all.Total+w.Times.Total, max(all.Max, w.Times.Max)
		open += w.Open
		if most.Stack == nil || w.Times.Total+w.Open > most.Times.Total+most.Open {
			most = w
		}
	}
	if all.Count+int64(open) == 0 {
		return nil
	}
	b.sayTimes(t, all, open)
	b.sayWaker(t, &most)
	t.end()
	return b.sayHolder(t, &most)
}

// sayHolder says who had a lock for most of the time in which others waited for it.
func (b *builder) sayHolder(t *text, w *traces.Wait) []Stack {
	if len(w.Holders) == 0 {
		return nil
	}
	h := &w.Holders[0]
	for i := range w.Holders {
		if w.Holders[i].Waited > h.Waited {
			h = &w.Holders[i]
		}
	}
	at, ok := b.r.TracedLine(h.Stack)
	if !ok {
		return nil
	}
	t.say(" For %s of that the lock was with who gave it back at %s, up to %s for one wait.",
		shareOf("with one holder", float64(h.Waited)/float64(max(w.Times.Total, 1))), tracedPlace(at),
		secondsOf("longest hold", h.Longest.Seconds()))
	return []Stack{b.traced(h.Stack, 0)}
}

// sayTimes says how long waits took.
func (b *builder) sayTimes(t *text, all traces.Times, open time.Duration) {
	t.say(" In a trace of %s, %s waits there took", secondsOf("trace", b.trace.Span.Seconds()),
		count("traced waits", all.Count))
	t.say(" %s on average, the longest %s, together %s", secondsOf("mean wait", all.Mean().Seconds()),
		secondsOf("longest traced wait", all.Max.Seconds()), secondsOf("waited in the trace", all.Total.Seconds()))
	if open > 0 {
		t.say(" and %s of waits that had not ended", secondsOf("waits that had not ended", open.Seconds()))
	}
}

// sayWaker says who ended most of some waits.
func (b *builder) sayWaker(t *text, w *traces.Wait) {
	i, most := -1, time.Duration(0)
	for k := range w.Wakers {
		if w.Wakers[k].Waited > most {
			i, most = k, w.Wakers[k].Waited
		}
	}
	if i < 0 {
		return
	}
	by := &w.Wakers[i]
	t.say("; %s of that ended by ", shareOf("ended by one", float64(by.Waited)/float64(max(w.Times.Total, 1))))
	at, ok := b.r.TracedLine(by.Stack)
	switch {
	case ok:
		t.say("%s", tracedPlace(at))
	case by.Goroutine != "":
		t.say("%s", shortName(by.Goroutine))
	default:
		t.say("the runtime (a timer, or the network)")
	}
}

// leastTraced is the part of the requests' time from which on a wait of a trace is a fact by itself.
const leastTraced = 0.05

// addTracedWaits adds the waits of a trace at lines where no capture shows goroutines.
func (b *builder) addTracedWaits() {
	requests := b.served()
	if requests <= 0 {
		return
	}
	type line struct {
		at    traces.Frame
		times traces.Times
		open  time.Duration
		most  traces.Wait
	}
	index := make(map[traces.Frame]*line)
	var lines []*line
	for _, w := range b.trace.Blocking {
		at, ok := b.r.TracedLine(w.Stack)
		if !ok || !ofRequest(&w) || b.isWait(at) {
			continue
		}
		l := index[at]
		if l == nil {
			l = &line{at: at}
			index[at], lines = l, append(lines, l)
		}
		l.times.Count, l.times.Total = l.times.Count+w.Times.Count, l.times.Total+w.Times.Total
		l.times.Max, l.open = max(l.times.Max, w.Times.Max), l.open+w.Open
		if l.most.Stack == nil || w.Times.Total > l.most.Times.Total {
			l.most = w
		}
	}
	slices.SortStableFunc(lines, func(x, y *line) int { return cmp.Compare(y.times.Total, x.times.Total) })
	for _, l := range lines[:min(len(lines), mostTraced)] {
		part := share(float64(l.times.Total) / float64(requests))
		if part < leastTraced {
			return
		}
		var t text
		t.say("Requests wait (%s) at %s for %s of their time.", clean(l.most.Reason), tracedPlace(l.at),
			shareOf("share of requests' time", part))
		b.sayTimes(&t, l.times, l.open)
		b.sayWaker(&t, &l.most)
		t.end()
		holder := b.sayHolder(&t, &l.most)
		d := b.add(Wait, &t, b.weight.latency*part)
		d.Stacks = append([]Stack{b.traced(l.most.Stack, 1)}, holder...)
		d.Bounds = []Bound{{"latency", part}}
	}
}

const mostTraced = 4

// ofRequest reports whether requests wait so. Old summaries do not count them.
func ofRequest(w *traces.Wait) bool {
	return w.Requests > 0 || slices.ContainsFunc(w.Stack, func(f traces.Frame) bool {
		return known.Of(f.Function).Is(known.BeginsRequest)
	})
}

// isWait reports whether a wait is a fact at a line of a trace.
func (b *builder) isWait(at traces.Frame) bool {
	base := baseName(at.File)
	return slices.ContainsFunc(b.drafts, func(d *draft) bool {
		return d.Sort == Wait && slices.ContainsFunc(d.Stacks, func(s Stack) bool {
			return slices.ContainsFunc(s.Frames, func(f Frame) bool {
				return f.Line == at.Line && baseName(f.File) == base
			})
		})
	})
}

// leastContention is the wait for locks, in seconds per second, from which on it is a fact: a goroutine waits for a
// tenth of the time.
const leastContention = 0.1

// addLocks adds who holds locks for which others wait, from a mutex profile.
func (b *builder) addLocks() {
	set := b.r.Gained(casefile.Mutex)
	if set == nil || set.Seconds <= 0 {
		return
	}
	delay := stacks.ByValue(set.Value("delay", "nanoseconds"))
	all, lines := float64(set.Total(delay)), stacks.SumBy(set, delay, b.r.OwnLine)
	for _, e := range lines[:min(len(lines), mostLocks)] {
		waited := float64(e.Value) / 1e9
		if waited < leastContention*set.Seconds {
			return
		}
		var t text
		t.say("In %s others waited %s for locks that are given back at %s, %s of all in the mutex profile",
			secondsOf("profile", set.Seconds), secondsOf("waited", waited), b.place(e.Key),
			shareOf("share of the waits", float64(e.Value)/all))
		t.end()
		at := func(s *stacks.Sample) bool {
			line, ok := b.r.OwnLine(s)
			return ok && line == e.Key
		}
		together := waited / set.Seconds // goroutines that wait at a time
		d := b.add(Wait, &t, b.weight.latency*share(together/max(float64(b.graph.InProgress()), together, 1)))
		d.Stacks = []Stack{b.stack(set.Heaviest(delay, at), 1)}
		d.Bounds = []Bound{{"latency", share(float64(e.Value) / all)}}
	}
}

const mostLocks = 3
