package plain

import (
	"fmt"
	"io"
	"sync"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// A Writer passes text on in which every character that a terminal obeys, except for line ends and tabs, is written as
// its code: \u001b. It may be used concurrently.
type Writer struct {
	w      io.Writer
	colors bool

	mu   sync.Mutex // guards rest and the order of writes
	rest []byte     // the beginning of a character whose end has not been written yet
}

// NewWriter writes to w. colors lets sequences through that do nothing but colour (ESC [ 1;31 m): for a terminal.
func NewWriter(w io.Writer, colors bool) *Writer { return &Writer{w: w, colors: colors} }

// Under is the writer below, for what is no text, and for asking whether it is a terminal.
func Under(w io.Writer) io.Writer {
	if p, ok := w.(*Writer); ok {
		return p.w
	}
	return w
}

// EraseLine erases the present line of a terminal.
func EraseLine(w io.Writer) { _, _ = io.WriteString(Under(w), "\r\x1b[K") }

// Write implements io.Writer. Of an error it says that nothing was written, for the length of what is passed on is
// another one.
func (p *Writer) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	in := b
	if len(p.rest) > 0 {
		in = append(p.rest, b...)
		p.rest = nil
	}
	out := make([]byte, 0, len(in)+16)
	for len(in) > 0 {
		if !utf8.FullRune(in) {
			p.rest = append([]byte(nil), in...)
			break
		}
		if n := color(in); p.colors && n > 0 {
			out, in = append(out, in[:n]...), in[n:]
			continue
		}
		r, n := utf8.DecodeRune(in)
		out, in = appendShown(out, r), in[n:]
	}
	if _, err := p.w.Write(out); err != nil {
		return 0, err
	}
	return len(b), nil
}

// color is the length of a sequence at the beginning of b that only colours; 0 without one.
func color(b []byte) int {
	const longest = 12
	if len(b) < 3 || b[0] != 0x1b || b[1] != '[' {
		return 0
	}
	for i := 2; i < min(len(b), longest); i++ {
		switch c := b[i]; {
		case c == 'm':
			return i + 1
		case c != ';' && (c < '0' || c > '9'):
			return 0
		}
	}
	return 0
}

func appendShown(out []byte, r rune) []byte {
	switch {
	case r == '\n' || r == '\t' || unicode.IsGraphic(r):
		return utf8.AppendRune(out, r)
	case r > 0xffff:
		high, low := utf16.EncodeRune(r)
		return fmt.Appendf(out, `\u%04x\u%04x`, high, low)
	}
	return fmt.Appendf(out, `\u%04x`, r)
}
