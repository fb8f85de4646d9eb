package facts

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/wait"
)

// mostWaits is how many waits are facts.
const mostWaits = 12

// A standing is goroutines that stand at one place for one thing: a pile, or all piles of a queue.
type standing struct {
	piles []*wait.Pile
	queue *wait.Queue // nil: nobody is known to hold what they wait for
	n     []int64     // in each capture

	requests int64 // of them, in the fullest capture
	line     stacks.FrameID
}

// first is the pile with the most goroutines.
func (s *standing) first() *wait.Pile { return s.piles[0] }

// addWaits adds where goroutines wait, and who could end that.
func (b *builder) addWaits() {
	if len(b.graph.Moments) == 0 {
		return
	}
	enders := b.enders()
	all := b.standings()
	slices.SortStableFunc(all, func(x, y *standing) int { return cmp.Compare(b.waitHarm(y), b.waitHarm(x)) })
	for _, s := range all[:min(len(all), mostWaits)] {
		if b.waitHarm(s) >= leastWait || b.singled(s.first()) {
			b.addWait(s, enders)
		}
	}
}

// leastWait is the harm from which on a wait is a fact: below it are the loops that every program has.
const leastWait = 0.005

// singled reports whether the wait of a single goroutine tells something: it does not wait for work.
func (b *builder) singled(p *wait.Pile) bool {
	return p.Request || p.For == wait.Lock || p.For == wait.Place || p.For == wait.Group || p.For == wait.Unread ||
		p.Park == stacks.WaitSend
}

// standings are all that wait, or are in requests, but for those who stay without anybody who waits for them: these
// are held (stays).
func (b *builder) standings() (out []*standing) {
	in := make(map[*wait.Pile]bool)
	for _, q := range b.graph.Queues() {
		s := &standing{piles: q.Waiters, queue: q}
		for _, p := range q.Waiters {
			in[p] = true
		}
		out = append(out, s)
	}
	type key struct {
		line stacks.FrameID
		at   stacks.FuncID
		what wait.For
	}
	index := make(map[key]*standing)
	for _, p := range b.graph.Piles {
		if in[p] || !b.waits(p) {
			continue
		}
		k := key{b.lineOf(p), b.funcOf(p.At), p.For}
		if p.For == wait.Nothing { // wherever below the line they run
			k.at = stacks.NoFunc
		}
		if index[k] == nil {
			index[k] = new(standing)
			out = append(out, index[k])
		}
		index[k].piles = append(index[k].piles, p)
	}
	for _, s := range out {
		b.sum(s)
	}
	return slices.DeleteFunc(out, func(s *standing) bool { return slices.Max(s.n) == 0 })
}

// sum adds up the goroutines of a standing.
func (b *builder) sum(s *standing) {
	s.n = make([]int64, len(b.graph.Moments))
	m := b.graph.Fullest()
	if s.line = b.lineOf(s.first()); s.line == stacks.NoFrame {
		s.line = s.first().At
	}
	for _, p := range s.piles {
		for i, n := range p.N {
			s.n[i] += n
		}
		if p.Request {
			s.requests += p.N[m]
		}
	}
}

// waits reports whether a pile is a wait of the program's, or a request in progress.
func (b *builder) waits(p *wait.Pile) bool {
	if p.For == wait.Asked || p.For == wait.Nothing && !p.Request || b.stays(p) {
		return false
	}
	return b.ownLine(p.Stack) != stacks.NoFrame
}

// addWait adds one wait.
func (b *builder) addWait(s *standing, enders map[*wait.Pile][]ender) {
	g, p := b.graph, s.first()
	m := b.moment(s)
	what := "goroutines"
	if 2*s.requests > s.n[m] {
		what = "requests"
	}
	var t text
	t.say("%s", things(s.n[m], what))
	if all := g.Requests[m]; what == "requests" && all > 0 {
		t.say(" of %s in progress", count("requests in progress", all))
	}
	sayCaptures(&t, what, s.n)
	t.say(" %s at %s", doing(p, s.n[m]), b.place(s.line))
	b.sayEntered(&t, p)
	b.sayAge(&t, s)
	t.end()
	b.saySetting(&t, p)
	told := b.endersOf(s, enders)
	for i := range told {
		told[i].say(b, &t, i)
	}
	holder := b.sayTraced(&t, s.line)
	d := b.add(Wait, &t, b.waitHarm(s))
	d.Thing = thingOf(p)
	of := float64(max(s.n[m], 1))
	for _, p := range s.piles[:min(len(s.piles), mostStacks)] {
		d.Stacks = append(d.Stacks, b.stack(p.Stack, float64(p.N[m])/of))
	}
	for _, e := range told {
		if does := e.thing(d.Thing); does != "" && !slices.Contains(d.Enders, does) {
			d.Enders = append(d.Enders, does)
		}
		if e.pile != nil {
			d.Stacks = append(d.Stacks, b.stack(e.pile.Stack, 0))
		}
	}
	for _, h := range holder {
		if !d.has(h) {
			d.Stacks = append(d.Stacks, h)
		}
	}
	d.Bounds = b.waitBounds(s, m)
}

// lineOf is where a pile stands in code that somebody can change: the user's line, otherwise a dependency's innermost,
// otherwise where a dependency is entered.
func (b *builder) lineOf(p *wait.Pile) stacks.FrameID {
	if p.Line == stacks.NoFrame && b.r.Table.Func(p.At).Owner == stacks.Dependency {
		return p.At
	}
	return b.ownLine(p.Stack)
}

// has reports whether one of a fact's stacks has the place of another stack.
func (d *draft) has(s Stack) bool {
	f := Fact{Stacks: []Stack{s}}
	at, ok := f.Place()
	return !ok || d.at(func(x Frame) bool { return x == at })
}

// mostStacks is how many stacks of one sort a fact has.
const mostStacks = 2

// moment is the capture of which a standing is described: the one with the most requests, or the one with most of it
// where nobody stands there in that.
func (b *builder) moment(s *standing) int {
	if m := b.graph.Fullest(); s.n[m] > 0 {
		return m
	}
	return slices.Index(s.n, slices.Max(s.n))
}

// sayEntered says which function of a dependency the line waits in.
func (b *builder) sayEntered(t *text, p *wait.Pile) {
	table := b.r.Table
	enter, at := p.Enter, p.At
	if enter != stacks.NoFrame && p.Line != stacks.NoFrame {
		t.say(", in %s", shortName(table.Func(enter).Name))
	}
	if at != enter && at != b.lineOf(p) && table.Func(at).Owner == stacks.Dependency {
		t.say(" (stands in %s)", b.place(at))
	}
}

// sayAge says how long the longest has waited; a dump tells.
func (b *builder) sayAge(t *text, s *standing) {
	longest, waited := int64(0), int64(0)
	for _, p := range s.piles {
		longest, waited = max(longest, p.Longest), waited+p.Waited
	}
	if longest > 0 {
		t.say("; the longest for %s, %s for a minute or more", secondsOf("longest wait", float64(60*longest)),
			count("waited a minute", waited))
	}
}

// saySetting says which setting governs a wait, where it is known by the function's name.
func (b *builder) saySetting(t *text, p *wait.Pile) {
	if p.Role != nil && p.Role.Setting != "" {
		t.say(" What governs it: %s.", clean(p.Role.Setting))
		t.governs = p.Role.Setting
	}
}

// doing is what so many goroutines of a pile do, in words.
func doing(p *wait.Pile, n int64) string {
	if n == 1 {
		return ofOne(doingOfMany(p))
	}
	return doingOfMany(p)
}

// ofOne turns what several goroutines do into what a single one does.
func ofOne(words string) string {
	verb, rest, _ := strings.Cut(words, " ")
	if verb += "s"; verb == "ares" {
		verb = "is"
	}
	return strings.TrimSpace(verb + " " + strings.Replace(rest, "or are ", "or is ", 1))
}

// doingOfMany is what several goroutines of a pile do, in words.
func doingOfMany(p *wait.Pile) string {
	switch p.For {
	case wait.Nothing:
		return "run or are ready to run"
	case wait.Asked:
		return "wait to be asked"
	case wait.Unknown, wait.Channel:
		return p.Park.Does()
	case wait.Inside:
		if p.Park == stacks.WaitSend || p.Park == stacks.WaitReceive || p.Park == stacks.WaitSelect {
			return p.Park.Does() + " inside a dependency"
		}
	}
	words := "wait for " + p.For.String()
	if p.Role != nil && p.Role.What != "" {
		words += " (" + clean(p.Role.What) + ")"
	}
	return words
}

// waitHarm is how much of what people feel a standing can explain: its part of the requests in progress. Goroutines
// that nobody is known to wait for count half, as a part of all.
func (b *builder) waitHarm(s *standing) float64 {
	m := b.moment(s)
	if all := b.graph.Requests[m]; s.requests > 0 && all > 0 {
		return b.weight.latency * share(float64(s.requests)/float64(all))
	}
	return b.weight.latency / 2 * share(float64(s.n[m])/float64(max(b.goroutines(m), 1)))
}

// goroutines is how many there are in a capture.
func (b *builder) goroutines(m int) int64 {
	return b.graph.Moments[m].Total(b.graph.Moments[m].Count())
}

// waitBounds are the most that a change at a standing's place can bring.
func (b *builder) waitBounds(s *standing, m int) (out []Bound) {
	if all := b.graph.Requests[m]; s.requests > 0 && all > 0 {
		out = append(out, Bound{"latency", share(float64(s.requests) / float64(all))})
	}
	if all := b.goroutines(m); all > 0 {
		out = append(out, Bound{"goroutines", share(float64(s.n[m]) / float64(all))})
	}
	return out
}
