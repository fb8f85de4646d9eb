package stacks

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"unicode/utf8"
)

// Detectors add, subtract and multiply values. So that nothing overflows, the values of a file add up to at most
// maxTotal: nine years in nanoseconds, 256 PiB. A file with more is damaged or crafted; it keeps its shares and loses
// its level.
const maxTotal = 1 << 58

// maxPeriod bounds the sampling's period: a TiB between two samples of the heap, 18 minutes between two of the CPU.
const maxPeriod = 1 << 40

// bound scales down the values of each type whose sum is above maxTotal, and says so.
func (s *Set) bound() {
	s.Period = min(max(s.Period, 0), maxPeriod)
	for i := range s.Types {
		sum := 0.0
		if i < len(s.Observed) {
			sum = math.Abs(float64(s.Observed[i]))
		}
		for _, samples := range [][]Sample{s.Samples, s.Own} {
			for k := range samples {
				sum += math.Abs(float64(samples[k].Values[i]))
			}
		}
		if sum > maxTotal {
			s.divide(i, int64(math.Ceil(sum/maxTotal)))
			s.addRemark(fmt.Sprintf("its %s add up to more than is possible: shares mean something, levels do not",
				s.Types[i].Type))
		}
	}
}

func (s *Set) divide(i int, by int64) {
	for _, samples := range [][]Sample{s.Samples, s.Own} {
		for k := range samples {
			samples[k].Values[i] /= by
		}
	}
	if i < len(s.Observed) {
		s.Observed[i] /= by
	}
}

func (s *Set) addRemark(text string) {
	if s.Remark != "" {
		s.Remark += "; "
	}
	s.Remark += text
}

// short is the beginning of a text, at most n bytes. Names of a few KB are those of deeply nested generics. Longer ones
// are crafted, and would be copied into every finding and page.
func short[T string | []byte](text T, n int) T {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// plausibleSeconds is a time that evidence can span, a microsecond to 300 years; 0 for any other.
func plausibleSeconds(s float64) float64 {
	if s >= 1e-6 && s < 1e10 {
		return s
	}
	return 0
}

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
