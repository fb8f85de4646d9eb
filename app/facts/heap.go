package facts

import (
	"cmp"
	"math"
	"slices"

	"github.com/gocasebook/casebook/diagnose/hold"
	"github.com/gocasebook/casebook/diagnose/stacks"
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
		secondsOf("between profiles", g.Seconds), shareOf(ShareOfGrowth, part))
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
