package cache

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// FuzzBlock is Load behind the checksums, which a fuzzer does not guess.
func FuzzBlock(f *testing.F) {
	f.Add([]byte{1, 0, 0, 1, 1, 'k', 'v'})
	f.Add([]byte{2, 0, 0, 0, 1, 1, 'k', 'v', 1, 2, 2, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) == 0 {
			return
		}
		file := saveHeader("string", "string")
		s := saver{w: bytes.NewBuffer(nil), block: append(make([]byte, saveFrame), b[1:]...), entries: uint32(b[0])}
		out := s.w.(*bytes.Buffer)
		if err := s.end(); err != nil {
			t.Fatal(err)
		}
		file = append(file, out.Bytes()...)
		end := binary.LittleEndian.AppendUint32(make([]byte, 4), uint32(b[0]))
		file = append(file, binary.LittleEndian.AppendUint32(end, checksum(end))...)
		c, err := New(Config[string, string]{MaxBytes: 64 << 10})
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Load(bytes.NewReader(file)); err != nil && c.Len() != 0 {
			t.Errorf("Load: %v, and %d entries", err, c.Len())
		}
		c.check(t)
	})
}
