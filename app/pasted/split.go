package pasted

import (
	"bytes"
	"strconv"
	"time"
)

// A splitter cuts a text into pieces: each crash, each dump and each ?debug=1 text is one.
type splitter struct {
	now   time.Time
	parts []*part
	cur   *part // the one that lines go to; nil between parts
	panic *part // that of panics which a server caught: they are no moment of the process
	trace runtimeTrace
	table pprofText
	last  time.Time // the stamp of the line before
}

// A part is a piece that is being read.
type part struct {
	Piece
	seen map[uint64]bool // goroutines in it: none is in a dump twice
	dump bool
}

// split reads a text, whose lines c cleans.
func (s *splitter) split(text []byte, c cleaner) {
	eachLine(text, func(line []byte) {
		if c != nil {
			var at time.Time
			if line, at = c(line); !at.IsZero() {
				s.last = at
			}
		}
		if !isFence(line) {
			s.line(line)
		}
	})
}

// isFence recognises Markdown's fences.
func isFence(line []byte) bool {
	return bytes.HasPrefix(line, []byte("```")) || bytes.HasPrefix(line, []byte("~~~"))
}

func (s *splitter) line(line []byte) {
	switch {
	case s.trace.line(line, s.last), s.table.line(line):
		return
	case bytes.Contains(line, caught):
		if s.panic == nil {
			s.panic = s.begin()
		}
		s.cur = s.panic
		s.panic.seen = nil
	case counts.Match(line):
		s.begin()
	case dies.Match(line):
		if p := s.cur; p == nil || !p.dump || len(p.seen) > 0 || p == s.panic {
			s.begin().dump = true
		}
	default:
		s.goroutine(line)
	}
	if s.cur != nil {
		s.cur.Data = append(append(s.cur.Data, line...), '\n')
	}
}

// goroutine begins a piece where a goroutine comes a second time: that is another moment.
func (s *splitter) goroutine(line []byte) {
	m := header.FindSubmatch(line)
	if m == nil {
		return
	}
	id, err := strconv.ParseUint(string(m[1]), 10, 64)
	if err != nil {
		return
	}
	p := s.cur
	if p == nil || p == s.panic && p.seen != nil || p != s.panic && (!p.dump || p.seen[id]) {
		p = s.begin()
		p.dump = true
	}
	if p.seen == nil {
		p.seen = make(map[uint64]bool)
	}
	p.seen[id] = true
}

func (s *splitter) begin() *part {
	s.cur = &part{Piece: Piece{Taken: s.last}}
	s.parts = append(s.parts, s.cur)
	return s.cur
}

func (s *splitter) pieces() (out []Piece) {
	for _, p := range s.parts {
		out = append(out, p.Piece)
	}
	out = append(out, s.table.pieces()...)
	return append(out, s.trace.pieces(s.now)...)
}
