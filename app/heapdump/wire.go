package heapdump

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// A wire reads the bytes of a dump from a position on. Reading from a position and not from a stream makes skipping the
// contents of large objects cheap.
type wire struct {
	file io.ReaderAt
	buf  []byte // of the file, up to pos
	at   int    // of buf, what comes next
	pos  int64  // in the file, of the end of buf
	err  error  // the first one; everything read after it is zero

	names map[string]string // that were read, for name
}

const wireBuffer = 256 << 10

// maxText bounds names and file names: a longer one is a sign of damage.
const maxText = 64 << 10

var errDamaged = errors.New("the dump is damaged")

func newWire(f io.ReaderAt, pos int64) *wire {
	return &wire{file: f, buf: make([]byte, 0, wireBuffer), pos: pos}
}

// offset is where in the file the next byte is.
func (w *wire) offset() int64 { return w.pos - int64(len(w.buf)-w.at) }

// fail keeps the first error, with its place.
func (w *wire) fail(err error) {
	if w.err != nil {
		return
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	w.err = fmt.Errorf("byte %d: %w", w.offset(), err)
}

// fill makes at least n bytes available, n at most wireBuffer.
func (w *wire) fill(n int) bool {
	if len(w.buf)-w.at >= n {
		return true
	}
	if w.err != nil {
		return false
	}
	rest := copy(w.buf[:cap(w.buf)], w.buf[w.at:])
	got, err := w.file.ReadAt(w.buf[rest:cap(w.buf)], w.pos)
	w.buf, w.at, w.pos = w.buf[:rest+got], 0, w.pos+int64(got)
	if len(w.buf) >= n {
		return true
	}
	if err == nil {
		err = io.ErrNoProgress
	}
	w.fail(err)
	return false
}

// uint reads one number: a varint of encoding/binary.
func (w *wire) uint() uint64 {
	if len(w.buf)-w.at < binary.MaxVarintLen64 {
		w.fillSome(binary.MaxVarintLen64)
	}
	v, n := binary.Uvarint(w.buf[w.at:])
	switch {
	case n > 0:
		w.at += n
		return v
	case n < 0:
		w.fail(errDamaged)
	default:
		w.fill(len(w.buf) - w.at + 1) // for its error
		w.fail(io.ErrUnexpectedEOF)
	}
	return 0
}

// fillSome makes n bytes available, or as many as there are.
func (w *wire) fillSome(n int) {
	if w.err == nil && !w.fill(n) && len(w.buf) > w.at {
		w.err = nil // the end is near; a number may be complete before it
	}
}

// bytes reads a string; it is valid until the next reading.
func (w *wire) bytes() []byte {
	n := w.uint()
	if n > maxText {
		w.fail(errDamaged)
		return nil
	}
	if !w.fill(int(n)) {
		return nil
	}
	w.at += int(n)
	return w.buf[w.at-int(n) : w.at]
}

// text reads a string.
func (w *wire) text() string { return string(w.bytes()) }

// name reads a string that comes again and again: it is kept once.
func (w *wire) name() string {
	text := w.bytes()
	if s, ok := w.names[string(text)]; ok {
		return s
	}
	if w.names == nil {
		w.names = make(map[string]string)
	}
	s := string(text)
	w.names[s] = s
	return s
}

// uints reads several numbers.
func (w *wire) uints(into ...*uint64) {
	for _, p := range into {
		*p = w.uint()
	}
}

// seek goes to a position, and forgets errors.
func (w *wire) seek(pos int64) {
	w.err = nil
	if begin := w.pos - int64(len(w.buf)); pos >= begin && pos <= w.pos {
		w.at = int(pos - begin)
		return
	}
	w.buf, w.at, w.pos = w.buf[:0], 0, pos
}

// skip leaves out n bytes.
func (w *wire) skip(n uint64) {
	if have := uint64(len(w.buf) - w.at); n <= have {
		w.at += int(n)
		return
	} else if n -= have; n > 1<<62 {
		w.fail(errDamaged)
		return
	}
	w.buf, w.at, w.pos = w.buf[:0], 0, w.pos+int64(n)
}
