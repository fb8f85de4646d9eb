package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/blackbox"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// A diagnosisJSON is what `diagnose --json` prints.
type diagnosisJSON struct {
	Schema    int                  `json:"schema"`
	Findings  []casefile.Finding   `json:"findings"`
	Undecided []casefile.Undecided `json:"undecided"`
	Picture   *casefile.Picture    `json:"picture,omitempty"`
}

func newDiagnosisJSON(d casefile.Diagnosis) diagnosisJSON {
	out := diagnosisJSON{Schema: casefile.Schema, Findings: d.Findings, Undecided: d.Undecided, Picture: d.Picture}
	if out.Findings == nil {
		out.Findings = []casefile.Finding{} // [] and not null: programs iterate
	}
	if out.Undecided == nil {
		out.Undecided = []casefile.Undecided{}
	}
	return out
}

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// printDiagnosis prints findings for a person, wrapped to the terminal's width, at most 100 columns. more says what
// lists all that could not be judged, which is counted then; "" lists it here.
func printDiagnosis(w io.Writer, d casefile.Diagnosis, more string) {
	printJudged(w, d, "Nothing found that is worth changing.", more)
}

// printCaseDiagnosis prints a case's diagnosis. "Nothing found" says little about a process that ended meanwhile.
func printCaseDiagnosis(w io.Writer, c *casefile.Case, more string) {
	if endedText(c) != "" || c.Trigger.Rule == blackbox.Killed {
		printJudged(w, c.Diagnosis, "No fault shows in the evidence from before the process ended.", more)
		return
	}
	printDiagnosis(w, c.Diagnosis, more)
}

// endedText says how a process ended while its case was taken; "" if it did not end.
func endedText(c *casefile.Case) string {
	for _, t := range c.Also {
		if t.Rule == blackbox.Killed {
			return t.Text
		}
	}
	return ""
}

// endedError returns the error of a capture whose process ended meanwhile; nil if it did not end.
func endedError(f *casefile.Folder) error {
	text := endedText(&f.Case)
	if text == "" {
		return nil
	}
	return fmt.Errorf("the process ended while its evidence was taken: %s; what was taken before is kept as case %s",
		text, f.Path)
}

// printJudged prints a diagnosis; without findings it prints the text nothing.
func printJudged(w io.Writer, d casefile.Diagnosis, nothing, more string) {
	p := newPrinter(w)
	p.picture(d.Picture)
	switch {
	case len(d.Findings) > 0:
	case nothingJudged(d.Undecided):
		p.text("", "Nothing could be judged: no detector can use this evidence.")
	default:
		p.text("", nothing)
	}
	for i, f := range d.Findings {
		if i > 0 {
			fmt.Fprintln(w)
		}
		p.finding(f)
	}
	if more == "" {
		p.undecided(d.Undecided)
	} else {
		p.undecidedInShort(d.Undecided, more)
	}
}

// A printer lays text out in columns.
type printer struct {
	w     io.Writer
	width int
	color bool
}

// newPrinter fits a printer to a writer: 80 columns if it is not a terminal, else at most 100.
func newPrinter(w io.Writer) printer {
	width, isTerminal := terminalWidth(w)
	return printer{w: w, width: min(width, maxWidth), color: isTerminal && wantsColor(os.Getenv)}
}

// wantsColor asks the environment: NO_COLOR (no-color.org) and TERM=dumb say no.
func wantsColor(getenv func(string) string) bool {
	return getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"
}

// maxWidth is the longest line of prose that is easy to read.
const maxWidth = 100

func (p *printer) finding(f casefile.Finding) {
	head := fmt.Sprintf("%s %d", strings.ToUpper(f.Severity()), f.Score)
	p.text(p.paint(f.Severity(), head)+"  ", f.Title)
	p.text("  ", f.Summary)
	for i, w := range f.Where {
		label := "         "
		if i == 0 {
			label = "  where  "
		}
		p.place(label, w)
	}
	if cost := render.Cost(f); cost != "" {
		p.text("  cost   ", cost)
	}
	if g := f.Impact.Gain; g.High > 0 {
		p.text("  gain   ", gainText(f.Impact)+arithmetic(g))
	}
	for i, r := range f.Remedies {
		label := "         "
		if i == 0 {
			label = "  remedy "
		}
		p.text(fmt.Sprintf("%s%d. ", label, i+1), r.Title+". "+r.Text)
		if r.Price != "" {
			p.text("            price: ", r.Price)
		}
	}
	for i, b := range f.Evidence {
		label := "         "
		if i == 0 {
			label = "  basis  "
		}
		p.text(label, filepath.Base(b.File)+": "+b.Text)
	}
	confidence := fmt.Sprintf("%s, confidence %.0f %%", f.ID+" "+f.Kind, f.Confidence*100)
	if len(f.CausedBy) > 0 {
		confidence += ", caused by " + strings.Join(f.CausedBy, ", ")
	}
	p.text("  id     ", confidence)
}

// place prints a function with its share, and file:line below it.
func (p *printer) place(label string, f casefile.Frame) {
	share := ""
	if f.Share > 0 {
		share = vitals.Share.Format(f.Share)
	}
	if f.Role != "" {
		share = strings.TrimSpace(share + " " + f.Role)
	}
	p.text(label, f.Function+tail("  ", share))
	if f.File != "" {
		at := f.File
		if f.Line > 0 {
			at = fmt.Sprintf("%s:%d", at, f.Line)
		}
		p.text("           ", shorten(at, p.width-11))
	}
}

// size returns a number of bytes for people.
func size(n int64) string { return vitals.Bytes.Format(float64(n)) }

func tail(sep, s string) string {
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

func gainText(i casefile.Impact) string {
	g := i.Gain
	low, high := strings.TrimSuffix(vitals.Share.Format(g.Low), " %"), vitals.Share.Format(g.High)
	if g.Low == g.High {
		return high + " of " + i.Resource
	}
	return low + "–" + high + " of " + i.Resource
}

func arithmetic(g casefile.Gain) string {
	if g.Arithmetic == "" {
		return ""
	}
	return ": " + g.Arithmetic
}

// text prints label and text, made printable and wrapped, with the following lines indented by the label's width.
func (p *printer) text(label, text string) {
	indent := strings.Repeat(" ", visible(label))
	room := max(p.width-len(indent), 20)
	for i, l := range wrap(render.Plain(text), room) {
		if i > 0 {
			label = indent
		}
		fmt.Fprintln(p.w, strings.TrimRight(label+l, " "))
	}
}

// wrap breaks text at spaces into lines of at most width characters; a longer word gets its own line.
func wrap(text string, width int) []string {
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

// good is used like a severity, for what became better.
const good = "good"

func (p *printer) paint(severity, s string) string {
	if !p.color {
		return s
	}
	switch severity {
	case casefile.Critical:
		return red + s + reset
	case casefile.Warning:
		return yellow + s + reset
	case good:
		return green + s + reset
	}
	return cyan + s + reset
}

// visible returns the number of characters a string takes on a terminal, without its colours.
func visible(s string) int {
	for _, c := range []string{red, yellow, cyan, green, reset} {
		s = strings.ReplaceAll(s, c, "")
	}
	return len([]rune(s))
}
