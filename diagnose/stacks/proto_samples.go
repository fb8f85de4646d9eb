package stacks

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// chunk is how many frames or values are allocated at a time. Stacks are stored one after another: a slice for each
// would cost more than its content.
const chunk = 1 << 16

// addProto moves a profile's samples into the compact form, without the observer's. labels may be nil.
func (t *Table) addProto(s *Set, p *proto, labels *labelReader) error {
	locations, err := p.frames(t)
	if err != nil {
		return err
	}
	s.Samples = make([]Sample, 0, p.samples)
	d := sampleDecoder{locations: locations, width: len(p.types), most: t.mostFrames(), labelled: labels != nil}
	return eachField(p.data, func(f field) error {
		if f.num != fieldSample {
			return nil
		}
		stack, values, err := d.decode(f.data)
		if err != nil || !t.addSample(s, stack, values) {
			return err
		}
		if labels != nil {
			labels.add(d.labels, values)
		}
		return nil
	})
}

// A sampleDecoder reads Sample{location_id = 1, value = 2, label = 3}, the first two packed or not.
type sampleDecoder struct {
	locations *locationTable
	width     int  // values of a sample
	labelled  bool // labels are wanted

	stack  []FrameID // of the sample that is being read
	values []int64
	labels [][]byte // not decoded

	frameArena []FrameID
	valueArena []int64
	frames     int // in the arenas
	most       int // frames

	recent [recentStacks][]FrameID
}

func (d *sampleDecoder) decode(b []byte) ([]FrameID, []int64, error) {
	d.stack, d.values, d.labels = d.stack[:0], d.values[:0], d.labels[:0]
	for len(b) > 0 {
		f, ok := nextField(b)
		if !ok {
			return nil, nil, fmt.Errorf("a sample that does not fit")
		}
		b = b[f.size:]
		if f.num == fieldLabel && d.labelled {
			d.labels = append(d.labels, f.data)
		}
		if f.num != fieldLocations && f.num != fieldValues {
			continue
		}
		if err := d.numbers(f); err != nil {
			return nil, nil, err
		}
	}
	if len(d.values) != d.width {
		return nil, nil, fmt.Errorf("a sample has %d values, there are %d sample types", len(d.values), d.width)
	}
	stack, err := d.keepStack()
	return stack, keep(&d.valueArena, d.values), err
}

// recentStacks is the number of stacks whose place is remembered by their hash: labels and sizes of objects make many
// samples of one stack, and a million of 50 frames took 200 MB.
const recentStacks = 1 << 12

// keepStack is the stack that was read, or an equal one that was kept before. Nobody writes to a stack.
func (d *sampleDecoder) keepStack() ([]FrameID, error) {
	h := uint32(2166136261) // FNV-1a, by frames instead of bytes
	for _, f := range d.stack {
		h = (h ^ uint32(f)) * 16777619
	}
	slot := &d.recent[(h^h>>16)%recentStacks]
	if !slices.Equal(*slot, d.stack) {
		if d.frames += len(d.stack); d.frames > d.most {
			return nil, errTooManyFrames
		}
		*slot = keep(&d.frameArena, d.stack)
	}
	return *slot, nil
}

// numbers reads the varints of one field.
func (d *sampleDecoder) numbers(f field) error {
	for data := f.data; len(data) > 0; {
		v, n := uvarint(data)
		if n <= 0 {
			return fmt.Errorf("a number that does not fit")
		}
		data = data[n:]
		if f.num == fieldValues {
			d.values = append(d.values, int64(v))
			continue
		}
		frames, ok := d.locations.get(v)
		if !ok {
			return fmt.Errorf("no address %d", v)
		}
		d.stack = append(d.stack, frames...)
	}
	return nil
}

// uvarint is binary.Uvarint with a fast path for the two shortest forms, which nearly all are.
func uvarint(b []byte) (uint64, int) {
	if b[0] < 0x80 {
		return uint64(b[0]), 1
	}
	if len(b) > 1 && b[1] < 0x80 {
		return uint64(b[0]&0x7f) | uint64(b[1])<<7, 2
	}
	return binary.Uvarint(b)
}

// keep copies a slice to the end of the arena, or into a new arena when it is full.
func keep[T any](arena *[]T, s []T) []T {
	if cap(*arena)-len(*arena) < len(s) {
		*arena = make([]T, 0, max(chunk, len(s)))
	}
	from := len(*arena)
	*arena = append(*arena, s...)
	return (*arena)[from:len(*arena):len(*arena)]
}

// A locationTable finds by its ID the frames that an address stands for, the innermost inlined call first. IDs count
// from 1 in Go's profiles; others may have any.
type locationTable struct {
	dense  [][]FrameID // by ID
	known  []bool
	sparse map[uint64][]FrameID
}

func newLocationTable(n int) *locationTable {
	return &locationTable{dense: make([][]FrameID, n+1), known: make([]bool, n+1), sparse: make(map[uint64][]FrameID)}
}

// add reports whether the ID is new.
func (t *locationTable) add(id uint64, l []FrameID) bool {
	if _, twice := t.get(id); twice {
		return false
	}
	if id < uint64(len(t.dense)) {
		t.dense[id], t.known[id] = l, true
	} else {
		t.sparse[id] = l
	}
	return true
}

func (t *locationTable) get(id uint64) ([]FrameID, bool) {
	if id < uint64(len(t.dense)) {
		return t.dense[id], t.known[id]
	}
	l, ok := t.sparse[id]
	return l, ok
}
