package facts

import (
	"cmp"
	"slices"

	"github.com/gocasebook/casebook/diagnose/hold"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/wait"
	"github.com/gocasebook/casebook/vitals"
)

// leastStaying is from how many goroutines on that stay at one place, and answer no request, they are held: fewer are
// workers.
const leastStaying = 10

// mostStaying is how many places of goroutines that stay are facts.
const mostStaying = 4

// stays reports whether the goroutines of a pile stay, as far as captures show: they answer no request, do not run, and
// are no fewer than before.
func (b *builder) stays(p *wait.Pile) bool {
	if p.Request || p.Most() < leastStaying || p.For == wait.Nothing || p.For == wait.Lock || p.For == wait.Collector {
		return false
	}
	if b.ownLine(p.Stack) == stacks.NoFrame && !b.exceeds(p) {
		return false
	}
	last := len(p.N) - 1
	seen := last == 0 || p.N[last-1] > 0 || p.Longest > 0
	return seen && 10*p.Last() >= 9*p.Most()
}

// exceeds reports whether goroutines of the standard library's are more than what a server and a client need, one or
// two for each connection and as many connections as requests in progress, and grow in number.
func (b *builder) exceeds(p *wait.Pile) bool {
	return p.For != wait.Asked && b.grows(p) && p.Last() > 2*b.graph.InProgress()+manyIdle
}

// manyIdle is how many connections a client keeps idle at most unless it is told otherwise (http.DefaultTransport).
const manyIdle = 100

// grows reports whether a pile is larger in the last capture than in the first, by more than a few.
func (b *builder) grows(p *wait.Pile) bool { return p.Last()-p.N[0] >= leastStaying }

// A begun is goroutines that the same call began.
type begun struct {
	root  stacks.FuncID // that they run
	begin hold.Begin
	known bool // begin is
	piles []*wait.Pile
	n     []int64
}

// addStaying adds the goroutines that stay, by what they run.
func (b *builder) addStaying() {
	index := make(map[stacks.FuncID]*begun)
	var all []*begun
	for _, p := range b.graph.Piles {
		if !b.stays(p) {
			continue
		}
		root := b.funcOf(b.r.Table.Root(p.Stack))
		of := index[root]
		if of == nil {
			of = &begun{root: root, n: make([]int64, len(p.N))}
			index[root], all = of, append(all, of)
		}
		of.piles = append(of.piles, p)
		for m, n := range p.N {
			of.n[m] += n
		}
	}
	slices.SortStableFunc(all, func(x, y *begun) int { return cmp.Compare(last(y.n), last(x.n)) })
	for _, of := range all[:min(len(all), mostStaying)] {
		b.addStay(of)
	}
}

// last is the last of some numbers; 0 of none.
func last(n []int64) int64 {
	if len(n) == 0 {
		return 0
	}
	return n[len(n)-1]
}

// addStay adds goroutines that stay: what they wait for, who began them, and what would end them.
func (b *builder) addStay(of *begun) {
	p, n := of.piles[0], last(of.n)
	var t text
	t.say("%s %s", things(n, "goroutines"), staying(of))
	sayCaptures(&t, "goroutines", of.n)
	t.say(" in %s and %s at %s", shortName(b.r.Table.Func(b.r.Table.Root(p.Stack)).Name), doing(p, n), b.place(p.At))
	b.sayAge(&t, &standing{piles: of.piles})
	t.end()
	b.sayBegun(&t, of)
	all := float64(max(b.goroutines(len(of.n)-1), 1))
	part := share(float64(n) / all)
	d := b.add(Hold, &t, b.stayHarm(of, part))
	d.Stacks = append(d.Stacks, b.stack(p.Stack, float64(p.Last())/float64(max(n, 1))))
	if of.known {
		d.Stacks = append(d.Stacks, b.frames(of.begin.Calls, of.begin.Line))
	}
	d.Thing = thingOf(p)
	d.Bounds = []Bound{{"goroutines", part}}
}

// staying says how sure it is that goroutines stay: by captures, or by how long a dump says that they wait.
func staying(of *begun) string {
	waited := slices.ContainsFunc(of.piles, func(p *wait.Pile) bool { return p.Longest > 0 })
	if len(of.n) < 2 && !waited {
		return "are, in the only capture,"
	}
	return "stay"
}

// sayBegun says who began goroutines in which no line of the user's is, and what would end them.
func (b *builder) sayBegun(t *text, of *begun) {
	if _, i := b.r.Table.UserFrame(of.piles[0].Stack); i >= 0 {
		return
	}
	of.begin, of.known = b.begins(of)
	if !of.known || of.begin.Line == stacks.NoFrame {
		of.known = false
		return
	}
	likely := ""
	if _, sure := b.begunChain().Goroutine(of.root); !sure {
		likely = "most likely "
	}
	t.say(" They were %sbegun by %s", likely, b.place(of.begin.Line))
	if of.begin.Calls == stacks.NoFrame {
		t.end()
		return
	}
	t.say(", which calls %s", shortName(b.r.Table.Func(of.begin.Calls).Name))
	e := hold.EndOf(b.r.Table, of.root, of.begin, func(fn stacks.FuncID) int64 { return b.running(fn) })
	switch e.Is {
	case hold.Returned:
		t.say("; what that returned is what could end them")
	case hold.Made, hold.Receiver:
		t.say("; the value that it made, or was called on, is what could end them")
	case hold.Either:
		t.say("; what that returned, or the value that it was called on, is what could end them")
	}
	t.end()
}

// begins is who began goroutines with a function of a dependency's. What the standard library starts it ends itself,
// and any call may have been the first that needed it, unless they exceed what it needs.
func (b *builder) begins(of *begun) (begin hold.Begin, ok bool) {
	root := of.root
	if b.r.Table.Funcs[root].Owner != stacks.Dependency && !b.exceeds(of.piles[0]) {
		return begin, false
	}
	return b.begunChain().Begun(root)
}

// begunChain is who is behind what dependencies began.
func (b *builder) begunChain() *hold.Chain {
	if b.chain == nil {
		sets := make([]*stacks.Set, 0, len(b.r.Sets))
		for _, s := range b.r.Sets {
			sets = append(sets, s.Set)
		}
		b.chain = hold.NewChain(b.r.Table, sets)
	}
	return b.chain
}

// running is how many goroutines run a function in the last capture.
func (b *builder) running(fn stacks.FuncID) (n int64) {
	for _, p := range b.graph.Piles {
		if b.funcOf(b.r.Table.Root(p.Stack)) == fn {
			n += p.Last()
		}
	}
	return n
}

// stayHarm is how much goroutines that stay can explain: their part of all, more where they grow in number. What there
// are tens of is felt by nobody.
func (b *builder) stayHarm(of *begun, part float64) float64 {
	weight := level(float64(last(of.n)), leastStaying, manyStaying)
	if p := of.piles[0]; p.For == wait.Asked && !b.grows(p) { // connections that are kept for the next request
		weight = leastWeight
	}
	for _, t := range b.r.Triggers {
		if id, ok := vitals.Lookup(t.Signal); ok && (id == vitals.Goroutines || id == vitals.GoroutinesWaiting) ||
			t.Signal == "" && t.Value > 0 {
			weight = 1
		}
	}
	if len(of.n) > 1 && 10*of.n[0] > 9*last(of.n) {
		weight /= 2
	}
	return weight * part
}

// manyStaying is a number of goroutines that is a leak in any service: a thousand, with some MiB of stacks.
const manyStaying = 1000

// addDescriptors adds open files and connections, where there are many or more than before.
func (b *builder) addDescriptors() {
	at := b.r.TroubleAt()
	now, before := b.r.ValueAt(vitals.OpenFiles, at), b.r.Earlier(vitals.OpenFiles, at)
	if now == nil || *now < leastFiles && (before == nil || *now < leastMove**before) {
		return
	}
	var t text
	t.say("%s descriptors are open", b.signalNumber(vitals.OpenFiles, "", *now))
	if before != nil {
		t.say(", %s before", b.signalNumber(vitals.OpenFiles, " before", *before))
	}
	part := 0.0
	if limit := float64(b.r.Limits.OpenFiles); limit > 0 {
		part = share(*now / limit)
		t.say("; the limit is %s", count("descriptor limit", limit))
	}
	t.end()
	b.add(Hold, &t, b.weight.files*max(part, leastWeight))
}

// leastFiles is from how many open descriptors on they are a fact.
const leastFiles = 200
