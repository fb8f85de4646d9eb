package diagnose

import (
	"fmt"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// spikeChange is what changes in the spikes, in times of what it is between them; 0 where that is not known.
type spikeChange struct {
	load       float64 // requests
	cpu        float64 // CPU by request, or without requests CPU
	bytes      float64 // allocated by request, or without requests at all
	calls      float64 // system calls of reading and writing by request, over all spikes
	often      float64 // share of the spikes in which they are more
	collection float64 // collections
}

// changes compares the signals in the spikes with those between them.
func (s *spikes) changes() spikeChange {
	var c spikeChange
	var known bool
	if c.load, known = s.times(of(vitals.HTTPRate)); !known && s.tail != nil {
		c.load, _ = s.times(totalOf(vitals.ReadCalls, vitals.WriteCalls)) // each request is read and answered
	}
	c.collection, _ = s.times(of(vitals.GCRate))
	for _, m := range []struct {
		to  *float64
		ids []vitals.ID
	}{{&c.cpu, []vitals.ID{vitals.CPU}}, {&c.bytes, []vitals.ID{vitals.AllocRate}}} {
		var ok bool
		if *m.to, ok = s.times(perRequest(m.ids...)); !ok {
			*m.to, _ = s.times(of(m.ids[0]))
		}
	}
	c.calls, c.often = s.calls()
	return c
}

// calls compares the reads and writes by request in the spikes with those between them: times as many over all, and the
// share of the spikes with more. They are added up over each spike, because who is kept waiting in one second is
// answered in another.
func (s *spikes) calls() (times, often float64) {
	type sum struct{ calls, requests float64 }
	var between, in sum
	each := map[int64]sum{}
	total := totalOf(vitals.ReadCalls, vitals.WriteCalls)
	for i := range s.samples {
		sample := &s.samples[i]
		calls, ok := total(sample)
		requests, has := sample.Get(vitals.HTTPRate)
		switch {
		case !ok || !has:
		case s.Covers(sample.Time):
			k := s.number(sample.Time)
			one := each[k]
			each[k] = sum{one.calls + calls, one.requests + requests}
			in = sum{in.calls + calls, in.requests + requests}
		default:
			between = sum{between.calls + calls, between.requests + requests}
		}
	}
	if between.calls <= 0 || between.requests <= 0 || in.requests <= 0 {
		return 0, 0
	}
	usual := between.calls / between.requests
	more := 0
	for _, one := range each {
		if one.calls > usual*one.requests {
			more++
		}
	}
	return in.calls / in.requests / usual, float64(more) / float64(len(each))
}

// byLoad reports whether requests come in the spikes, too.
func (c spikeChange) byLoad() bool { return c.load >= spikeLoad }

// moreCalls reports whether requests call what they do not call between the spikes.
func (c spikeChange) moreCalls() bool { return c.calls >= spikeCalls && c.often >= spikeOften }

// byCollector reports whether the spikes are collections, of garbage that is made all the time.
func (c spikeChange) byCollector() bool {
	return c.collection >= spikeGC && c.bytes < spikeWork && !c.moreCalls()
}

// text says what changes.
func (c spikeChange) text() string {
	var parts []string
	for _, p := range []struct {
		times float64
		what  string
	}{{c.load, "as many requests"}, {c.cpu, "the CPU by request"}, {c.bytes, "the bytes allocated by request"},
		{c.calls, "the reads and writes by request"}} {
		if p.times >= spikeWork || p.times == c.calls && c.moreCalls() {
			parts = append(parts, fmt.Sprintf("%s times %s", number.Digits(p.times), p.what))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "In them there are " + strings.Join(parts, ", ") + "."
}

// A spikePlace is what was captured in a spike: where it is spent, and by whom.
type spikePlace struct {
	at, by stacks.FrameID // the line, and the user's function above it, or NoFrame
	share  float64        // of the CPU or of the goroutines in the spike
	n      int64          // goroutines; 0 of a CPU profile
	set    *stacks.Set

	wait   stacks.Wait
	calls  string // what is waited for: "an HTTP request"; "" for nothing outside
	serves bool   // for a request
	loads  string // why it is thought to fill a cache; "" if it is not
}

// spikePlaces are the places that lead in what was captured in the spikes: that of the goroutines, and that of the CPU.
func (s *spikes) places(r *Reading) (waits, works *spikePlace) {
	for _, set := range r.Moments() {
		if !s.meets(set) {
			continue
		}
		if p := s.crowd(r, set); p != nil && (waits == nil || p.n > waits.n) {
			waits = p
		}
	}
	for _, set := range r.All(casefile.CPU) {
		if p := s.busiest(r, set); s.meets(set) && p != nil && (works == nil || p.share > works.share) {
			works = p
		}
	}
	return waits, works
}

const (
	spikeCrowd = 5   // goroutines at one line
	spikeMost  = 0.5 // of those that are about requests
	spikeBusy  = 0.3 // of the CPU
)

// crowd is the line at which most of the requests in progress are, or of those who load for them.
func (s *spikes) crowd(r *Reading, set *stacks.Set) *spikePlace {
	var most *view.Pile
	all := int64(0)
	for _, p := range r.Piles(set) {
		if !p.User || isSession(r, p.Stack, p.N) || !serves(r.Table, p.Stack) && loadsBy(r.Table, p.Stack) == "" {
			continue
		}
		all += p.N
		if most == nil || p.N > most.N {
			most = p
		}
	}
	if most == nil || most.N < spikeCrowd || float64(most.N) < spikeMost*float64(all) {
		return nil
	}
	return &spikePlace{at: most.At, by: loaderOf(r.Table, most.Stack), share: float64(most.N) / float64(all), n: most.N,
		set: set, wait: most.Wait, calls: callsWhat(r, most.Stack), serves: serves(r.Table, most.Stack),
		loads: loadsBy(r.Table, most.Stack)}
}

// busiest is the line that takes most of the CPU of a profile: below what fills a cache, else of requests, else of a
// goroutine of the service's own.
func (s *spikes) busiest(r *Reading, set *stacks.Set) *spikePlace {
	ns := stacks.ByValue(set.Value("cpu", "nanoseconds"))
	total, byKind, lines := 0.0, map[string]float64{}, map[string]map[stacks.FrameID]float64{}
	stackOf := map[stacks.FrameID][]stacks.FrameID{}
	for i := range set.Samples {
		sample := &set.Samples[i]
		w := float64(ns(sample))
		if sample.Class == stacks.GCIdle || w <= 0 {
			continue
		}
		total += w
		at, u := r.Table.UserFrame(sample.Stack)
		if u < 0 {
			continue
		}
		kind := "own"
		if serves(r.Table, sample.Stack) {
			kind = "request"
		}
		if loadsBy(r.Table, sample.Stack) != "" {
			kind = "load"
		}
		if lines[kind] == nil {
			lines[kind] = map[stacks.FrameID]float64{}
		}
		byKind[kind] += w
		lines[kind][at] += w
		stackOf[at] = sample.Stack
	}
	for _, kind := range []string{"load", "own", "request"} {
		if byKind[kind] < spikeBusy*total || total == 0 {
			continue
		}
		at, _ := heaviest(lines[kind])
		return &spikePlace{at: at, by: loaderOf(r.Table, stackOf[at]), share: byKind[kind] / total, set: set,
			serves: kind == "request" || serves(r.Table, stackOf[at]), loads: loadsBy(r.Table, stackOf[at])}
	}
	return nil
}
