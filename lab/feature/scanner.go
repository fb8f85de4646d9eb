package feature

import (
	"bytes"
	"fmt"
	"strconv"
)

// A scanner goes through JSON that this service's other tier has written, without building anything of it. It checks as
// much of the form as it needs to find its way, which is less than encoding/json does: within values that are passed
// over only strings, brackets and their depth. The first error stops it; later calls do nothing.
//
// Names are compared as they are written: ones with escapes are not found. What this service writes has none.
type scanner struct {
	data []byte
	at   int
	err  error
}

// end is the error, or that something follows the value.
func (s *scanner) end() error {
	if s.space(); s.err == nil && s.at < len(s.data) {
		s.fail("the end")
	}
	return s.err
}

func (s *scanner) fail(want string) {
	if s.err == nil {
		s.err = fmt.Errorf("decoding the answer: byte %d: want %s", s.at, want)
	}
}

func (s *scanner) space() {
	for s.at < len(s.data) {
		switch s.data[s.at] {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return
		}
	}
}

// next passes over c, and space before it; false when something else comes.
func (s *scanner) next(c byte) bool {
	s.space()
	if s.err != nil || s.at >= len(s.data) || s.data[s.at] != c {
		return false
	}
	s.at++
	return true
}

func (s *scanner) want(c byte) {
	if !s.next(c) {
		s.fail(strconv.QuoteRune(rune(c)))
	}
}

// object calls member for each name; member must pass over the value.
func (s *scanner) object(member func(name []byte)) {
	s.list('{', '}', func() {
		name := s.text()
		s.want(':')
		member(name)
	})
}

// array calls element for each element, which must pass over it.
func (s *scanner) array(element func()) { s.list('[', ']', element) }

func (s *scanner) list(open, end byte, element func()) {
	if s.want(open); s.err != nil || s.next(end) {
		return
	}
	for s.err == nil {
		if element(); s.next(end) {
			return
		}
		s.want(',')
	}
}

// text passes over a string, and gives what stands between the quotes.
func (s *scanner) text() []byte {
	s.want('"')
	if s.err != nil {
		return nil
	}
	start := s.at
	for {
		i := bytes.IndexByte(s.data[s.at:], '"')
		if i < 0 {
			s.fail("the end of a string")
			return nil
		}
		s.at += i + 1
		if !escaped(s.data[start : s.at-1]) {
			return s.data[start : s.at-1]
		}
	}
}

// escaped reports whether b ends with an odd number of backslashes.
func escaped(b []byte) bool {
	n := len(b)
	for n > 0 && b[n-1] == '\\' {
		n--
	}
	return (len(b)-n)%2 == 1
}

// value passes over any value, and gives its bytes.
func (s *scanner) value() []byte {
	s.space()
	start := s.at
	s.skip()
	return s.data[start:s.at]
}

// skip passes over any value.
func (s *scanner) skip() {
	for depth := 0; s.err == nil; {
		s.space()
		if s.at >= len(s.data) {
			s.fail("a value")
			return
		}
		switch c := s.data[s.at]; {
		case c == '{' || c == '[':
			depth++
			s.at++
		case c == '"':
			s.text()
		case depth > 0 && (c == '}' || c == ']'):
			depth--
			s.at++
		case depth > 0 && (c == ',' || c == ':'):
			s.at++
		default:
			s.word()
		}
		if depth == 0 {
			return
		}
	}
}

// word passes over a number, true, false or null.
func (s *scanner) word() {
	start := s.at
	for s.at < len(s.data) && isWord(s.data[s.at]) {
		s.at++
	}
	if s.at == start {
		s.fail("a value")
	}
}

func isWord(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || c == '-' || c == '+' || c == '.' || c == 'E'
}

// float parses a number.
func (s *scanner) float(b []byte) float64 {
	v, err := strconv.ParseFloat(string(b), 64)
	if err != nil || b[0] > '9' { // not "inf"
		s.fail("a number")
	}
	return v
}
