package answer

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
)

// leastCollector is the part of the CPU below which tuning the collector has nothing to bring: what allocating alone
// takes of most healthy services.
const leastCollector = 0.1

func (s *situation) tuneCollector() ruling {
	part, by := s.collector()
	cost, costBy := s.costShare()
	outside := s.outsideHeap()
	switch {
	case s.stopped() != nil:
		return opposite("the program itself asks to stop the world there, and no collection does", s.stopped())
	case s.topIs(s.memory), s.topIs(s.stays):
		return opposite("what is held there is in use, and a collector frees nothing of it", s.top)
	case outside != nil && !s.topIs(s.costs):
		return opposite("most of the memory is outside of Go's heap, where no collector comes", outside)
	case s.topIs(s.waits) && s.top.Thing != facts.ForCollector:
		return opposite("who is late there waits, and not for the collector", s.top)
	case by != nil && part < leastCollector:
		return opposite(fmt.Sprintf("allocating and collecting take %s of the CPU", shareText(part)), by)
	case by != nil && cost > part*muchMore:
		return nothing(fmt.Sprintf("allocating and collecting take %s of the CPU, and %s is spent there",
			shareText(part),
			shareText(cost)), by, costBy)
	}
	return fits("the collector takes a part", by)
}

// stopped is the fact that code at the places stops the world; nil where none does.
func (s *situation) stopped() *facts.Fact {
	for _, f := range s.costs {
		if slices.ContainsFunc(f.Numbers, func(n facts.Number) bool { return n.Name == facts.Stops }) {
			return f
		}
	}
	return nil
}

// muchMore is how much more CPU a line must take than the collector for that to be no answer to it: the garbage of the
// line is a part of what the collector does, and is in the line's cost already.
const muchMore = 1.5

// cache is a cache of what is made at the places: it saves what is made again, and holds more.
func (s *situation) cache() ruling {
	switch {
	case bounded.MatchString(strings.ToLower(s.c.a.Change)):
		return ruling{}
	case s.topIs(s.memory):
		return opposite("memory is what is held there, and a cache keeps more of it", s.top)
	case s.topIs(s.stays):
		return nothing("goroutines stay there, and a cache ends none", s.top)
	}
	return ruling{}
}

// bounded are words that say that a cache has an end.
var bounded = regexp.MustCompile(`bound|limit|expir|evict|\bttl\b|\blru\b|at most|drop|remove|oldest`)

func (s *situation) reuse() ruling {
	part, by := s.collector()
	switch {
	case s.topIs(s.memory), s.topIs(s.stays):
		return opposite("what is held there is alive: memory that nobody gives back cannot be used again", s.top)
	case s.topIs(s.waits) && s.top.Thing != facts.ForCollector:
		return opposite("who is late there waits, and not for memory", s.top)
	case by != nil && part < leastCollector:
		return opposite(fmt.Sprintf("allocating and collecting take %s of the CPU", shareText(part)), by)
	case len(s.costs) > 0:
		return fits("memory is made there", s.costs...)
	}
	return ruling{}
}

// own are the waits for what the process itself gives: no other service is asked yet.
var own = []string{facts.ForPlace, facts.ForLimiter, facts.ForBatch, facts.ForLock, facts.ForWriteLock,
	facts.ForReadLock,
	facts.ForPipe}

func (s *situation) deadline() ruling {
	outside := slices.Concat(s.wait(facts.ForAnswer, facts.ForReader, facts.Inside, facts.ForChild, facts.ForDisk),
		s.ended(facts.ForAnswer, facts.ForReader), of(s.stays, facts.ForAnswer, facts.ForReader, facts.Inside))
	mine := slices.Concat(s.wait(own...), of(s.stays, facts.ForChannel, facts.ForGroup, facts.ForCondition))
	switch {
	case len(outside) > 0 && !s.topIs(mine):
		return fits("a wait there has no end that facts show", outside...)
	case len(mine) > 0:
		return opposite(fmt.Sprintf("they wait for %s inside of the process: a deadline gives a request up, and "+
			"ends nothing of "+
			"that", thingText(mine[0].Thing)), mine...)
	case s.top != nil && !s.topIs(s.waits):
		return nothing("nothing of weight waits there", s.top)
	}
	return ruling{}
}

func (s *situation) hedge() ruling {
	answers := slices.Concat(s.wait(facts.ForAnswer), s.ended(facts.ForAnswer))
	switch mine := s.wait(own...); {
	case len(mine) > 0 && s.topIs(mine):
		return opposite(fmt.Sprintf("they wait for %s inside of the process: a second request waits, too",
			thingText(mine[0].Thing)), mine...)
	case len(answers) > 0:
		return fits("an answer is waited for", answers...)
	case s.top != nil:
		return nothing("nobody of weight waits for an answer there", s.top)
	}
	return ruling{}
}

func (s *situation) dependency() ruling {
	answers := slices.Concat(s.wait(facts.ForAnswer, facts.ForReader, facts.ForDisk), s.ended(facts.ForAnswer))
	switch mine := s.wait(own...); {
	case len(answers) > 0 && !(s.topIs(mine) && slices.Contains(answers, s.top)):
		return fits("an answer is waited for", answers...)
	case len(answers) > 0:
		return nothing(fmt.Sprintf("nearly all wait for %s inside of the process; those who have one wait for an answer",
			thingText(s.top.Thing)), s.top)
	case len(mine) > 0:
		return opposite(fmt.Sprintf("they wait for %s inside of the process: nobody else was asked yet",
			thingText(mine[0].Thing)), mine...)
	case s.topIs(s.costs), s.topIs(s.memory), s.topIs(s.stays):
		return opposite("it is the process itself that costs or holds", s.top)
	}
	return ruling{}
}

// idle are the facts of goroutines that stay and wait for work, of the code that ends the waits at the places.
func (s *situation) idle() (all []*facts.Fact) {
	for i := range s.c.sheet.Facts {
		f := &s.c.sheet.Facts[i]
		if f.Sort != facts.Hold || f.Thing != facts.ForChannel && f.Thing != facts.ForCondition || len(f.Stacks) == 0 {
			continue
		}
		root := f.Stacks[0].Frames[len(f.Stacks[0].Frames)-1]
		ends := func(w *facts.Fact) bool {
			return slices.ContainsFunc(w.Stacks, func(x facts.Stack) bool {
				return x.Share == 0 && slices.ContainsFunc(x.Frames,
					func(f facts.Frame) bool { return f.Function == root.Function })
			})
		}
		if root.Owner == facts.User && slices.ContainsFunc(s.waits, ends) {
			all = append(all, f)
		}
	}
	return all
}

func (s *situation) workers() ruling {
	if idle := s.idle(); len(idle) > 0 {
		return opposite("some of those that do the work wait for it: further ones would, too", idle...)
	}
	queues := s.wait(facts.ForChannel, facts.Inside, facts.ForPlace, facts.ForGroup, facts.ForCondition)
	stuck := s.ended(facts.ForReader)
	switch mine := s.wait(facts.ForLock, facts.ForWriteLock, facts.ForReadLock, facts.ForLimiter, facts.ForBatch,
		facts.ForPipe, facts.ForAnswer); {
	case len(stuck) > 0:
		return opposite("who takes what they hand over waits for a peer that does not read: further ones would, too",
			stuck...)
	case len(s.itself()) > 0:
		return opposite("those who have one wait for another themselves: further ones would, too", s.itself()...)
	case len(queues) > 0 && !s.topIs(mine):
		return fits("a queue is there", queues...)
	case len(mine) > 0:
		return opposite(fmt.Sprintf("they wait for %s: more of them wait longer", thingText(mine[0].Thing)), mine...)
	case s.top != nil:
		return nothing("nothing of weight queues there", s.top)
	}
	return ruling{}
}

// batch is more at a time of what is taken or sent.
func (s *situation) batch() ruling {
	stuck, idle := s.ended(facts.ForReader), s.idle()
	switch {
	case len(idle) > 0:
		return opposite("some of those that do the work wait for it: how much they take at a time is not what is short",
			idle...)
	case len(stuck) > 0:
		return opposite("who takes what they hand over waits for a peer that does not read: it takes no more at a time",
			stuck...)
	case len(s.itself()) > 0:
		return opposite("those who have one wait for another themselves", s.itself()...)
	case s.topIs(s.wait(facts.ForBatch)):
		return opposite("they wait until a batch is full or late: a larger one is full later", s.top)
	case s.topIs(s.stays):
		return nothing("goroutines stay there, however much is taken at a time", s.top)
	}
	return ruling{}
}

// limit is more calls in a time than a limiter lets through.
func (s *situation) limit() ruling {
	switch {
	case s.topIs(s.wait(facts.ForLimiter)):
		return fits("a limiter is waited for", s.top)
	case s.topIs(s.waits):
		return nothing(fmt.Sprintf("they wait for %s, and for no limiter", thingText(s.top.Thing)), s.top)
	case s.topIs(s.memory), s.topIs(s.stays), s.topIs(s.costs):
		return nothing("nobody of weight waits for a limiter there", s.top)
	}
	return ruling{}
}

// descriptors are more of them than the process may have.
func (s *situation) descriptors() ruling {
	switch {
	case s.topIs(s.stays), s.topIs(s.memory):
		return opposite("what is opened there stays: a higher limit is reached later", s.top)
	case s.topIs(s.costs):
		return nothing("CPU is spent there", s.top)
	}
	return ruling{}
}

// foreign is a change of code that is not the program's, where a line of the program is on the same stacks.
func (s *situation) foreign() ruling {
	if s.c.upgrades() || s.top == nil {
		return ruling{}
	}
	if at, ok := s.top.Place(); ok && at.Owner == facts.User {
		return nothing(fmt.Sprintf("that is not code of the program; what it can change is at %s", placeText(
			casefile.At{Function: at.Function, File: at.File, Line: at.Line})), s.top)
	}
	return ruling{}
}

func (s *situation) pool() ruling {
	places := s.wait(facts.ForPlace)
	switch {
	case len(s.itself()) > 0:
		return opposite("those who have one wait for another themselves: they would take any number", s.itself()...)
	case s.topIs(places) && nobodyHas(s.top):
		return nothing("nobody is seen who has one: they are not given back, and a larger pool is empty, too, later",
			s.top)
	case len(places) > 0:
		return fits("a place is waited for", places...)
	case s.topIs(s.waits) && s.top.Thing != facts.Inside && s.top.Thing != facts.ForChannel:
		return opposite(fmt.Sprintf("they wait for %s, and not for a place of a pool", thingText(s.top.Thing)), s.top)
	case s.topIs(s.waits):
		return ruling{}
	case s.top != nil:
		return nothing("nobody of weight waits for a place of a pool there", s.top)
	}
	return ruling{}
}

// nobodyHas reports whether all requests in progress wait for places, many of them, and no goroutine has one.
func nobodyHas(f *facts.Fact) bool {
	all, in := 0.0, -1.0
	for _, n := range f.Numbers {
		switch n.Name {
		case "requests":
			all = n.Value
		case "requests in progress":
			in = n.Value
		}
	}
	return len(f.Enders) == 0 && all >= leastCounted && all == in
}

// busy is the part of its CPU that a process uses from which on more of it is no waste.
const busy = 0.5

func (s *situation) processors() ruling {
	used, by := s.cpuUsed()
	switch {
	case s.topIs(s.memory), s.topIs(s.stays):
		return nothing("what is held there does not depend on the CPU", s.top)
	case s.topIs(s.waits) && s.top.Thing != facts.ForCollector && by != nil && used < busy:
		return opposite(fmt.Sprintf("they wait for %s, and the process uses %s of the CPU that it may",
			thingText(s.top.Thing), shareText(used)), s.top, by)
	case len(s.machine()) > 0:
		return fits("CPU is short", s.machine()...)
	case len(s.costs) > 0:
		return fits("CPU is spent there", s.costs...)
	}
	return ruling{}
}

// threads are more threads for the same CPU.
func (s *situation) threads() ruling {
	used, by := s.cpuUsed()
	switch short := s.machine(); {
	case s.topIs(s.memory), s.topIs(s.stays):
		return nothing("what is held there does not depend on the CPU", s.top)
	case s.topIs(s.waits) && s.top.Thing != facts.ForCollector && by != nil && used < busy:
		return opposite(fmt.Sprintf("they wait for %s, and the process uses %s of the CPU that it may",
			thingText(s.top.Thing), shareText(used)), s.top, by)
	case len(short) > 0:
		return opposite("CPU is short: more threads get no more of it", short...)
	}
	return ruling{}
}

func (s *situation) locks() []*facts.Fact {
	return s.wait(facts.ForLock, facts.ForWriteLock, facts.ForReadLock)
}

func (s *situation) readLock() ruling {
	switch locks := s.locks(); {
	case len(s.wait(facts.ForWriteLock)) > 0 && s.topIs(s.wait(facts.ForWriteLock)):
		return opposite("they wait to write: it is an RWMutex already", s.wait(facts.ForWriteLock)...)
	case len(locks) > 0 && len(s.ended(facts.ForAnswer, facts.ForReader, facts.ForPlace, facts.ForDisk,
		facts.ForSleep)) > 0:
		return nothing("who holds the lock waits for something else with it", locks...)
	case len(locks) > 0:
		return fits("a lock is waited for", locks...)
	case s.top != nil:
		return nothing("nobody of weight waits for a lock there", s.top)
	}
	return ruling{}
}

func (s *situation) lessLock() ruling {
	switch locks := s.locks(); {
	case len(locks) > 0:
		return fits("a lock is waited for", locks...)
	case len(s.waits) == 0 && s.top != nil, s.topIs(s.wait(facts.ForLimiter, facts.ForBatch, facts.ForPlace,
		facts.ForAnswer, facts.ForReader, facts.ForChild, facts.ForPipe)):
		return nothing("nobody of weight waits for a lock there", s.top)
	}
	return ruling{}
}

// ofDependency reports whether a channel is to be closed where goroutines wait inside of a dependency.
func (s *situation) ofDependency() bool {
	return channels.MatchString(strings.ToLower(s.c.a.Change)) && s.top != nil && s.top.Thing == facts.Inside &&
		(s.topIs(s.stays) || s.topIs(s.waits))
}

// noneStays reports whether a channel is to be closed where memory is all that is held.
func (s *situation) noneStays() bool {
	return channels.MatchString(strings.ToLower(s.c.a.Change)) && s.topIs(s.memory) && len(s.stays) == 0 &&
		len(s.waits) == 0
}

var channels = regexp.MustCompile(`clos\w+ (?:the |its |that |this )?(?:\w+ )?chan(?:nel)?s?\b`)

func (s *situation) closing() ruling {
	switch {
	case len(s.itself()) > 0 && s.topIs(s.itself()):
		return opposite("those who have one wait for another themselves: nothing is left open", s.itself()...)
	case s.noneStays():
		return opposite("no goroutine stays there: closing a channel ends goroutines, and lets go of nothing else",
			s.top)
	case s.ofDependency():
		return nothing("they wait for a channel of a dependency's own, which the program cannot close", s.top)
	case len(s.stays) > 0, len(s.memory) > 0:
		return fits("something is held there", slices.Concat(s.stays, s.memory)...)
	case s.topIs(s.wait(facts.ForLimiter, facts.ForBatch, facts.ForLock, facts.ForWriteLock, facts.ForReadLock)):
		return opposite(fmt.Sprintf("they wait for %s, which nothing that is open holds", thingText(s.top.Thing)),
			s.top)
	case s.topIs(s.costs):
		return nothing("nothing is held there: CPU is spent", s.top)
	}
	return ruling{}
}

// works are what a library of a format does, by the word for the format.
var works = map[string]known.Work{"json": known.EncodesJSON, "easyjson": known.EncodesJSON,
	"jsoniter": known.EncodesJSON,
	"sonic":    known.EncodesJSON, "simdjson": known.EncodesJSON, "xml": known.EncodesXML}

// otherLibrary is the ruling for another library of a format: the format has to be on the stacks of what costs.
func (s *situation) otherLibrary(format string) ruling {
	work, ok := works[format]
	if s.topIs(s.waits) || s.topIs(s.stays) || s.topIs(s.memory) {
		return nothing("what is felt there is no cost of a library's", s.top)
	}
	if !ok || len(s.costs) == 0 {
		return ruling{}
	}
	if frames(s.costs, func(f facts.Frame) bool { return known.Of(f.Function).Does(work) }) {
		return fits("it is on the stacks of what costs", s.costs...)
	}
	return nothing("no "+format+" is on the stacks of what costs there", s.costs...)
}

// upgraded is a newer release of a module: where memory or CPU is what is felt, the module has code on the stacks that
// the program's line calls, and not only calls that line.
func (s *situation) upgraded(path string) ruling {
	if !s.topIs(s.memory) && !s.topIs(s.costs) {
		return ruling{}
	}
	called, calls := false, false
	for _, f := range slices.Concat(s.memory, s.costs) {
		for _, stack := range f.Stacks {
			mine := false
			for _, x := range stack.Frames {
				mine = mine || x.Owner == facts.User
				is := x.Owner == facts.Dependency && (x.Module == path || functionOf(x.Function).pkg == path ||
					strings.HasPrefix(functionOf(x.Function).pkg, path+"/"))
				called, calls = called || is && !mine, calls || is && mine
			}
		}
	}
	if called || !calls {
		return ruling{}
	}
	return nothing(path+" only calls the place: what is held or spent there is not its own", s.top)
}
