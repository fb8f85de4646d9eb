// Package terminal prints for people: findings, diagnoses and the progress of something long, wrapped to a terminal's
// width, at most 100 columns, and 80 where there is no terminal. The commands of casebook and of the lab print with it.
package terminal

import (
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/plain"
)

// A Printer lays text out in columns.
type Printer struct {
	W     io.Writer
	Width int  // columns
	Color bool // of severities
}

// New fits a printer to a writer: 80 columns if it is not a terminal, otherwise at most 100.
func New(w io.Writer) *Printer {
	width, isTerminal := Width(w)
	return &Printer{W: w, Width: min(width, maxWidth), Color: isTerminal && wantsColor(os.Getenv)}
}

// wantsColor asks the environment: NO_COLOR (no-color.org) and TERM=dumb say no.
func wantsColor(getenv func(string) string) bool {
	return getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"
}

// maxWidth is the longest line of prose that is easy to read.
const maxWidth = 100

// Text prints label and text, made printable and wrapped, with the following lines indented by the label's width.
func (p *Printer) Text(label, text string) {
	p.lines(label, Wrap(render.Plain(text), room(p.Width, label)))
}

// lines prints lines that fit beside a label.
func (p *Printer) lines(label string, lines []string) {
	indent := strings.Repeat(" ", Visible(label))
	for i, l := range lines {
		if i > 0 {
			label = indent
		}
		fmt.Fprintln(p.W, strings.TrimRight(label+l, " "))
	}
}

// room is how many columns are left of width beside a label; a few at the least.
func room(width int, label string) int { return max(width-Visible(label), 20) }

// Wrap breaks text at spaces into lines of at most width characters; a longer word gets its own line.
func Wrap(text string, width int) []string {
	var lines []string
	var line []rune
	for _, word := range strings.Fields(text) {
		w := []rune(word)
		if len(line) > 0 && len(line)+1+len(w) > width {
			lines = append(lines, string(line))
			line = nil
		}
		if len(line) > 0 {
			line = append(line, ' ')
		}
		line = append(line, w...)
	}
	return append(lines, string(line))
}

// The colours of severities: readable on dark and light, and never the only sign.
const (
	red    = "\x1b[1;31m"
	yellow = "\x1b[1;33m"
	cyan   = "\x1b[1;36m"
	green  = "\x1b[1;32m"
	reset  = "\x1b[0m"
)

// Good is used like a severity, for what became better.
const Good = "Good"

func (p *Printer) Paint(severity, s string) string {
	if !p.Color {
		return s
	}
	switch severity {
	case casefile.Critical:
		return red + s + reset
	case casefile.Warning:
		return yellow + s + reset
	case Good:
		return green + s + reset
	}
	return cyan + s + reset
}

// Visible returns the number of characters a string takes on a terminal, without its colours.
func Visible(s string) int {
	for _, c := range []string{red, yellow, cyan, green, reset} {
		s = strings.ReplaceAll(s, c, "")
	}
	return len([]rune(s))
}

func Tail(sep, s string) string {
	if s == "" {
		return ""
	}
	return sep + s
}

// shorten keeps the end of a path, which is where the names of files differ.
func shorten(path string, width int) string {
	r := []rune(path)
	if len(r) <= width {
		return path
	}
	return "…" + string(r[len(r)-width+1:])
}

// An under is a writer that passes on to another one, whose width counts.
type under interface{ Under() io.Writer }

// Width returns the width of w if it is a terminal, otherwise 80, and whether it is one.
func Width(w io.Writer) (width int, isTerminal bool) {
	w = plain.Under(w)
	if u, ok := w.(under); ok {
		w = u.Under()
	}
	f, ok := w.(*os.File)
	if !ok || !Is(f) {
		return 80, false
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width < 40 {
		width = 80
	}
	return width, true
}

// Is reports whether a file is a terminal.
func Is(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// Clip truncates a line to a number of characters.
func Clip(s string, width int) string {
	if r := []rune(s); len(r) > width {
		return string(r[:max(width-1, 0)]) + "…"
	}
	return s
}
