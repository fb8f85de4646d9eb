package escape

import (
	"cmp"
	"slices"
	"strings"
)

// What a line is shown with.
const (
	maxReasons = 3
	minReason  = 0.03 // of its bytes
)

// lines puts the sites of a line together.
type lines struct {
	report *Report
	owner  owner
	index  *index
	by     map[lineKey]*Line
}

type lineKey struct {
	function, file string
	line           int
}

func newLines(r *Report, o owner, x *index) *lines {
	return &lines{report: r, owner: o, index: x, by: make(map[lineKey]*Line)}
}

// add explains a site, and counts it for its line.
func (l *lines) add(s *site) {
	at, foreign := l.owner.blame(s)
	f := s.stack[at]
	key := lineKey{f.function, f.file, f.line}
	line := l.by[key]
	if line == nil {
		file := cmp.Or(l.index.file(f), f.file)
		line = &Line{Function: f.function, File: file, Number: f.line, Foreign: foreign}
		l.by[key] = line
	}
	share := s.bytes / l.report.Bytes
	line.Share += share
	line.Bytes += s.bytes
	line.Objects += s.objects
	r, v := l.index.explain(s)
	l.report.Explained.count(r, v, share)
	if at == 0 {
		r.In = ""
	} else {
		r.Via = s.stack[at-1].function
		r.Change, _ = changeOfCall(r.Via)
	}
	if foreign {
		r.Change = "" // nobody here can make it
	}
	if v != explained {
		r.Why = unexplained(v)
	}
	r.Share = share
	line.merge(r)
}

func unexplained(v verdict) string {
	switch v {
	case skipped:
		return "was not looked at: its package has little of the bytes"
	case notBuilt:
		return "is not explained: its package does not build"
	case noSource:
		return "is not explained: its source is not here"
	case stale:
		return "is not explained: the source here is not what the profile is of"
	}
	return "is not explained: nothing on the line is known to allocate"
}

// merge adds a reason to those of a line, or to the same one.
func (l *Line) merge(r Reason) {
	for i := range l.Reasons {
		o := &l.Reasons[i]
		if o.At == r.At && o.Kind == r.Kind && o.What == r.What && o.Via == r.Via {
			o.Share += r.Share
			return
		}
	}
	l.Reasons = append(l.Reasons, r)
}

func (e *Explained) count(r Reason, v verdict, share float64) {
	switch v {
	case skipped:
		e.Skipped += share
	case notBuilt:
		e.NotBuilt += share
	case noSource:
		e.NoSource += share
	case stale:
		e.Stale += share
	case nothing:
		e.Nothing += share
	case explained:
		e.Share += share
		if len(r.Also) > 0 {
			e.Ambiguous += share
		}
		switch r.From {
		case FromCompiler:
			e.Compiler += share
		case FromSyntax:
			e.Syntax += share
		case FromRuntime:
			e.Runtime += share
		}
	}
}

// finish sorts the lines, and keeps the first.
func (l *lines) finish(top int) {
	r := l.report
	r.Lines = make([]Line, 0, len(l.by))
	for _, line := range l.by {
		r.Lines = append(r.Lines, *line)
	}
	slices.SortFunc(r.Lines, func(a, b Line) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.File, b.File), cmp.Compare(a.Number, b.Number),
			cmp.Compare(a.Function, b.Function))
	})
	for _, line := range r.Lines[min(top, len(r.Lines)):] {
		r.More.Lines++
		r.More.Share += line.Share
	}
	r.Lines = r.Lines[:min(top, len(r.Lines))]
	for i := range r.Lines {
		l.polish(&r.Lines[i])
	}
}

// polish completes a line that is listed.
func (l *lines) polish(line *Line) {
	if s := l.report.Seconds; s > 0 {
		line.Bytes, line.Objects = line.Bytes/s, line.Objects/s
	}
	line.GC = line.Share * l.report.GC
	line.Text = l.index.text(line.File, line.Number)
	slices.SortStableFunc(line.Reasons, func(a, b Reason) int { return cmp.Compare(b.Share, a.Share) })
	shown := 1
	for shown < min(len(line.Reasons), maxReasons) && line.Reasons[shown].Share >= minReason*line.Share {
		shown++
	}
	line.Left = len(line.Reasons) - shown
	line.Reasons = line.Reasons[:shown]
}

// text is a line of a file that was parsed; "" of any other.
func (x *index) text(file string, n int) string {
	p := x.c.files[file]
	if p == nil {
		return ""
	}
	return strings.TrimSpace(p.line(n))
}
