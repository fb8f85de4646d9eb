package facts

import (
	"cmp"
	"math"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/hold"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// How many calls that hold memory are facts: those with most of it, and those that grew most.
const (
	mostHolds   = 5
	mostGrowing = 3
	leastHeld   = 0.03 // of the live heap, or of its growth
	leastBytes  = 1 << 20
)

// addHeap adds what the heap holds, by the calls that made it.
func (b *builder) addHeap() {
	h := b.heap
	if h == nil || h.Now.Bytes <= 0 {
		return
	}
	sums := hold.By(h.Held, b.calledBy)
	chosen := sums.Sorted(hold.AliveBytes)[:min(len(sums), mostHolds)]
	if h.First != nil {
		for _, k := range sums.Sorted(hold.GrownBytes)[:min(len(sums), mostGrowing)] {
			if k.Grew() && !slices.ContainsFunc(chosen, func(c hold.Keyed[hold.Call]) bool { return c.Key == k.Key }) {
				chosen = append(chosen, k)
			}
		}
	}
	for _, k := range chosen {
		live, grown := b.heldShares(k.Sum)
		large := k.Now.Bytes >= leastBytes || grown > 0
		if large && max(live, grown) >= leastHeld && k.Key.Line != stacks.NoFrame {
			b.addHeld(k, live, grown)
		}
	}
}

// calledBy is the call that made something: the user's, otherwise the function at which a dependency is entered.
func (b *builder) calledBy(h *hold.Held) hold.Call {
	if h.Line != stacks.NoFrame {
		return h.Call()
	}
	return hold.Call{Line: b.ownLine(h.Stack), Enter: stacks.NoFrame}
}

// heldShares are the parts of a sum of the live heap, and of its growth where that is no chance.
func (b *builder) heldShares(s *hold.Sum) (live, grown float64) {
	live = share(s.Now.Bytes / b.heap.Now.Bytes)
	if b.heap.First != nil && s.Grew() {
		all := max(b.heap.Grown().Bytes, s.Grown().Bytes)
		grown = share(s.Grown().Bytes / all)
	}
	return live, grown
}

// addHeld adds what one call holds.
func (b *builder) addHeld(k hold.Keyed[hold.Call], live, grown float64) {
	var t text
	t.say("%s of live heap (%s of it) was made at %s",
		doubted(bytesOf("bytes", k.Now.Bytes), sampled(k.Now.Bytes, k.Samples)), shareOf("share of live heap", live),
		b.place(k.Key.Line))
	if k.Key.Enter != stacks.NoFrame {
		t.say(", in %s", shortName(b.r.Table.Func(k.Key.Enter).Name))
	}
	t.say(": %s objects of %s on average", count("objects", k.Now.Objects), bytesOf("mean size", k.Size()))
	b.saySizes(&t, k.Sum)
	t.end()
	b.sayMade(&t, k.Sum)
	b.sayGrowth(&t, k.Sum, grown)
	b.sayKeeper(&t, k.Sum)
	d := b.add(Hold, &t, b.weight.memory*max(live*b.heapPart(), grown))
	for _, h := range b.heaviest(k.Sum) {
		d.Stacks = append(d.Stacks, b.stack(h.Stack, h.Now.Bytes/max(k.Now.Bytes, 1)))
	}
	d.Bounds = []Bound{{"memory", live}}
}

// heapPart is the part of the resident memory that the live heap accounts for: itself, and as much again, which the
// collector leaves room for unless it is told otherwise (GOGC=100). 1 where the resident memory is not known.
func (b *builder) heapPart() float64 {
	if p := b.report.Picture; p != nil && p.Memory != nil && p.Memory.Total > 0 {
		return share(2 * b.heap.Now.Bytes / float64(p.Memory.Total))
	}
	return 1
}

// sampled is twice the standard deviation of bytes that some sampled allocations stand for.
func sampled(bytes, samples float64) float64 {
	if samples <= 0 || samples >= exact {
		return 0
	}
	return 2 * bytes / math.Sqrt(samples)
}

// exact is how many samples tell a size to a tenth at twice the deviation: 2/√400.
const exact = 400

// heaviest are the parts of a sum with the most bytes, of different stacks.
func (b *builder) heaviest(s *hold.Sum) []*hold.Held {
	held := slices.Clone(s.Held)
	slices.SortStableFunc(held, func(x, y *hold.Held) int { return cmp.Compare(y.Now.Bytes, x.Now.Bytes) })
	held = slices.CompactFunc(held, func(x, y *hold.Held) bool { return slices.Equal(x.Stack, y.Stack) })
	return held[:min(len(held), mostStacks)]
}

// saySizes says the size that most of the bytes have, where that is another than the mean.
func (b *builder) saySizes(t *text, s *hold.Sum) {
	bySize := hold.By(s.Held, func(h *hold.Held) float64 { return h.Size })
	size, most := bySize.Most(hold.AliveBytes)
	if most == nil || 10*size > 9*s.Size() && 10*size < 11*s.Size() {
		return
	}
	t.say("; the most of it %s of %s", count("objects of one size", most.Now.Objects), bytesOf("size", size))
}

// sayMade says what was made since the start, and how much of it is gone.
func (b *builder) sayMade(t *text, s *hold.Sum) {
	if s.Made.Bytes <= 0 {
		return
	}
	gone := share(1 - s.Now.Bytes/s.Made.Bytes)
	switch {
	case s.NeverFreed():
		t.say(" Nothing that was made there since the start was freed")
		t.keep(shareOf("freed", gone))
	default:
		t.say(" Since the start %s in %s objects were made there; %s of that was freed", bytesOf("made", s.Made.Bytes),
			count("objects made", s.Made.Objects), shareOf("freed", gone))
	}
	t.end()
}

// sayGrowth says how it grew between two profiles.
func (b *builder) sayGrowth(t *text, s *hold.Sum, part float64) {
	g, ok := b.r.Growth()
	if !ok || b.heap.First == nil {
		return
	}
	grown := s.Grown().Bytes
	if !s.Grew() {
		t.say(" In %s between two profiles it changed by no more than chance", secondsOf("between profiles", g.Seconds))
		t.keep(bytesOf("grown", grown))
		t.end()
		return
	}
	t.say(" It grew by %s in %s, %s of what the heap grew by", doubted(bytesOf("grown", grown), 2*grown/s.Deviations()),
		secondsOf("between profiles", g.Seconds), shareOf("share of growth", part))
	t.end()
}

// sayKeeper says what most likely keeps it.
func (b *builder) sayKeeper(t *text, s *hold.Sum) {
	if at := b.heap.Keeper(s); at != stacks.NoFrame {
		t.say(" A container of the program's grows at %s", b.place(at))
		t.end()
		return
	}
	switch line, enter := b.heap.Store(s); {
	case line != stacks.NoFrame && enter != stacks.NoFrame:
		t.say(" What keeps it is most likely given to %s at %s", shortName(b.r.Table.Func(enter).Name), b.place(line))
		t.end()
	case b.heap.KeptByReceiver(s):
		t.say(" A container grows below it: the value that the method is called on keeps it.")
	case b.heap.KeptWithin(s):
		t.say(" A container grows below it, within the library.")
	}
}

// addTimers adds timers and contexts that are alive.
func (b *builder) addTimers() {
	if b.heap == nil {
		return
	}
	const most = 2
	for _, tm := range b.heap.Timers() {
		fire := tm.Ticks && tm.Samples >= leastTicking && tm.Now.Objects > leastTimers && b.firing() >= leastFiring
		if (fire || tm.MoreThan(leastTimers)) && len(b.timers()) < most {
			b.addTimer(tm)
		}
	}
}

// leastTimers is from how many timers of one place on they are a fact: a hundred that fire every few milliseconds take
// CPU.
const leastTimers = 100

// Tickers of which few were sampled are a fact if running timers takes CPU: two samples are no chance then.
const (
	leastTicking = 2
	leastFiring  = 0.1 // of the CPU
)

// firing is the part of the CPU below the runtime's function that runs timers whose time has come.
func (b *builder) firing() float64 {
	set, weight, total := b.cpu()
	if set == nil || total <= 0 {
		return 0
	}
	return share(float64(set.Total(func(s *stacks.Sample) int64 {
		if b.r.Table.Has(s.Stack, func(f *stacks.Func) bool { return f.Is(known.RunsTimers) }) {
			return weight(s)
		}
		return 0
	})) / total)
}

func (b *builder) timers() (out []*draft) {
	for _, d := range b.drafts {
		if d.Sort == Hold && len(d.Numbers) > 0 && d.Numbers[0].Name == aliveTimers {
			out = append(out, d)
		}
	}
	return out
}

const aliveTimers = "timers alive"

func (b *builder) addTimer(tm *hold.Timers) {
	what := "timers"
	switch {
	case tm.Contexts:
		what = "contexts with a parent that keeps them until they are cancelled"
	case tm.Ticks:
		what = "tickers, which fire until they are stopped,"
	}
	var t text
	t.say("%s %s are alive, made in %s",
		doubted(count(aliveTimers, tm.Now.Objects), sampled(tm.Now.Objects, tm.Samples)), what, b.place(tm.Maker))
	if tm.Line != stacks.NoFrame && tm.Line != tm.Maker {
		t.say(" below %s", b.place(tm.Line))
	}
	t.say(": %s with all that belongs to them", bytesOf("bytes", tm.Bytes))
	if kept := tm.Kept; kept != nil {
		t.say(", %s with what the same calls keep", bytesOf("kept bytes", kept.Now.Bytes))
	}
	t.end()
	if f := b.firing(); tm.Ticks && f >= leastFiring {
		t.say(" %s of the CPU is spent in running timers.", shareOf("cpu in timers", f))
	}
	if tm.Made.Objects > 0 {
		t.say(" %s were made since the start.", count("timers made", tm.Made.Objects))
	}
	b.sayGrowth(&t, &tm.Sum, share(tm.Grown().Bytes/max(b.heap.Grown().Bytes, tm.Grown().Bytes, 1)))
	part := share(max(tm.Bytes, keptBytes(tm)) / b.heap.Now.Bytes)
	harm := b.weight.memory * part * b.heapPart()
	if tm.Ticks {
		harm = max(harm, b.weight.cpu*b.firing())
	}
	d := b.add(Hold, &t, harm)
	for _, h := range b.heaviest(&tm.Sum) {
		d.Stacks = append(d.Stacks, b.stack(h.Stack, h.Now.Objects/max(tm.Now.Objects, 1)))
	}
	d.Bounds = []Bound{{"memory", part}}
	if tm.Ticks {
		d.Bounds = append(d.Bounds, Bound{"cpu", b.firing()})
	}
}

func keptBytes(tm *hold.Timers) float64 {
	if tm.Kept == nil {
		return 0
	}
	return tm.Kept.Now.Bytes
}

// addOffHeap adds what the resident memory is made of, and who maps memory outside of Go's heap.
func (b *builder) addOffHeap() {
	p := b.report.Picture
	if p == nil || p.Memory == nil || p.Memory.Total <= 0 {
		return
	}
	m := p.Memory
	total := float64(m.Total)
	var t text
	t.say("%s is %s", bytesOf(m.What, total), clean(m.What))
	outside := share(anonymous(m) / total)
	sep := ": "
	for _, row := range largestRows(m.Rows) {
		size := float64(*row.Bytes)
		t.say("%s%s %s (%s)", sep, bytesOf(row.Name, size), clean(row.Name), shareOf("share "+row.Name, size/total))
		sep = ", "
	}
	t.end()
	b.sayMoved(&t, vitals.OffHeapAnon, vitals.OffHeap, vitals.RSS)
	mappers := b.mappers()
	if outside >= leastOutside {
		for _, at := range mappers {
			t.say(" %s", mapsWords(b, at))
			t.end()
		}
	}
	d := b.add(Hold, &t, max(b.weight.memory*outside, leastWeight*b.weight.memory))
	if outside < leastOutside {
		return
	}
	for _, at := range mappers {
		s := b.frames(at.Calls, at.Line)
		s.Share = share(at.Share)
		d.Stacks = append(d.Stacks, s)
	}
	d.Bounds = []Bound{{"memory", outside}}
}

// sayMoved says what the first of some signals was before and at the trouble, if the vitals have it.
func (b *builder) sayMoved(t *text, ids ...vitals.ID) {
	at := b.r.TroubleAt()
	for _, id := range ids {
		if before, now := b.r.Earlier(id, at), b.r.ValueAt(id, at); before != nil && now != nil {
			t.say(" %s was %s before, and then %s.", clean(b.r.Catalog().Signal(id).Name),
				b.signalNumber(id, " before", *before), b.signalNumber(id, "", *now))
			return
		}
	}
}

// anonymous is the resident memory outside of Go and of files; where the kernel's account is missing, what is not
// explained.
func anonymous(m *casefile.MemoryTable) (bytes float64) {
	for _, kind := range []string{"anonymous", "rest"} {
		for _, row := range m.Rows {
			if row.Kind == kind && row.Bytes != nil {
				return max(float64(*row.Bytes), 0)
			}
		}
	}
	return 0
}

// leastOutside is the part of the resident memory outside of Go from which on its makers are named.
const leastOutside = 0.3

func mapsWords(b *builder, m hold.Mapper) string {
	does := "leads to C"
	switch {
	case m.Role&known.MapsMemory != 0:
		does = "leads to a mapping of memory"
	case m.Role&known.KeepsOutside != 0:
		does = "calls a library that keeps memory outside of Go's heap"
	}
	words := b.place(m.Line) + " " + does
	if m.Calls != stacks.NoFrame {
		words += ", by " + shortName(b.r.Table.Func(m.Calls).Name)
	}
	return words
}

// mappers are the lines that lead to memory outside of the heap.
func (b *builder) mappers() []hold.Mapper {
	const most = 3
	if b.heap == nil {
		return nil
	}
	made := stacks.ByValue(b.heap.Last.Value("alloc_space", "bytes"))
	out := b.begunChain().Mappers(b.heap.Last, made)
	if set := stacks.Merge(b.r.Best(casefile.CPU)); len(out) == 0 && set != nil {
		out = b.begunChain().Mappers(set, stacks.ByValue(set.Value("cpu", "nanoseconds")))
	}
	return out[:min(len(out), most)]
}

// largestRows are the largest parts of a memory table.
func largestRows(rows []casefile.MemoryRow) []casefile.MemoryRow {
	const most = 4
	out := slices.DeleteFunc(slices.Clone(rows), func(r casefile.MemoryRow) bool {
		return r.Bytes == nil || *r.Bytes <= 0
	})
	slices.SortStableFunc(out, func(x, y casefile.MemoryRow) int { return cmp.Compare(*y.Bytes, *x.Bytes) })
	return out[:min(len(out), most)]
}
