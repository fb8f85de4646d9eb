package stacks

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"unicode/utf8"
)

// Plausible reports whether a file is worth reading as evidence of stacks: a damaged profile is, notes beside it are
// not. It looks at the beginning only.
func Plausible(data []byte) bool {
	if IsGzip(data) {
		zr, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return true // damaged: whoever passed it should be told
		}
		head := make([]byte, sniffed)
		n, err := io.ReadFull(zr, head)
		if n == 0 || err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return true
		}
		data = head[:n]
	}
	data = data[:min(len(data), sniffed)]
	if _, ok := textFormOf(data); ok || isDump(data) || isFolded(data) || foreignFormat(data) != nil {
		return true
	}
	return plausibleProto(data)
}

// sniffed is how much of a file is needed to recognise it: a dump may come after the log of a crash.
const sniffed = 64 << 10

// plausibleProto recognises the first records of a profile, in data that is not text. Go's own begin with the sample
// types, the time or the period's type.
func plausibleProto(b []byte) bool {
	if head := b[:min(len(b), 256)]; utf8.Valid(head) && !bytes.ContainsFunc(head, noText) {
		return false
	}
	for n := 0; n < 3 && len(b) > 0; n++ {
		num := b[0] >> 3
		if num == 0 || num > 15 || wireTypes[num] != b[0]&7 {
			return false
		}
		f, ok := nextField(b)
		if !ok {
			return n > 0 // cut: by whoever gave it, or where looking ends
		}
		b = b[f.size:]
	}
	return true
}

// wireTypes are those of the fields of profile.proto: 2 for what has a length, 0 for numbers.
const wireTypes = "\xff\x02\x02\x02\x02\x02\x02\x00\x00\x00\x00\x02\x00\x02\x00\x00"

// noText reports characters that no text contains.
func noText(r rune) bool {
	return r < ' ' && r != '\n' && r != '\r' && r != '\t' && r != '\f' && r != 0x1b
}
