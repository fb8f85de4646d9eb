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

// A class is a sort of change, and what facts have to show for it. Its form is a guess about prose: what no form fits
// is of no class, and not refused for that.
type class struct {
	name  string
	form  *regexp.Regexp // in lower case
	judge func(*situation) ruling

	machine bool // it is about what the machine gives, and not about a place
}

// A ruling is what facts say of a change. Its zero value is nothing.
type ruling struct {
	verdict string
	why     string
	by      []*facts.Fact
}

func fits(why string, by ...*facts.Fact) ruling     { return ruling{casefile.Supported, why, by} }
func nothing(why string, by ...*facts.Fact) ruling  { return ruling{casefile.Unsupported, why, by} }
func opposite(why string, by ...*facts.Fact) ruling { return ruling{casefile.Contradicted, why, by} }

// classes are the sorts of changes, the more special before the more general.
func classes() []class {
	return []class{
		{"tuning the collector", form(`gogc|gomemlimit|setgcpercent|setmemorylimit|gc ?percent` +
			`|memory limit of (?:go|the runtime)|` +
			`ballast|runtime\.gc\(|freeosmemory|(?:collector|gc) (?:run )?(?:less|more) often` +
			`|tun\w+ (?:the )?(?:collector|gc)\b`),
			(*situation).tuneCollector, false},
		{"reusing memory", form(`sync\.pool|(?:reus\w+|recycl\w+|pool) (?:the |its |of |these )?(?:buffers?` +
			`|memory|objects?|slices?|byte slices?)|` +
			`object pool|buffer pool`), (*situation).reuse, false},
		{"a cache", form(`(?:put|add|use|introduce|have) (?:a |an |the )?(?:\S+ )?cache\b|memoi[sz]e|cach(?:e` +
			`|ing) (?:the|each|every|all|` +
			`parsed|results?|it|them|bodies|responses)\b|cache in front`), (*situation).cache, false},
		{"a deadline", form(`deadlines?|time-?outs?|context\.withtimeout|withdeadline|set(?:read|write)?deadline`),
			(*situation).deadline, false},
		{"a second request", form(`hedg\w+|second (?:request|attempt) (?:when|if|after)|(?:add|more|with) retries|` +
			`retry (?:it|the (?:request|call))`), (*situation).hedge, false},
		{"a faster dependency", form(`(?:look at|check|speed up|scale|tune|optimi[sz]e|fix|profile` +
			`|faster) (?:the |your |a )?` +
			`(?:\w+ )?(?:service|dependency|backend|database|db|broker|api server|upstream|network|postgres\w*` +
			`|redis|kafka)\b|` +
			slowOther), (*situation).dependency, false},
		{"more workers", form(`(?:more|additional|extra|raise|increase|add) (?:the )?(?:number of |parallel ` +
			`|concurrent |\w+ )?` +
			`(?:readers|workers|consumers|subscribers|goroutines|handlers)|(?:larger|bigger` +
			`|more) (?:channel )?buffer\w*|` +
			`buffer (?:of )?the channel|make the channel buffered|buffered channel`), (*situation).workers, false},
		{"a larger pool", form(`(?:larger|bigger|raise|increase|more|grow|enlarge|higher|double|bump` +
			`|lift)(?: \S+){0,3}? ` +
			`(?:pool|connections?|conns|max(?:open|idle|active)?(?:idle)?conn\w*|poolsize|setmax\w*conn\w*` +
			`|places|permits)\b|` +
			`(?:pool|connections?|max\w*conn\w*|poolsize)(?: \S+){0,3} (?:larger|bigger|higher|raised?|increased?)\b`),
			(*situation).pool, false},
		{"more threads", form(`(?:rais\w+|increas\w+|higher|more|larger) gomaxprocs` +
			`|gomaxprocs\S* (?:from \S+ )?(?:to |up|higher)|` +
			`gomaxprocs\W*$|more threads`),
			(*situation).threads, true},
		{"more of the machine", form(`(?:more|additional|faster|two|four|eight|sixteen|\d+) (?:cpus?|cores` +
			`|processors|replicas|instances|` +
			`pods|machines)\b|` +
			`(?:larger|bigger) (?:machine|instance|node|vm)|scal\w+ (?:up|out|horizontally)|mov\w+ (?:the ` +
			`|one of |a )?` +
			`(?:\w+ )?(?:process\w*|neighbou?rs?)\b|another machine|rais\w+ the cpu (?:quota|limit)` +
			`|cpu (?:quota|limit)`),
			(*situation).processors, true},
		{"a read lock", form(`rwmutex|rlock|read ?lock|reader[- ]writer lock`), (*situation).readLock, false},
		{"less of a lock", form(`(?:hold|keep)\w* the (?:lock|mutex) (?:for )?(?:less|shorter)|(?:shorter` +
			`|smaller) critical section|` +
			`shard\w*(?: \S+){0,3} (?:locks?|mutex\w*|map)|(?:locks?|mutex\w*) (?:by|per) (?:key|shard|client)` +
			`|lock[- ]free|` +
			`(?:out of|outside(?: of)?|without|not under|before|after releasing) the (?:lock|mutex)|sync\.map` +
			`|atomic\.\w+`),
			(*situation).lessLock, false},
		{"closing something", form(`clos\w+ (?:the |all |each |every |its |their |both )?(?:\w+ )?(?:rows?` +
			`|bod(?:y|ies)|responses?|objects?|channels?|` +
			`statements?|connections?|files?|readers?|streams?)\b|\.close\(\)|defer \S*close|unclosed` +
			`|call done\b|\.done\(\)|stop the (?:ticker|timer)|` +
			`\.stop\(\)|unsubscribe|sqlclosecheck|bodyclose|rowserrcheck`), (*situation).closing, false},
		{"another library", form(`(?:faster|another|different|alternative|streaming) (json|xml|yaml|csv|jpeg` +
			`|png|image|regexp?|protobuf) ?` +
			`(?:library|parser|decoder|encoder|package|decoding|encoding|parsing)?\b|(?:easyjson|jsoniter|sonic` +
			`|simdjson|segmentio/encoding|goccy/go-json)`),
			nil, false},
	}
}

// slowOther is a cause: another service that is slow.
const slowOther = `(?:service|dependency|backend|database|db|broker|api server|upstream|network|postgres\w*` +
	`|redis|kafka)` +
	` (?:\w+ )?(?:is|are|was|answers?|responds?) (?:too |very |so )?(?:slow\w*|overloaded|late)|slow (?:\w+ )?` +
	`(?:service|dependency|backend|database|db|broker|api server|upstream|network|postgres\w*|redis|kafka)\b`

func form(words string) *regexp.Regexp { return regexp.MustCompile(`(?:^|\W)(?:` + words + `)`) }

// leastCollector is the part of the CPU below which tuning the collector has nothing to bring: what allocating alone
// takes of most healthy services.
const leastCollector = 0.1

func (s *situation) tuneCollector() ruling {
	part, by := s.collector()
	cost, costBy := s.costShare()
	outside := s.outsideHeap()
	switch {
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
	case len(answers) > 0:
		return fits("an answer is waited for", answers...)
	case len(mine) > 0:
		return opposite(fmt.Sprintf("they wait for %s inside of the process: nobody else was asked yet",
			thingText(mine[0].Thing)), mine...)
	case s.topIs(s.costs), s.topIs(s.memory), s.topIs(s.stays):
		return opposite("it is the process itself that costs or holds", s.top)
	}
	return ruling{}
}

func (s *situation) workers() ruling {
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

func (s *situation) pool() ruling {
	places := s.wait(facts.ForPlace)
	switch {
	case len(s.itself()) > 0:
		return opposite("those who have one wait for another themselves: they would take any number", s.itself()...)
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
	case len(s.waits) == 0 && s.top != nil:
		return nothing("nobody of weight waits for a lock there", s.top)
	}
	return ruling{}
}

func (s *situation) closing() ruling {
	switch {
	case len(s.itself()) > 0 && s.topIs(s.itself()):
		return opposite("those who have one wait for another themselves: nothing is left open", s.itself()...)
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
