// Package hold says, from heap profiles, what a process keeps in memory, who made it, and whether it grows.
//
// The problem: a heap profile shows what is alive at one moment, and a leak, a cache that fills and the objects of
// requests in progress look the same in it; sums over a function or the whole heap mix what stays with what comes and
// goes, and hide both. The approach: one Held an allocation stack and size of object, with what was ever made there
// beside what is alive, and, with an earlier profile, its growth with a doubt of its own. Nothing here judges; kinds of
// findings are rows over these facts.
//
// Limits: a profile is a sample (one in 512 KiB); it shows the last collection that ended, and what allocated, not what
// refers to it. Objects of one stack that outlive a request look like those of a request that lasts.
package hold

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A Held is the objects of one size that one stack allocated and that are alive.
type Held struct {
	Stack []stacks.FrameID // leaf first
	Line  stacks.FrameID   // the user's innermost line; stacks.NoFrame without one
	Enter stacks.FrameID   // what that line calls: the frame below it; NoFrame if the line itself allocates
	At    stacks.FrameID   // what allocates: the innermost frame that is not the runtime's

	Size float64 // bytes of an object
	Counts

	rate float64 // bytes between two samples
}

// Counts are what is known of some objects.
type Counts struct {
	Now     Count // alive
	Made    Count // since the process began; zero where the profile does not tell
	Before  Count // alive at the earlier profile; zero without one
	MadeYet Count // made before the earlier profile
}

// A Count is a number of objects and their bytes.
type Count struct{ Objects, Bytes float64 }

func (c Count) plus(d Count) Count  { return Count{c.Objects + d.Objects, c.Bytes + d.Bytes} }
func (c Count) minus(d Count) Count { return Count{c.Objects - d.Objects, c.Bytes - d.Bytes} }

// Grown is how much more is alive than at the earlier profile.
func (c *Counts) Grown() Count { return c.Now.minus(c.Before) }

// Came is what was made between the two profiles.
func (c *Counts) Came() Count { return c.Made.minus(c.MadeYet) }

// Went is how much of what was alive at the earlier profile, or made since, has gone.
func (c *Counts) Went() Count { return c.Came().minus(c.Grown()) }

// A Heap is all that a heap profile shows to be held.
type Heap struct {
	Table *stacks.Table
	Last  *stacks.Set
	First *stacks.Set // an earlier profile of the process; nil without one
	Held  []*Held     // those with the most bytes first
	Now   Count
	Then  Count // at First
	Rate  float64

	whole func() Sums[Call] // see KeptWhole
}

// Grown is by how much the live heap has grown.
func (h *Heap) Grown() Count { return h.Now.minus(h.Then) }

// New reads a heap profile, and an earlier one of the same process, which may be nil.
func New(last, first *stacks.Set) *Heap {
	h := &Heap{Table: last.Table, Last: last, First: first, Rate: last.Rate()}
	h.whole = sync.OnceValue(h.keptWhole)
	index := make(map[heldKey]*Held)
	h.add(last, index, false, func(b *Held, now, made Count) {
		b.Now, b.Made = b.Now.plus(now), b.Made.plus(made)
		h.Now = h.Now.plus(now)
	})
	if first != nil {
		h.add(first, index, true, func(b *Held, now, made Count) {
			b.Before, b.MadeYet = b.Before.plus(now), b.MadeYet.plus(made)
			h.Then = h.Then.plus(now)
		})
	}
	slices.SortFunc(h.Held, func(a, b *Held) int {
		return cmp.Or(cmp.Compare(b.Now.Bytes, a.Now.Bytes), cmp.Compare(b.Size, a.Size),
			slices.Compare(a.Stack, b.Stack))
	})
	return h
}

// A heldKey is a stack, as text, and the size of its objects, or for how many bytes a sample of them stands.
type heldKey struct {
	stack        string
	size, sample int64
}

// add counts a profile's samples. To pair is to look for objects of another profile that one sample stands for as many
// bytes of, too: in Go's profiles number and bytes are n samples scaled up and cut to whole numbers, so that the
// quotient of the two is another one in each profile, for 4 KiB by less than 1 % and for 100 KiB by up to 20 %.
func (h *Heap) add(set *stacks.Set, index map[heldKey]*Held, pair bool, count func(b *Held, now, made Count)) {
	of := func(what string) (objects, bytes stacks.Weight) {
		return stacks.ByValue(set.Value(what+"_objects", "count")), stacks.ByValue(set.Value(what+"_space", "bytes"))
	}
	nowN, nowB := of("inuse")
	madeN, madeB := of("alloc")
	var text []byte
	for i := range set.Samples {
		s := &set.Samples[i]
		now := Count{float64(max(nowN(s), 0)), float64(max(nowB(s), 0))}
		made := Count{float64(max(madeN(s), 0)), float64(max(madeB(s), 0))}
		of := made
		if sizeOf(of) == 0 {
			of = now
		}
		size := sizeOf(of)
		if len(s.Stack) == 0 || size == 0 {
			continue
		}
		text = stacks.AppendKey(text[:0], s.Stack)
		stack := string(text)
		sized, sampled := heldKey{stack: stack, size: int64(size + 0.5)}, heldKey{stack: stack, sample: h.sampleBytes(of)}
		b := index[sized]
		if b == nil && pair {
			b = index[sampled]
		}
		if b == nil {
			b = h.held(s.Stack, size)
			index[sized], index[sampled] = b, b
			h.Held = append(h.Held, b)
		}
		count(b, now, made)
	}
}

// sampleBytes is for how many bytes each sample of some objects stands. It depends on their size alone.
func (h *Heap) sampleBytes(c Count) int64 {
	samples := math.Round(-c.Objects * math.Expm1(-sizeOf(c)/h.Rate))
	return int64(c.Bytes / max(samples, 1))
}

func sizeOf(c Count) float64 {
	if c.Objects <= 0 {
		return 0
	}
	return c.Bytes / c.Objects
}

func (h *Heap) held(stack []stacks.FrameID, size float64) *Held {
	b := &Held{Stack: stack, Size: size, Line: stacks.NoFrame, Enter: stacks.NoFrame, rate: h.Rate}
	b.At, _ = h.Table.Caller(stack)
	if id, i := h.Table.UserFrame(stack); i >= 0 {
		b.Line = id
		if i > 0 && h.Table.Func(stack[i-1]).Owner != stacks.Runtime {
			b.Enter = stack[i-1]
		}
	}
	return b
}

// Samples is how many sampled allocations a count of the Held's objects stands for: one in rate bytes of small objects,
// each of large ones.
func (b *Held) Samples(c Count) float64 {
	if c.Objects <= 0 || c.Bytes <= 0 {
		return 0
	}
	return min(c.Bytes/b.rate, c.Objects)
}

// Chance is the variance of the growth in sampled allocations: what stays is in both profiles, so only what came and
// went counts, which is never more than what is alive at either time.
func (b *Held) Chance() float64 {
	before, after, came := b.Samples(b.Before), b.Samples(b.Now), b.Samples(b.Came())
	went := max(came-(after-before), 0)
	return min(before+after, came+went)
}

// Deviations is by how many standard deviations the growth differs from none.
func (b *Held) Deviations() float64 {
	return (b.Samples(b.Now) - b.Samples(b.Before)) / math.Sqrt(max(b.Chance(), 1))
}

// A Sum is what several Held have in common.
type Sum struct {
	Held []*Held
	Counts
	Samples              float64 // sampled allocations that are alive
	GrownSamples, Chance float64 // the growth in sampled allocations, and its variance
}

// A Call is a line of the user's and what it calls.
type Call struct{ Line, Enter stacks.FrameID }

// Call is the call of the user's that made it; both are NoFrame where none did.
func (b *Held) Call() Call { return Call{b.Line, b.Enter} }

// Inside is the part of the stack that the user's line called, nothing where the stack has no such line.
func (b *Held) Inside() []stacks.FrameID { return b.Stack[:max(slices.Index(b.Stack, b.Line), 0)] }

// Pooled reports whether a pool of a dependency's made it: whoever takes it next has it then, and not the line of the
// user's that called the dependency.
func (b *Held) Pooled(t *stacks.Table) bool {
	return b.Enter != stacks.NoFrame && t.Func(b.Enter).Owner == stacks.Dependency &&
		t.Has(b.Inside(), func(f *stacks.Func) bool { return f.Does(known.TakesPooled) })
}

// Sums are the Held by a key.
type Sums[K comparable] map[K]*Sum

// Add counts one more with a key.
func (m Sums[K]) Add(k K, b *Held) {
	if m[k] == nil {
		m[k] = &Sum{}
	}
	m[k].Add(b)
}

// A Keyed is a sum with its key.
type Keyed[K comparable] struct {
	*Sum
	Key K
}

// Sorted are the sums by a measure, the most first; of equal ones that with the first stack.
func (m Sums[K]) Sorted(by func(*Sum) float64) []Keyed[K] {
	out := make([]Keyed[K], 0, len(m))
	for k, s := range m {
		out = append(out, Keyed[K]{s, k})
	}
	slices.SortFunc(out, func(a, b Keyed[K]) int {
		return cmp.Or(cmp.Compare(by(b.Sum), by(a.Sum)), slices.Compare(a.Held[0].Stack, b.Held[0].Stack))
	})
	return out
}

// Most is the first of the sorted sums, with its key; nil without any.
func (m Sums[K]) Most(by func(*Sum) float64) (key K, most *Sum) {
	if all := m.Sorted(by); len(all) > 0 {
		return all[0].Key, all[0].Sum
	}
	return key, nil
}

// AliveBytes, AliveObjects and GrownBytes are measures of a sum.
func AliveBytes(s *Sum) float64   { return s.Now.Bytes }
func AliveObjects(s *Sum) float64 { return s.Now.Objects }
func GrownBytes(s *Sum) float64   { return s.Grown().Bytes }

// By adds up what is held by a key.
func By[K comparable](held []*Held, key func(*Held) K) Sums[K] {
	m := make(Sums[K])
	for _, b := range held {
		m.Add(key(b), b)
	}
	return m
}

// LineOf and PlaceOf are keys: the user's line, and what allocates.
func LineOf(b *Held) stacks.FrameID  { return b.Line }
func PlaceOf(b *Held) stacks.FrameID { return b.At }

// Sum adds up the Held for which match is true; nil if there is none.
func (h *Heap) Sum(match func(*Held) bool) *Sum {
	var held []*Held
	for _, b := range h.Held {
		if match(b) {
			held = append(held, b)
		}
	}
	return SumOf(held)
}

// SumOf adds up some Held; nil if there is none.
func SumOf(held []*Held) *Sum {
	if len(held) == 0 {
		return nil
	}
	s := new(Sum)
	s.AddAll(held)
	return s
}

// Add counts one more.
func (s *Sum) Add(b *Held) {
	s.Held = append(s.Held, b)
	s.Now, s.Made = s.Now.plus(b.Now), s.Made.plus(b.Made)
	s.Before, s.MadeYet = s.Before.plus(b.Before), s.MadeYet.plus(b.MadeYet)
	s.Samples += b.Samples(b.Now)
	s.GrownSamples += b.Samples(b.Now) - b.Samples(b.Before)
	s.Chance += b.Chance()
}

// AddAll counts some more.
func (s *Sum) AddAll(held []*Held) {
	for _, b := range held {
		s.Add(b)
	}
}

// Size is the mean size of what is alive.
func (s *Sum) Size() float64 { return s.Now.Bytes / max(s.Now.Objects, 1) }

// AsMany reports whether as many objects were made as of another sum, as far as samples can tell.
func (s *Sum) AsMany(of *Sum, rate float64) bool {
	samples := func(s *Sum) float64 { return min(s.Made.Bytes/rate, s.Made.Objects) }
	return asMany(s.Made.Objects, samples(s), of.Made.Objects, samples(of))
}

// Deviations is by how many standard deviations the growth differs from none.
func (s *Sum) Deviations() float64 { return s.GrownSamples / math.Sqrt(max(s.Chance, 1)) }

// Grew reports whether more is alive than at the earlier profile, by more than chance: in all, or on one stack that has
// half of the growth, of which what is made and dropped on the others is no doubt.
func (s *Sum) Grew() bool {
	grown := s.Grown().Bytes
	return grown > 0 && (s.Deviations() >= growthDeviations || slices.ContainsFunc(s.Held, func(b *Held) bool {
		return b.Grown().Bytes >= grown/2 && b.Deviations() >= oneStack
	}))
}

// Standard deviations by which a growth differs from none: a sum is said to have grown by chance one time in 700, one
// stack among many one time in 30,000.
const growthDeviations, oneStack = 3, 4

// NeverFreed reports whether all that was ever made is alive: enough of it that chance would show what was freed.
func (s *Sum) NeverFreed() bool { return s.Samples >= LeastKept && s.Now.Bytes >= AllKept*s.Made.Bytes }

// LeastKept is how many sampled allocations show that nothing is freed: if one in five were, twenty that all live would
// be chance one time in a hundred.
const LeastKept = 20

// AllKept is the share of the bytes that were made which is all of them, but for rounding.
const AllKept = 0.99

// About reports whether the number of objects that are alive may be between two numbers, by enough samples to tell.
func (b *Held) About(low, high float64) bool {
	n, samples := b.Now.Objects, b.Samples(b.Now)
	off := 2 * n / math.Sqrt(max(samples, 1))
	return samples >= leastAbout && n+off >= low && n-off <= high
}

// leastAbout is how many samples tell a number: with five it is known within a factor of two.
const leastAbout = 5

// WholeIsAlive reports whether nothing that the stack ever allocated was freed.
func (b *Held) WholeIsAlive() bool { return b.Now.Bytes >= AllKept*b.Made.Bytes }
