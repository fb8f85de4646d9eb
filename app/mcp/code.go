package mcp

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/internal/words"
)

// Bounds of what tools say of source, in lines.
const (
	usualBefore = 10
	usualAfter  = 20
	mostAround  = 100
	mostLines   = 160 // of one answer
	longLine    = 200 // bytes
)

type codeArgs struct {
	Case   string `json:"case"`
	Place  string `json:"place"`
	Before *int   `json:"before,omitempty"`
	After  *int   `json:"after,omitempty"`
	Costs  bool   `json:"costs,omitempty"`
}

// code answers with the source around a place that the evidence has, and of no other: what an agent may read is not what
// it can name. It is a text alone, as a brief is.
func (s *Server) code(ctx context.Context, in codeArgs) (reply, error) {
	if in.Costs {
		return s.listing(ctx, in)
	}
	x, err := s.study(ctx, in.Case)
	if err != nil {
		return reply{}, err
	}
	frame, marks, err := x.locate(in.Place)
	if err != nil {
		return reply{}, err
	}
	lines, note := facts.NewSource(ctx, x.places).Lines(ctx, frame)
	if lines == nil {
		return reply{}, s.noSource(frame)
	}
	around := func(given *int, usual int) int {
		if given == nil {
			return usual
		}
		return min(max(*given, 0), mostAround)
	}
	first := max(marks[0]-around(in.Before, usualBefore), 1)
	last := min(marks[len(marks)-1]+around(in.After, usualAfter), len(lines))
	e := &facts.Excerpt{Function: frame.Function, File: frame.File, First: first, Mark: marks, Note: note}
	cut := max(last-first+1-mostLines, 0)
	e.Lines = lines[first-1 : last-cut]
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s\n", frame.Function, frame.File)
	writeLines(&b, e)
	if cut > 0 {
		fmt.Fprintf(&b, "Cut: lines: %d of %d; name a place as file:line for others\n", len(e.Lines), len(e.Lines)+cut)
	}
	return reply{text: b.String()}, nil
}

// listing answers with a function and what each of its lines costs, as `casebook diagnose --list` prints it: of several
// that have the name in theirs, with the one that costs most.
func (s *Server) listing(ctx context.Context, in codeArgs) (reply, error) {
	function, _, _ := facts.ParsePlace(in.Place)
	if function == "" {
		return reply{}, errors.New("costs are of a function: name one as facts have it, such as main.(*store).load")
	}
	e, err := s.base.open(in.Case)
	if err != nil {
		return reply{}, err
	}
	defer e.close()
	l, err := assess.List(ctx, assess.DiagnoseRequest{Opened: &e.Opened, Places: s.places}, function)
	if err != nil {
		return reply{}, err
	}
	others := l.Functions[1:]
	l.Functions, l.Left = l.Functions[:1], l.Left+len(others)
	var printed, b strings.Builder
	terminal.New(&printed).Listing(l.Listing)
	lines := strings.SplitAfter(printed.String(), "\n")
	b.WriteString(strings.Join(lines[:min(len(lines), mostLines)], ""))
	if len(lines) > mostLines {
		fmt.Fprintf(&b, "Cut: lines: %d of %d; name a place as file:line for others\n", mostLines, len(lines))
	}
	for i := range others[:min(len(others), 3)] {
		fmt.Fprintf(&b, "Has the name, too: %.200s\n", words.Symbol(others[i].Name))
	}
	if len(l.Failed) > 0 {
		fmt.Fprintf(&b, "Could not be read: %s\n", joined(l.Failed))
	}
	return reply{text: b.String()}, nil
}

// locate finds a place of the evidence, and the lines of it that are meant: the one that was named, or all of a function.
func (x *study) locate(place string) (f facts.Frame, marks []int, err error) {
	function, file, line := facts.ParsePlace(place)
	switch {
	case function == "" && (file == "" || line == 0):
		return f, nil, errors.New("want a function or FILE:LINE, as facts have them, such as main.(*store).load or " +
			"store.go:34")
	case file != "" && line > 0:
		return x.atLine(file, line)
	}
	at := x.Seen.At(function, line)
	if len(at.Functions) == 0 {
		return f, nil, notSeen("function", function, at.Near)
	}
	if len(at.Functions) > 1 {
		return f, nil, fmt.Errorf("several functions are called so; name one: %s", strings.Join(at.Functions, ", "))
	}
	marks = at.Lines
	if line > 0 {
		marks = []int{line}
	}
	slices.Sort(marks)
	if len(marks) == 0 || at.File == "" {
		return f, nil, fmt.Errorf("the evidence has no line of %s", at.Functions[0])
	}
	return facts.Frame{Function: at.Functions[0], File: at.File, Line: marks[len(marks)-1]}, marks, nil
}

// atLine finds a line of a file. It need not be one of a stack; that a function of the file is in the evidence says which
// file it is.
func (x *study) atLine(file string, line int) (f facts.Frame, marks []int, err error) {
	at := x.Seen.Line(file, line)
	if at.File == "" {
		return f, nil, notSeen("file", file, at.Near)
	}
	of := at
	if len(of.Functions) == 0 && len(of.Lines) > 0 {
		of = x.Seen.Line(at.File, of.Lines[0])
	}
	if len(of.Functions) == 0 {
		return f, nil, notSeen("line of", file, at.Near)
	}
	return facts.Frame{Function: of.Functions[0], File: at.File, Line: line}, []int{line}, nil
}

func notSeen(what, name string, near []string) error {
	hint := ""
	if len(near) > 0 {
		hint = "; did you mean " + strings.Join(near[:min(len(near), 3)], ", ") + "?"
	}
	return fmt.Errorf("no stack of the evidence has the %s %.200q%s", what, name, hint)
}

// noSource says why there are no lines of a place.
func (s *Server) noSource(f facts.Frame) error {
	whose := "it is neither in the folder of --source nor in the module cache, or has no such line"
	if s.cfg.Source == "" {
		whose = "it is not in the module cache, and the operator has named no folder of the program (--source)"
	}
	return fmt.Errorf("there is no source of %s in %s here: %s", f.Function, path.Base(f.File), whose)
}

// writeLines writes source with the numbers of its lines, and a mark at those that the evidence or the caller names.
func writeLines(b *strings.Builder, e *facts.Excerpt) {
	if e.Note != "" {
		fmt.Fprintf(b, "%s\n", e.Note)
	}
	for i, text := range e.Lines {
		mark := ' '
		if slices.Contains(e.Mark, e.First+i) {
			mark = '>'
		}
		fmt.Fprintf(b, "%c%5d  %s\n", mark, e.First+i, shortLine(text))
	}
}

// shortLine cuts a line that no person wrote.
func shortLine(text string) string {
	if len(text) <= longLine {
		return text
	}
	return strings.ToValidUTF8(text[:longLine], "") + "…"
}
