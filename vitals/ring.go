package vitals

import (
	"math"
	"slices"
)

// blockSize is how many values make a block.
const blockSize = 64

// A ring is one signal's values in the slots of a History, in blocks of blockSize. The block that is being written
// holds plain numbers. In a packed ring what is full takes less room if its values allow it, and loses nothing: most
// signals are constant, or whole numbers close to each other, or come now and then.
type ring struct {
	blocks []block
	packed bool
	open   int    // the block that is being written
	values *plain // of that; nil while it is packed
	free   *plain // for the next
}

// A block is a *plain, a constant, a *few or a *steps of one of three widths.
type block any

type (
	plain    [blockSize]float64
	constant float64
)

// few are values of which there are few different ones, such as those of a signal that is absent in most samples.
type few struct {
	values []float64
	which  [blockSize]uint8
}

// maxFew is how many different values make a few.
const maxFew = 24

// steps are whole numbers, or of nanoseconds, as multiples of a unit above the least of them; the largest step stands
// for absent.
type steps[T uint8 | uint16 | uint32] struct {
	base, unit int64
	nano       bool
	steps      [blockSize]T
}

var absentBlock block = constant(math.NaN())

// newRing is absent in each of so many slots. One that is not packed has all of its memory from here on.
func newRing(size, slot int, packed bool) *ring {
	r := &ring{blocks: make([]block, (size+blockSize-1)/blockSize), packed: packed, open: slot / blockSize}
	for i := range r.blocks {
		r.blocks[i] = absentBlock
	}
	unpacked := r.blocks
	if packed {
		unpacked = r.blocks[r.open : r.open+1]
	}
	all := make([]plain, len(unpacked)) // at one place
	for i := range unpacked {
		fill(absentBlock, &all[i])
		unpacked[i] = &all[i]
	}
	r.values = r.blocks[r.open].(*plain)
	return r
}

// set sets the value of a slot: the one after the slot that was set before, around the ring. The open block of a packed
// ring stays packed as long as each value is the one of the last round: those of a constant signal always are.
func (r *ring) set(slot int, v float64) {
	if b := slot / blockSize; b != r.open {
		r.turn(b)
	}
	if r.values == nil {
		if sameBits(valueAt(r.blocks[r.open], slot%blockSize), v) {
			r.free = nil
			return
		}
		r.unpack()
	}
	r.values[slot%blockSize] = v
}

// turn packs the open block and opens another one, whose values are still those of the last round.
func (r *ring) turn(b int) {
	if r.packed && r.values != nil {
		before := r.blocks[r.open]
		r.blocks[r.open] = pack(r.values)
		if r.blocks[r.open] != before {
			r.free = r.values
		}
	}
	r.open = b
	r.values, _ = r.blocks[b].(*plain)
}

// unpack makes the open block one that can be written.
func (r *ring) unpack() {
	if r.values = r.free; r.values == nil {
		r.values = new(plain)
	}
	r.free = nil
	fill(r.blocks[r.open], r.values)
	r.blocks[r.open] = r.values
}

func sameBits(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }

// at is the value of a slot, NaN for absent.
func (r *ring) at(slot int) float64 { return valueAt(r.blocks[slot/blockSize], slot%blockSize) }

func valueAt(b block, i int) float64 {
	switch b := b.(type) {
	case *plain:
		return b[i]
	case constant:
		return float64(b)
	case *few:
		return b.values[b.which[i]]
	case *steps[uint8]:
		return b.at(i)
	case *steps[uint16]:
		return b.at(i)
	case *steps[uint32]:
		return b.at(i)
	}
	return math.NaN()
}

// fill unpacks a block.
func fill(b block, to *plain) {
	switch b := b.(type) {
	case *plain:
		*to = *b
	case constant:
		for i := range to {
			to[i] = float64(b)
		}
	case *few:
		for i := range to {
			to[i] = b.values[b.which[i]]
		}
	case *steps[uint8]:
		b.fill(to)
	case *steps[uint16]:
		b.fill(to)
	case *steps[uint32]:
		b.fill(to)
	}
}

func (s *steps[T]) fill(to *plain) {
	for i := range to {
		to[i] = s.at(i)
	}
}

func (s *steps[T]) at(i int) float64 {
	if s.steps[i] == ^T(0) {
		return math.NaN()
	}
	return decoded(s.base+int64(s.steps[i])*s.unit, s.nano)
}

// decoded is a whole number, or seconds of nanoseconds.
func decoded(n int64, nano bool) float64 {
	if nano {
		return float64(n) / 1e9
	}
	return float64(n)
}

// pack returns the smallest block with these values, to the bit. It keeps nothing of them, unless it is they.
func pack(values *plain) block {
	var w few
	w.values = make([]float64, 0, maxFew)
	some := w.add(values)
	if some && len(w.values) == 1 {
		if v := w.values[0]; v == v {
			return constant(v)
		}
		return absentBlock
	}
	narrow, size := packSteps(values)
	switch {
	case some && 8*len(w.values)+blockSize < size:
		w.values = slices.Clone(w.values)
		return &w
	case narrow != nil:
		return narrow
	}
	return values
}

// add lists the different values; false if there are too many.
func (w *few) add(values *plain) bool {
	for i, v := range values {
		at := slices.IndexFunc(w.values, func(had float64) bool {
			return sameBits(had, v)
		})
		if at < 0 {
			if at = len(w.values); at == maxFew {
				return false
			}
			w.values = append(w.values, v)
		}
		w.which[i] = uint8(at)
	}
	return true
}

// packSteps returns the values as steps, and how many bytes the steps take; nil, and those of plain values, if they are
// not whole numbers.
func packSteps(values *plain) (b block, size int) {
	for _, nano := range [...]bool{false, true} {
		base, unit, most, ok := ladder(values, nano)
		switch {
		case !ok:
		case most < math.MaxUint8:
			return newSteps[uint8](values, base, unit, nano), blockSize
		case most < math.MaxUint16:
			return newSteps[uint16](values, base, unit, nano), 2 * blockSize
		case most < math.MaxUint32:
			return newSteps[uint32](values, base, unit, nano), 4 * blockSize
		}
	}
	return nil, 8 * blockSize
}

// exact is how far whole numbers go in a float64.
const exact = 1 << 53

// whole is the whole number that a value is; ok is false if it is not exactly one. A zero below zero is none.
func whole(v float64, nano bool) (n int64, ok bool) {
	x := v
	if nano {
		x = math.Round(v * 1e9)
	}
	if !(math.Abs(x) < exact) {
		return 0, false
	}
	n = int64(x)
	return n, math.Float64bits(decoded(n, nano)) == math.Float64bits(v)
}

// ladder finds the least of the values, the largest unit of which all are multiples above it, and the most such units.
func ladder(values *plain, nano bool) (base, unit, most int64, ok bool) {
	base = math.MaxInt64
	for _, v := range values {
		if v == v {
			n, ok := whole(v, nano)
			if !ok {
				return 0, 0, 0, false
			}
			base = min(base, n)
		}
	}
	highest := base
	for _, v := range values {
		if v == v {
			n, _ := whole(v, nano)
			unit, highest = commonDivisor(unit, n-base), max(highest, n)
		}
	}
	unit = max(unit, 1)
	return base, unit, (highest - base) / unit, true
}

// commonDivisor is the greatest one (Euclid's algorithm); of 0 and a number it is that.
func commonDivisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func newSteps[T uint8 | uint16 | uint32](values *plain, base, unit int64, nano bool) *steps[T] {
	s := &steps[T]{base: base, unit: unit, nano: nano}
	for i, v := range values {
		if s.steps[i] = ^T(0); v == v {
			n, _ := whole(v, nano)
			s.steps[i] = T((n - base) / unit)
		}
	}
	return s
}

// sum adds up the values that are present in the slots from a to b.
func (r *ring) sum(a, b int) (sum float64, n int) {
	var unpacked plain
	for a < b {
		values, is := r.blocks[a/blockSize].(*plain)
		if !is {
			values = &unpacked
			fill(r.blocks[a/blockSize], values)
		}
		from := a % blockSize
		to := min(from+b-a, blockSize)
		for _, v := range values[from:to] {
			if v == v { // present
				sum += v
				n++
			}
		}
		a += to - from
	}
	return sum, n
}

// A cursor reads a ring slot by slot, and unpacks each block once.
type cursor struct {
	ring   *ring
	block  int // that is unpacked
	values plain
}

// from begins to read a ring.
func (c *cursor) from(r *ring) { c.ring, c.block = r, -1 }

func (c *cursor) at(slot int) float64 {
	if b := slot / blockSize; b != c.block {
		fill(c.ring.blocks[b], &c.values)
		c.block = b
	}
	return c.values[slot%blockSize]
}
