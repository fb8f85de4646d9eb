package facts

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// addFelt adds what people feel: what tripped, requests, resources.
func (b *builder) addFelt() {
	for _, t := range b.r.Triggers[:min(len(b.r.Triggers), 3)] {
		b.addTrip(t)
	}
	b.addRequests()
	b.addAnswers()
	b.addResources()
}

// addTrip adds what tripped.
func (b *builder) addTrip(t casefile.Trigger) {
	var s text
	switch id, ok := b.r.Catalog().Lookup(t.Signal); {
	case t.Signal == "" && t.Value > 0:
		s.say("The rule %s tripped: %s wait at one place", clean(t.Rule), count("goroutines at the trip", t.Value))
	case t.Signal == "":
		return
	default:
		unit := t.Unit
		if ok && unit == "" {
			unit = string(b.r.Catalog().Signal(id).Unit)
		}
		s.say("The rule %s tripped: %s was %s", clean(t.Rule), clean(t.Signal),
			Number{Name: clean(t.Signal), Value: t.Value, Unit: unit})
		if before := b.r.Earlier(id, t.Time); ok && before != nil {
			s.say(", %s before", Number{Name: clean(t.Signal) + " before", Value: *before, Unit: unit})
		}
	}
	s.end()
	b.add(Felt, &s, 1)
}

// addRequests adds how many requests are in progress, and what most of them wait for.
func (b *builder) addRequests() {
	g := b.graph
	if len(g.Requests) == 0 {
		return
	}
	m := g.Fullest()
	if g.Requests[m] == 0 {
		return
	}
	var s text
	s.say("%s in progress", things(g.Requests[m], "requests"))
	sayCaptures(&s, "requests", g.Requests)
	by := make(map[string]int64)
	for _, p := range g.Piles {
		if p.Request {
			by[doingOfMany(p)] += p.N[m]
		}
	}
	var does []string
	for what := range by {
		does = append(does, what)
	}
	slices.SortFunc(does, func(x, y string) int { return cmp.Or(cmp.Compare(by[y], by[x]), cmp.Compare(x, y)) })
	sep := ": "
	for _, what := range does[:min(len(does), 3)] {
		does := what
		if by[what] == 1 {
			does = ofOne(what)
		}
		if by[what] > 0 {
			s.say("%s%s %s", sep, count("requests that "+what, by[what]), does)
			sep = ", "
		}
	}
	s.end()
	b.add(Felt, &s, max(b.weight.latency, 0.5))
}

// mostCaptures is how many captures are told apart in words.
const mostCaptures = 4

// sayCaptures says a number in each of the last captures, where there are several.
func sayCaptures(s *text, what string, n []int64) {
	if len(n) < 2 {
		return
	}
	sep := " (by capture, oldest first: "
	for m := max(len(n)-mostCaptures, 0); m < len(n); m++ {
		s.say("%s%s", sep, count(fmt.Sprintf("%s in capture %d", what, m+1), n[m]))
		sep = ", "
	}
	s.say(")")
}

// addAnswers adds how long requests take and how many fail, as the middleware and a trace know it.
func (b *builder) addAnswers() {
	var s text
	sep := ""
	at := b.r.TroubleAt()
	for _, m := range []struct {
		id    vitals.ID
		words string
	}{{vitals.HTTPLatencyP50, "half of the requests take more than %s"},
		{vitals.HTTPLatencyP99, "one in a hundred more than %s"}, {vitals.HTTPErrors, "%s of them fail"},
		{vitals.HTTPRate, "%s are answered"},
		{vitals.ProbeTime, "the process took %s to answer the sampler"}} {
		v := b.r.ValueAt(m.id, at)
		if v == nil || m.id == vitals.ProbeTime && *v < slowProbe {
			continue
		}
		s.say(sep+m.words, b.signalNumber(m.id, "", *v))
		sep = ", "
	}
	for _, k := range b.trace.Kinds[:min(len(b.trace.Kinds), 2)] {
		s.say("%sin a trace of %s, %s of %s took %s each, the longest %s", sep,
			secondsOf("trace", b.trace.Span.Seconds()), count("traced "+clean(k.Name), k.Times.Count), clean(k.Name),
			secondsOf("mean of "+clean(k.Name), k.Times.Mean().Seconds()),
			secondsOf("longest of "+clean(k.Name), k.Times.Max.Seconds()))
		sep = "; "
	}
	if sep == "" {
		return
	}
	s.end()
	b.add(Felt, upper(&s), max(b.weight.latency, 0.5))
}

// slowProbe is from where on the time that the process takes to answer the sampler is felt: the page of an idle one
// takes milliseconds.
const slowProbe = 0.5 // seconds

// addResources adds what the process uses.
func (b *builder) addResources() {
	var s text
	sep := "The process uses "
	for _, m := range []struct {
		id    vitals.ID
		words string
	}{{vitals.CPU, "%s of CPU"}, {vitals.RSS, "%s of resident memory"}, {vitals.HeapLive, "%s of live heap"},
		{vitals.Goroutines, "%s goroutines"}} {
		v, ok := b.r.Mean(m.id)
		if at := b.r.ValueAt(m.id, b.r.TroubleAt()); m.id != vitals.CPU && at != nil {
			v, ok = *at, true
		}
		if ok {
			s.say(sep+m.words, b.signalNumber(m.id, "", v))
			sep = ", "
		}
	}
	if s.b.Len() == 0 {
		return
	}
	if l := b.r.Limits; l.CPUs > 0 {
		s.say("; it may use %s", coresOf("cpu limit", l.CPUs))
	}
	if at := b.r.TroubleAt(); !b.r.Started.IsZero() && at.After(b.r.Started) {
		s.say("; it had run for %s", secondsOf("uptime", at.Sub(b.r.Started).Seconds()))
	}
	s.end()
	b.add(Felt, &s, max(b.weight.cpu, b.weight.memory, 0.5))
}

// signalNumber is a signal's value, with what is added to its name.
func (b *builder) signalNumber(id vitals.ID, added string, v float64) Number {
	s := b.r.Catalog().Signal(id)
	return Number{Name: clean(s.Name) + added, Value: v, Unit: string(s.Unit)}
}
