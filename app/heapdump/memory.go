package heapdump

import "encoding/binary"

// A memory is contents of the process: an object, a frame of a stack, a section. Its pointers follow it in the file, so
// that it has to stay readable while they are read. A small one is kept in a buffer, a large one is read again from its
// place.
type memory struct {
	small []byte // the contents, or
	again *wire  // reads them
	begin int64  // where in the file they begin
	size  uint64
}

const (
	maxSmall = 64 << 10
	wordSize = 8 // of the 64-bit processes that this package reads
)

// memory reads contents and their length. m is used again.
func (w *wire) memory(m *memory) {
	m.size = w.uint()
	m.begin = w.offset()
	m.small = m.small[:0]
	if m.size > maxSmall {
		w.skip(m.size)
		return
	}
	if !w.fill(int(m.size)) {
		m.size = 0
		return
	}
	m.small = append(m.small, w.buf[w.at:w.at+int(m.size)]...)
	w.at += int(m.size)
}

// word is the word at an offset; fast if the offsets of a large memory ascend. Zero beyond the end.
func (m *memory) word(f *wire, offset uint64) uint64 {
	if offset > m.size || m.size-offset < wordSize {
		return 0
	}
	if m.size <= maxSmall {
		return binary.LittleEndian.Uint64(m.small[offset:])
	}
	if m.again == nil {
		m.again = newWire(f.file, m.begin)
	}
	m.again.seek(m.begin + int64(offset))
	if !m.again.fill(wordSize) {
		return 0
	}
	return binary.LittleEndian.Uint64(m.again.buf[m.again.at:])
}

// Kinds of fields in the runtime's lists of pointers.
const (
	fieldEnd     = 0
	fieldPointer = 1
)

// pointers calls f for the pointers of a memory that are not nil, in the order of their offsets.
func (w *wire) pointers(m *memory, f func(offset, value uint64)) {
	for w.err == nil {
		switch kind := w.uint(); {
		case w.err != nil || kind == fieldEnd:
			return
		case kind != fieldPointer:
			w.fail(errDamaged)
		default:
			offset := w.uint()
			if v := m.word(w, offset); v != 0 {
				f(offset, v)
			}
		}
	}
}
