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
			t.say(" %s", b.mapsWords(at))
			t.end()
		}
	}
	d := b.add(Hold, &t, max(b.weight.memory*outside, leastWeight*b.weight.memory))
	if outside < leastOutside {
		return
	}
	d.Thing = OutsideHeap
	for _, at := range mappers {
		s := b.frames(at.Calls, at.Line)
		s.Share = share(at.Share)
		d.Stacks = append(d.Stacks, s)
	}
	d.Bounds = []Bound{{"memory", outside}}
}

// sayMoved says what the first of some signals that the vitals have was before and at the trouble, if it moved.
func (b *builder) sayMoved(t *text, ids ...vitals.ID) {
	at := b.r.TroubleAt()
	for _, id := range ids {
		before, now := b.r.Earlier(id, at), b.r.ValueAt(id, at)
		if before == nil || now == nil {
			continue
		}
		if math.Abs(*now-*before) >= noise[vitals.Bytes] {
			t.say(" %s was %s before, and %s at the %s.", clean(b.r.Catalog().Signal(id).Name),
				b.signalNumber(id, " before", *before), b.signalNumber(id, "", *now), b.momentName())
		}
		return
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

// mapsWords says how a line leads to memory outside of the heap.
func (b *builder) mapsWords(m hold.Mapper) string {
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
