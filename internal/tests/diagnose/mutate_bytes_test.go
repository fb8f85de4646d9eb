package diagnose_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"slices"
	"testing"

	"github.com/gocasebook/casebook/diagnose"
)

// bytes changes each file of a case, or some of them, without knowing what is in it. Most are refused. The reader that
// accepts what is left must not panic.
func (m mutator) bytes(in diagnose.Input) diagnose.Input {
	out := in
	out.Evidence = slices.Clone(in.Evidence)
	for i := range out.Evidence {
		e := &out.Evidence[i]
		switch m.IntN(4) {
		case 0: // unchanged
		case 1:
			e.Data = m.scribble(e.Data) // often an error of the compression itself
		default:
			e.Data = m.packed(m.scribble(unpacked(e.Data)))
		}
	}
	return out
}

// scribble makes one to sixteen changes.
func (m mutator) scribble(b []byte) []byte {
	b = slices.Clone(b)
	for range 1 + m.IntN(16) {
		if len(b) == 0 {
			return b
		}
		at := m.IntN(len(b))
		end := min(len(b), at+1+m.IntN(64))
		switch m.IntN(7) {
		case 0:
			b[at] ^= 1 << m.IntN(8)
		case 1:
			b[at] = pick(m, []byte{0, 0x7f, 0x80, 0xff, '\n', '"', '{', ':'})
		case 2: // an endless varint, and the largest number
			copy(b[at:end], bytes.Repeat([]byte{0xff}, 10))
		case 3:
			b = slices.Delete(b, at, end)
		case 4:
			b = slices.Insert(b, at, slices.Clone(b[at:end])...)
		case 5: // a part of the file again, elsewhere
			from := m.IntN(len(b))
			b = slices.Insert(b, at, slices.Clone(b[from:min(len(b), from+4096)])...)
		case 6:
			if m.one(0.2) {
				b = b[:at]
			}
		}
	}
	return b
}

// unpacked is the content of a gzip file. Any other file stays as it is.
func unpacked(b []byte) []byte {
	zr, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return b
	}
	plain, err := io.ReadAll(zr)
	if err != nil {
		return b
	}
	return plain
}

// packed compresses again half of the time, as a target would send it.
func (m mutator) packed(b []byte) []byte {
	if m.one(0.5) {
		return b
	}
	var out bytes.Buffer
	zw := gzip.NewWriter(&out)
	if _, err := zw.Write(b); err != nil {
		return b
	}
	if err := zw.Close(); err != nil {
		return b
	}
	return out.Bytes()
}

// TestScribbleChanges: what the readers get differs from what was recorded.
func TestScribbleChanges(t *testing.T) {
	file := bytes.Repeat([]byte("goroutine 1 [running]:\n"), 200)
	same := 0
	for seed := range uint64(1000) {
		if bytes.Equal(file, newMutator(seed).scribble(file)) {
			same++
		}
	}
	if same > 100 {
		t.Errorf("%d of 1000 files are as they were", same)
	}
}
