package target

import (
	"bytes"
	"io"
)

// part is how much room for an answer is made at a time.
const part = 1 << 20

// readAtMost reads up to limit bytes. io.ReadAll copies what it has whenever it grows, which leaves eight times the answer as
// garbage; parts are joined once, so that an answer takes twice its size at the most.
func readAtMost(r io.Reader, limit int64) ([]byte, error) {
	var parts [][]byte
	for size := int64(64 << 10); limit > 0; size = min(2*size, part) {
		b := make([]byte, min(size, limit))
		n := 0
		for n < len(b) {
			m, err := r.Read(b[n:])
			n += m
			if err == io.EOF {
				return bytes.Join(append(parts, b[:n]), nil), nil
			}
			if err != nil {
				return bytes.Join(append(parts, b[:n]), nil), err
			}
		}
		parts, limit = append(parts, b), limit-int64(n)
	}
	return bytes.Join(parts, nil), nil
}
