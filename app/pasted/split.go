package pasted

import (
	"bytes"
	"strconv"
	"strings"
	"time"
)

// A splitter cuts a text into pieces: each crash, each dump and each ?debug=1 text is one.
type splitter struct {
	now    time.Time
	parts  []*part
	cur    *part // the one that lines go to; nil between parts
	panic  *part // that of panics which a server caught: they are no moment of the process
	trace  runtimeTrace
	races  races
	table  pprofText
	last   time.Time // the stamp of the line before
	before string    // the last line before a goroutine

	inside  bool   // a goroutine: until its end
	running []byte // the lines of a running goroutine, which may be one that a panic was caught in; nil: none
	caught  *catch // in another form
	leaked  string // the header of a goroutine that a test reported as left
	left    int    // how many it reported
	normal  bool   // lines were left out, or written in another way
}

// A part is a piece that is being read.
type part struct {
	Piece
	seen map[uint64]bool // goroutines in it: none is in a dump twice
	dump bool
}

// split reads a text, whose lines c cleans.
func (s *splitter) split(text []byte, c *cleaner) {
	eachLine(text, func(line []byte) {
		if c != nil {
			if len(line) == 0 && c.ofLog {
				return // each line of the log's own has its prefix
			}
			var at time.Time
			if line, at = c.clean(line); !at.IsZero() {
				s.last = at
			}
		}
		if !isFence(line) {
			s.line(line)
		}
	})
	s.endCatch()
	s.endRunning()
}

// isFence recognises Markdown's fences.
func isFence(line []byte) bool {
	return bytes.HasPrefix(line, []byte("```")) || bytes.HasPrefix(line, []byte("~~~"))
}

func (s *splitter) line(line []byte) {
	if s.catchLine(line) || s.races.line(line) || s.trace.line(line, s.last) || s.table.line(line) {
		return
	}
	line, ok := s.headed(line)
	if !ok {
		return
	}
	if s.inside && len(line) > 0 && !isFrame(line) && !isHeader(line) {
		s.normal = true
		s.into(nil)
		s.inside = false
	}
	switch {
	case bytes.Contains(line, caught):
		s.endRunning()
		if s.panic == nil {
			s.panic = s.begin()
		}
		s.cur = s.panic
		s.panic.seen = nil
	case s.inside && len(line) > 0 && !isHeader(line):
	case counts.Match(line):
		s.endRunning()
		s.begin()
	case dies.Match(line):
		s.endRunning()
		if p := s.cur; p == nil || !p.dump || len(p.seen) > 0 || p == s.panic {
			s.begin().dump = true
		}
	default:
		s.goroutine(line)
	}
	s.into(line)
}

// into adds a line to what is being read.
func (s *splitter) into(line []byte) {
	switch {
	case s.running != nil && len(line) > 0 && len(s.running) < maxCaught:
		s.running = append(append(s.running, line...), '\n')
		return
	case s.running != nil:
		s.endRunning()
	}
	if len(line) == 0 {
		s.inside = false
	} else if !s.inside {
		s.before = string(line[:min(len(line), 1<<12)])
	}
	if s.cur != nil {
		s.cur.Data = append(append(s.cur.Data, line...), '\n')
	}
}

// endRunning puts a running goroutine where it belongs, once it is whole.
func (s *splitter) endRunning() {
	g := s.running
	s.running = nil
	switch {
	case g == nil:
	case wasCaught(g):
		s.addCaught(said(s.before), g)
	default:
		s.begins(g)
		s.cur.Data = append(s.cur.Data, g...)
	}
}

// goroutine begins one. A running one is kept until it is whole, unless it is that of the crash before it.
func (s *splitter) goroutine(line []byte) {
	if !isHeader(line) {
		return
	}
	s.endRunning()
	s.inside = true
	announced := s.cur != nil && len(s.cur.seen) == 0 && (s.cur.dump || s.cur == s.panic)
	if bytes.Contains(line, []byte("[running")) && !announced {
		s.running = []byte{}
		return
	}
	s.begins(line)
}

// begins begins a piece where a goroutine comes a second time: that is another moment.
func (s *splitter) begins(line []byte) {
	id, err := strconv.ParseUint(string(header.FindSubmatch(line)[1]), 10, 64)
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

// headed is a line that begins with a goroutine's header, if it has one further on ("stack trace: goroutine 7
// [running]:", what tests report as left). The line's beginning may say what happened. ok is false for a header that
// comes twice.
func (s *splitter) headed(line []byte) (clean []byte, ok bool) {
	if bytes.HasPrefix(line, []byte("goroutine ")) {
		return line, true
	}
	if bytes.HasSuffix(line, []byte("]:")) {
		if m := laterHeader.FindSubmatchIndex(line); m != nil {
			s.normal = true
			if strings.TrimSpace(string(line[:m[2]])) != "" && said(string(line[:m[2]])) != "a panic" {
				s.before = string(line[:m[2]])
			}
			line = line[m[2]:m[3]]
			return line, string(line) != s.leaked // it stands below what the test says of it
		}
	}
	if m := leftHeader.FindSubmatch(line); m != nil {
		s.into(nil)
		s.leaked = "goroutine " + string(m[1]) + " [" + string(m[2]) + "]:"
		s.normal, s.left = true, s.left+1
		return []byte(s.leaked), true
	}
	return line, true
}

func (s *splitter) begin() *part {
	s.cur = &part{Piece: Piece{Taken: s.last}}
	s.parts = append(s.parts, s.cur)
	return s.cur
}

func (s *splitter) pieces() (out []Piece) {
	for _, p := range s.parts {
		if p.dump {
			p.Fault = p.fault(s.left)
		}
		out = append(out, p.Piece)
	}
	if p := s.races.piece(); p != nil {
		out = append(out, p.Piece)
	}
	out = append(out, s.table.pieces()...)
	return append(out, s.trace.pieces(s.now)...)
}
