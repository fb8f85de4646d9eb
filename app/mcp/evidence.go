package mcp

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/app/trace"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// The views of evidence.
const (
	viewTop        = "top"
	viewPeek       = "peek"
	viewLines      = "lines"
	viewGoroutines = "goroutines"
	viewTrace      = "trace"
	viewText       = "text"
)

// Bounds of a view.
const (
	usualRows = 20
	mostRows  = 200
	textBytes = 12 << 10 // of the view text
	traceTime = 30 * time.Second
)

type evidenceArgs struct {
	Case     string `json:"case"`
	File     string `json:"file"`
	View     string `json:"view,omitempty"`
	Function string `json:"function,omitempty"`
	Value    string `json:"value,omitempty"`
	Sort     string `json:"sort,omitempty"`
	Base     string `json:"base,omitempty"`
	Table    string `json:"table,omitempty"`
	Rows     int    `json:"rows,omitempty"`
	Offset   int64  `json:"offset,omitempty"`
}

// A shownEvidence is what get_evidence answers with: the fields of one view.
type shownEvidence struct {
	Case string `json:"case"`
	File string `json:"file"`
	View string `json:"view"`
	Kind string `json:"kind,omitempty"`

	Value string `json:"value,omitempty"` // of a profile: which of its numbers, and in what
	Unit  string `json:"unit,omitempty"`
	Base  string `json:"base,omitempty"` // then numbers are what came since, and may be below 0
	Total int64  `json:"total"`          // of all samples; of goroutines their number
	Note  string `json:"note,omitempty"` // what a reader must know of the file

	Functions []functionRow `json:"functions,omitempty"`
	Function  *functionRow  `json:"function,omitempty"` // of peek
	Callers   []edgeRow     `json:"callers,omitempty"`
	Callees   []edgeRow     `json:"callees,omitempty"`
	Lines     []lineRow     `json:"lines,omitempty"`
	States    []stateRow    `json:"states,omitempty"`
	Groups    []groupRow    `json:"groups,omitempty"`
	Trace     any           `json:"trace,omitempty"` // as casebook trace --json has it
	Text      string        `json:"text,omitempty"`
	Next      int64         `json:"next,omitempty"` // offset of what follows the text

	cut  []string
	text strings.Builder
}

// left notes rows that are not shown.
func (x *shownEvidence) left(what string, shown, all int) {
	if shown < all {
		x.cut = append(x.cut, fmt.Sprintf("%s: %d of %d", what, shown, all))
	}
}

// A look is one call of get_evidence: what is asked for, of which data.
type look struct {
	evidenceArgs
	*shownEvidence
	entry *entry
	file  casefile.Evidence
	data  []byte
}

func (s *Server) getEvidence(ctx context.Context, in evidenceArgs) (reply, error) {
	e, err := s.base.open(in.Case)
	if err != nil {
		return reply{}, err
	}
	defer e.close()
	l := &look{evidenceArgs: in, entry: e, shownEvidence: &shownEvidence{Case: e.Name, File: in.File, Base: in.Base}}
	if l.file, err = e.file(in.File); err != nil {
		return reply{}, err
	}
	if l.data, err = e.read(l.file); err != nil {
		return reply{}, err
	}
	l.Rows = bounded(in.Rows, usualRows, mostRows)
	l.Kind = l.file.Kind
	if err := l.show(ctx); err != nil {
		return reply{}, err
	}
	return fitted(l.shownEvidence, l.text.String(), l.cut)
}

// show fills the view that is asked for.
func (l *look) show(ctx context.Context) error {
	l.shownEvidence.View = l.evidenceArgs.View
	if l.shownEvidence.View == "" {
		l.shownEvidence.View = l.usualView()
	}
	switch l.shownEvidence.View {
	case viewTop, viewPeek, viewLines, viewGoroutines:
		return l.profile()
	case viewTrace:
		return l.trace(ctx)
	case viewText:
		return l.plainText()
	}
	return fmt.Errorf("there is no view %.40q; there are top, peek, lines, goroutines, trace and text",
		l.shownEvidence.View)
}

// usualView is chosen by content: names of files say what people want.
func (l *look) usualView() string {
	switch {
	case trace.Is(l.data):
		return viewTrace
	case l.file.Kind == casefile.Goroutine, l.file.Kind == casefile.GoroutineDump,
		strings.HasPrefix(l.file.File, casefile.Goroutine):
		return viewGoroutines
	case stacks.IsGzip(l.data) || stacks.Plausible(l.data):
		return viewTop
	}
	return viewText
}

// plainText shows a part of a file that is text: settings, metrics, signals.
func (l *look) plainText() error {
	head := l.data[:min(len(l.data), 4<<10)]
	if bytes.IndexByte(head, 0) >= 0 || stacks.IsGzip(head) {
		return fmt.Errorf("%s is not text; the views of profiles are top, peek, lines and goroutines", l.file.File)
	}
	size := int64(len(l.data))
	if l.Offset < 0 || l.Offset >= size {
		return fmt.Errorf("offset %d is outside of %s, which has %d bytes", l.Offset, l.file.File, size)
	}
	end := min(l.Offset+textBytes, size)
	part := l.data[l.Offset:end]
	if end < size {
		l.Next = end
		l.cut = append(l.cut, fmt.Sprintf("text: bytes %d to %d of %d; go on with offset %d", l.Offset, end, size, end))
	}
	l.Total, l.Text = size, strings.ToValidUTF8(string(part), string(utf8.RuneError))
	if len(l.Text) > maxString { // in one string of an answer there is room for that
		l.Text = l.Text[:maxString]
		for !utf8.ValidString(l.Text) {
			l.Text = l.Text[:len(l.Text)-1]
		}
		l.Next = l.Offset + int64(len(l.Text))
		l.cut = []string{fmt.Sprintf("text: bytes %d to %d of %d; go on with offset %d", l.Offset, l.Next, size, l.Next)}
	}
	l.text.WriteString(l.Text)
	return nil
}

// trace shows the tables of an execution trace, each with so many rows.
func (l *look) trace(ctx context.Context) error {
	if !trace.Is(l.data) {
		return fmt.Errorf("%s is no execution trace", l.file.File)
	}
	reading, cancel := context.WithTimeout(ctx, traceTime)
	defer cancel()
	t, err := trace.Read(reading, l.file.File, bytes.NewReader(l.data))
	if err != nil {
		return err
	}
	sum := t.Summary()
	tree, err := treeOf(sum)
	if err != nil {
		return err
	}
	tables := tree.(map[string]any) // of a struct
	if l.Table != "" {
		table, ok := tables[l.Table]
		if !ok {
			return fmt.Errorf("the summary has no table %.40q; it has %s", l.Table,
				strings.Join(slices.Sorted(maps.Keys(tables)), ", "))
		}
		tables = map[string]any{l.Table: table}
	} else {
		delete(tables, "lanes") // over time: of use for a picture
		l.cut = append(l.cut, "trace.lanes: left out; ask with table lanes")
	}
	var cut []string
	l.Trace = cutLists(tables, "trace", min(l.Rows, 50), &cut)
	l.cut = append(l.cut, unique(cut)...)
	terminal.New(&l.text).Trace(sum, min(l.Rows, 8))
	return nil
}
