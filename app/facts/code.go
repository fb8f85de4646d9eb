package facts

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gocasebook/casebook/app/source"
	"github.com/gocasebook/casebook/internal/number"
)

// What of the source is in a Sheet. A reader of an excerpt wants the whole function where it is short; of a long one
// the lines around the place say more than its head.
const (
	mostExcerpts = 16
	wholeLines   = 36   // of a function that is shown whole
	aroundLine   = 8    // lines before and after a place in a longer one
	longLine     = 160  // bytes of a line: generated code has some of a megabyte
	worthSource  = 0.05 // of the most harm: what does less is nothing to read code for
)

// addCode adds the source around the places of facts, and a fact of sort Code for each excerpt.
func (s *Sheet) addCode(ctx context.Context, src Source) {
	if src == nil {
		return
	}
	var missing []Frame
	for _, p := range s.places() {
		if len(s.Code) == mostExcerpts || ctx.Err() != nil {
			break
		}
		lines, note := src.Lines(ctx, p.frame)
		if len(lines) >= p.frame.Line && p.frame.Line > 0 {
			s.Code = append(s.Code, excerptOf(p, lines, note))
		} else {
			missing = append(missing, p.frame)
		}
	}
	nowhere := s.addSettings(ctx, src)
	for i := range s.Code {
		s.Code[i].ID = "L" + strconv.Itoa(i+1)
		s.Facts = append(s.Facts, s.codeFact(&s.Code[i]))
	}
	for i, f := range nowhere {
		f.ID = "L" + strconv.Itoa(len(s.Code)+i+1)
		s.Facts = append(s.Facts, f)
	}
	s.addMissingCode(missing)
}

// A place is a function on the stacks of facts, and the lines of it that they name.
type place struct {
	frame Frame
	marks []int
	facts []string
}

// places are those of which a reader wants to see the source, in the order of the facts.
func (s *Sheet) places() (out []*place) {
	byFunction := make(map[string]*place)
	most := 0.0
	for i := range s.Facts {
		most = max(most, s.Facts[i].Harm)
	}
	for i := range s.Facts {
		f := &s.Facts[i]
		if f.Sort == Known || f.Sort == Judged || f.Harm < worthSource*most {
			continue // the first two stand at the places of others
		}
		for _, stack := range f.Stacks {
			for _, x := range worthReading(stack.Frames) {
				p := byFunction[x.File+"\x00"+Declared(x.Function)]
				if p == nil {
					p = &place{frame: x}
					byFunction[x.File+"\x00"+Declared(x.Function)] = p
					out = append(out, p)
				}
				p.marks = append(p.marks, x.Line)
				if !slices.Contains(p.facts, f.ID) {
					p.facts = append(p.facts, f.ID)
				}
			}
		}
	}
	for _, p := range out {
		slices.Sort(p.marks)
		p.marks = slices.Compact(p.marks)
	}
	return out
}

// worthReading are the frames of a stack whose source tells something: the user's innermost two, the call of a
// dependency that they make, and where that stands.
func worthReading(frames []Frame) (out []Frame) {
	at := slices.IndexFunc(frames, func(f Frame) bool { return f.Owner == User && f.Line > 0 })
	if at >= 0 {
		out = append(out, frames[at])
	}
	inner := frames
	if at >= 0 {
		inner = frames[:at]
	}
	of := func(f Frame) bool { return f.Owner == Dependency && f.Line > 0 }
	if i := slices.IndexFunc(inner, of); i >= 0 {
		out = append(out, inner[i])
		for k := len(inner) - 1; k > i; k-- {
			if of(inner[k]) {
				out = append(out, inner[k])
				break
			}
		}
	}
	if at >= 0 {
		if i := slices.IndexFunc(frames[at+1:], func(f Frame) bool { return f.Owner == User && f.Line > 0 }); i >= 0 {
			out = append(out, frames[at+1+i])
		}
	}
	return out
}

// Declared is the declared function that a name is of or in: "main.run" of "main.run.func1.2".
func Declared(function string) string {
	for {
		i := strings.LastIndexByte(function, '.')
		if i < 0 || !madeByCompiler(function[i+1:]) {
			return function
		}
		function = function[:i]
	}
}

// madeByCompiler reports whether an element of a name is of a closure: "func1", "gowrap2", "1".
func madeByCompiler(element string) bool {
	for _, prefix := range []string{"func", "gowrap", "deferwrap", "range", "-range", ""} {
		if rest, ok := strings.CutPrefix(element, prefix); ok {
			if _, err := strconv.Atoi(rest); err == nil {
				return true
			}
		}
	}
	return false
}

func excerptOf(p *place, lines []string, note string) Excerpt {
	first, last := extent(p.frame, lines)
	if last-first >= wholeLines {
		first, last = max(first, p.frame.Line-aroundLine), min(last, p.frame.Line+aroundLine)
	}
	e := Excerpt{Facts: p.facts, Function: p.frame.Function, File: p.frame.File, Owner: p.frame.Owner, First: first,
		Note: note}
	for _, line := range lines[first-1 : last] {
		e.Lines = append(e.Lines, shortLine(line))
	}
	for _, mark := range p.marks {
		if mark >= first && mark <= last {
			e.Mark = append(e.Mark, mark)
		}
	}
	return e
}

// shortLine cuts a line that no person wrote.
func shortLine(line string) string {
	if len(line) <= longLine {
		return line
	}
	end := longLine
	for end > 0 && !utf8.RuneStart(line[end]) {
		end--
	}
	return line[:end] + "…"
}

// extent is the first and the last line of the function that a place is in; those around the place where the file
// cannot be parsed.
func extent(f Frame, lines []string) (first, last int) {
	first, last = max(f.Line-aroundLine, 1), min(f.Line+aroundLine, len(lines))
	if path.Ext(f.File) != ".go" {
		return first, last
	}
	for i, in := range source.Functions(lines, f.Line) {
		// A closure is what is shown of a function that is too long.
		if i == 0 || last-first >= wholeLines && in.Last-in.First > 2 {
			first, last = in.First, in.Last
		}
	}
	return first, last
}

// codeFact says what an excerpt is of, under an ID that an answer can cite.
func (s *Sheet) codeFact(e *Excerpt) Fact {
	of := e.Function
	if of == "" {
		of = baseName(e.File)
	}
	f := Fact{ID: e.ID, Sort: Code, Of: e.Facts,
		Text: fmt.Sprintf("Lines %d–%d of the source of %s; %s is meant.", e.First, e.First+len(e.Lines)-1, of,
			linesNamed(e.Mark)),
	}
	for _, mark := range e.Mark {
		at := Frame{Function: e.Function, File: e.File, Line: mark, Owner: e.Owner}
		f.Stacks = append(f.Stacks, Stack{Frames: []Frame{at}})
	}
	f.Harm = s.harmOf(e.Facts)
	return f
}

func linesNamed(marks []int) string {
	if len(marks) == 1 {
		return "line " + strconv.Itoa(marks[0])
	}
	return number.Things(len(marks), "line")
}

// harmOf is the most harm of some facts.
func (s *Sheet) harmOf(ids []string) (harm float64) {
	for i := range s.Facts {
		if slices.Contains(ids, s.Facts[i].ID) {
			harm = max(harm, s.Facts[i].Harm)
		}
	}
	return harm
}
