package facts

import (
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/diagnose/traces"
)

// How much of a trace stops of the world and system calls must take to be facts, and how many are.
const (
	leastStopped = 0.002 // of the trace: each stop holds up everybody
	leastServed  = 0.05  // of the requests' time
	mostTimed    = 2
)

// addStops adds who stops the world, from a trace.
func (b *builder) addStops() {
	n := 0
	for i := range b.trace.Stops {
		s := &b.trace.Stops[i]
		part := float64(s.Times.Total) / float64(max(b.trace.Span, 1))
		if len(s.By) == 0 || n == mostTimed || part < leastStopped {
			continue
		}
		at, ok := b.r.TracedLine(s.By[0].Stack)
		if !ok {
			continue
		}
		n++
		var t text
		t.say("In a trace of %s the world was stopped %s times (%s), asked for at %s",
			secondsOf("trace", b.trace.Span.Seconds()), count(Stops, s.Times.Count), clean(s.Reason), tracedPlace(at))
		t.say(": %s each, the longest %s, together %s", secondsOf("mean stop", s.Times.Mean().Seconds()),
			secondsOf("longest stop", s.Times.Max.Seconds()), secondsOf("stopped", s.Times.Total.Seconds()))
		t.end()
		stack := b.traced(s.By[0].Stack, 1)
		late := b.sayLate(&t, s)
		d := b.add(Cost, &t, max(b.weight.latency, b.weight.cpu)*share(stopPart*part))
		d.Stacks = append([]Stack{stack}, late...)
		d.Bounds = []Bound{{"latency", share(stopPart * part)}}
	}
}

// sayLate says who was the last to stop.
func (b *builder) sayLate(t *text, s *traces.Stop) []Stack {
	if len(s.Late) == 0 {
		return nil
	}
	l := &s.Late[0]
	at, ok := b.r.TracedLine(l.Stack)
	if !ok {
		return nil
	}
	t.say(" The last to stop were most often at %s: %s times, the longest after %s.", tracedPlace(at),
		count("last to stop", l.Times.Count), secondsOf("longest to stop", l.Times.Max.Seconds()))
	return []Stack{b.traced(l.Stack, 0)}
}

// stopPart is how many times longer than a stop what comes of it may be: whoever was stopped has to get its processor
// back, and behind those who came meanwhile.
const stopPart = 5

// addServed adds the system calls in which requests spend their time, from a trace.
func (b *builder) addServed() {
	calls := slices.Clone(b.trace.Served)
	for _, c := range calls[:min(len(calls), mostTimed)] {
		at, ok := b.r.TracedLine(c.Stack)
		part := share(float64(c.Took.Total) / float64(max(b.served(), 1)))
		if !ok || part < leastServed {
			continue
		}
		var t text
		t.say("Requests spend %s of their time in system calls at %s", shareOf("share of requests' time", part),
			tracedPlace(at))
		t.say(": %s in a trace of %s, %s for each request", count("system calls", c.Calls),
			secondsOf("trace", b.trace.Span.Seconds()), secondsOf("each request", c.Took.Mean().Seconds()))
		t.end()
		d := b.add(Wait, &t, b.weight.latency*part)
		d.Stacks = []Stack{b.traced(c.Stack, 1)}
		d.Bounds = []Bound{{"latency", part}}
	}
}

// served is the time of all requests to servers that a trace has.
func (b *builder) served() (all time.Duration) {
	for _, k := range b.trace.Kinds {
		if isServer(k) {
			all += k.Times.Total
		}
	}
	return all
}

// isServer reports whether a kind of regions is requests to a server ("net/http server", "gRPC server NAME").
func isServer(k traces.Kind) bool { return strings.Contains(k.Name, " server") }
