package stacks

import (
	"cmp"
	"iter"
	"math"
	"slices"

	"github.com/gocasebook/casebook/diagnose/known"
)

// A Weight says what a sample counts for; a sample with weight zero or less is not counted.
type Weight func(*Sample) int64

// ByValue is the weight of one sample type; i is what Set.Value returned. A missing type weighs nothing.
func ByValue(i int) Weight {
	return func(s *Sample) int64 {
		if i < 0 || i >= len(s.Values) {
			return 0
		}
		return s.Values[i]
	}
}

// Count is the weight of a profile of goroutines or threads: how many there are.
func (s *Set) Count() Weight { return ByValue(s.Value(s.Kind, "count")) }

// Total is the sum of the weights.
func (s *Set) Total(w Weight) int64 {
	var sum int64
	for i := range s.Samples {
		sum = addSat(sum, max(w(&s.Samples[i]), 0))
	}
	return sum
}

// Counted are the samples that count, with their weights.
func (s *Set) Counted(w Weight) iter.Seq2[*Sample, int64] {
	return func(yield func(*Sample, int64) bool) {
		for i := range s.Samples {
			if v := w(&s.Samples[i]); v > 0 && !yield(&s.Samples[i], v) {
				return
			}
		}
	}
}

// An Entry is a key with its sum.
type Entry[K ~int32] struct {
	Key   K
	Value int64
}

// SumBy adds up weights by a key of each sample; samples for which key answers false are left out. The result is
// sorted: the largest first, equal ones by key.
func SumBy[K ~int32](s *Set, w Weight, key func(*Sample) (K, bool)) []Entry[K] {
	sums := make(map[K]int64)
	for sample, v := range s.Counted(w) {
		if k, ok := key(sample); ok {
			sums[k] = addSat(sums[k], v)
		}
	}
	return Sorted(sums)
}

// Sorted are sums, the largest first, equal ones by key.
func Sorted[K ~int32](sums map[K]int64) []Entry[K] {
	out := make([]Entry[K], 0, len(sums))
	for k, v := range sums {
		out = append(out, Entry[K]{k, v})
	}
	sortEntries(out)
	return out
}

func sortEntries[K ~int32](es []Entry[K]) {
	slices.SortFunc(es, func(a, b Entry[K]) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(a.Key, b.Key))
	})
}

// SumOf is all that sums have together.
func SumOf[K ~int32](es []Entry[K]) (all float64) {
	for _, e := range es {
		all += float64(e.Value)
	}
	return all
}

// Heaviest is the stack with the largest weight among the samples for which match is true; nil without any.
func (s *Set) Heaviest(w Weight, match func(*Sample) bool) []FrameID {
	var best []FrameID
	var most int64
	for i := range s.Samples {
		if v := w(&s.Samples[i]); v > most && match(&s.Samples[i]) {
			best, most = s.Samples[i].Stack, v
		}
	}
	return best
}

// Root is the outermost frame that is not the runtime's: the function a goroutine was started with. NoFrame where the
// stack is not known.
func (t *Table) Root(stack []FrameID) FrameID {
	for i := len(stack) - 1; i >= 0; i-- {
		if t.Func(stack[i]).Owner != Runtime {
			return stack[i]
		}
	}
	if len(stack) == 0 {
		return NoFrame
	}
	return stack[len(stack)-1]
}

// Entered is where a stack without a line of the user's enters a dependency.
func (t *Table) Entered(stack []FrameID) FrameID {
	for i := len(stack) - 1; i >= 0; i-- {
		if t.Func(stack[i]).Owner == Dependency {
			return stack[i]
		}
	}
	return NoFrame
}

// UserFrame is the first frame of the user's own code, seen from the leaf, and its position in the stack; NoFrame and
// -1 without one. The New function of a sync.Pool is skipped if a frame of the user's takes from the pool: New makes
// what everybody needs, and the code that takes it decides what happens to it.
func (t *Table) UserFrame(stack []FrameID) (FrameID, int) {
	found, at := NoFrame, -1
	for i, id := range stack {
		if t.Func(id).Owner != User {
			continue
		}
		if !t.newOfPool(stack, i) {
			return id, i
		}
		if at < 0 {
			found, at = id, i
		}
	}
	return found, at
}

// WaitPlace is where a goroutine with this stack, leaf first, waits: the innermost line of the user's code, otherwise
// the outermost frame, which shows what the goroutine is (net/http.(*conn).serve).
func (t *Table) WaitPlace(stack []FrameID) (FrameID, bool) {
	if id, i := t.UserFrame(stack); i >= 0 {
		return id, true
	}
	return t.Root(stack), false
}

// newOfPool reports whether the i-th frame of a stack is the New function of a sync.Pool.
func (t *Table) newOfPool(stack []FrameID, i int) bool {
	return i+1 < len(stack) && t.Func(stack[i+1]).Does(known.TakesPooled)
}

// Caller is the first frame that is not the runtime's, seen from the leaf: where a runtime function's cost belongs.
func (t *Table) Caller(stack []FrameID) (FrameID, int) {
	for i, id := range stack {
		if t.Func(id).Owner != Runtime {
			return id, i
		}
	}
	return NoFrame, -1
}

// Has reports whether a stack contains a function for which match is true.
func (t *Table) Has(stack []FrameID, match func(*Func) bool) bool {
	for _, id := range stack {
		if match(t.Func(id)) {
			return true
		}
	}
	return false
}

// addSat adds without overflow: crafted values must not turn a sum negative.
func addSat(a, b int64) int64 {
	switch {
	case b > 0 && a > math.MaxInt64-b:
		return math.MaxInt64
	case b < 0 && a < math.MinInt64-b:
		return math.MinInt64
	}
	return a + b
}

// DefaultRate is runtime.MemProfileRate when nobody changes it.
const DefaultRate = 512 << 10

// Rate is how many bytes a heap profile has between two samples, on average. Below one byte everything was sampled.
func (s *Set) Rate() float64 {
	if s.Period > 0 {
		return float64(s.Period)
	}
	return DefaultRate
}

// AppendKey appends a stack as a key for a map.
func AppendKey(key []byte, stack []FrameID) []byte {
	for _, id := range stack {
		key = append(key, byte(id), byte(id>>8), byte(id>>16), byte(id>>24))
	}
	return key
}
