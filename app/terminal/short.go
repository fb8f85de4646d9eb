package terminal

import (
	"bytes"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/internal/words"
)

// mostLines is how long a finding is in short: somebody who was woken up reads the first two without scrolling.
const mostLines = 12

// inShort prints what a finding is, its place, what it costs, the first remedy and what that gains, in mostLines
// lines. Of what is longer, whole sentences and parts are left out.
func (p *Printer) inShort(f casefile.Finding) {
	b := briefOf(f)
	for !b.fits(p.Width) && b.leaveOut() {
	}
	for _, e := range []*extract{&b.remedy, &b.summary, &b.cost} { // where what was left out last made much room
		for e.putBack() {
			if !b.fits(p.Width) {
				e.shown--
				break
			}
		}
	}
	b.print(p)
}

// A brief is a finding in short.
type brief struct {
	words.Finding
	summary, cost, remedy extract // the remedy is the first one: its title and its text
	abbreviated           bool
}

func briefOf(f casefile.Finding) *brief {
	t := words.Of(f)
	b := &brief{Finding: t, summary: extractOf("  ", t.Summary), cost: extractOf(label("cost", 0), t.Cost),
		remedy: extract{label: label("remedy", 0)}}
	if len(t.Remedies) > 0 {
		r := t.Remedies[0]
		b.remedy.begin(append([]string{r.Title + ". "}, words.Sentences(r.Text)...))
	}
	return b
}

func extractOf(label, text string) extract {
	e := extract{label: label}
	if text != "" {
		e.begin(words.Sentences(text))
	}
	return e
}

// fits reports whether mostLines are enough.
func (b *brief) fits(width int) bool {
	var out bytes.Buffer
	b.print(&Printer{W: &out, Width: width})
	return bytes.Count(out.Bytes(), []byte("\n")) <= mostLines
}

// leaveOut removes what is missed least, and says false when nothing more can be removed. The title has said what is
// wrong, mostly with the figure that the summary and the cost explain. What to do about it, the remedy's title and
// first sentence, stays longest.
func (b *brief) leaveOut() bool {
	return b.abbreviate() || b.dropLater() || b.cost.dropClause() || b.summary.dropClause() || b.summary.drop(0) ||
		b.cost.drop(0) || b.dropSaid() || b.remedy.drop(1)
}

// abbreviate names lines of the function that the place names without it.
func (b *brief) abbreviate() bool {
	if b.abbreviated || len(b.Where) == 0 {
		return false
	}
	b.abbreviated = true
	b.summary.abbreviate(b.Where[0])
	b.remedy.abbreviate(b.Where[0])
	return true
}

// dropLater removes a sentence behind the first one of the longer text.
func (b *brief) dropLater() bool {
	if b.summary.shown >= b.remedy.shown { // which has its title, too
		return b.summary.drop(1) || b.remedy.drop(2)
	}
	return b.remedy.drop(2) || b.summary.drop(1)
}

// dropSaid removes what the source says: it confirms the place, which is named.
func (b *brief) dropSaid() bool {
	had := len(b.Said) > 0
	b.Said = nil
	return had
}

func (b *brief) print(p *Printer) {
	p.Text(p.Paint(b.Severity(), b.Head)+"  ", b.Title)
	b.summary.print(p)
	if len(b.Where) > 0 {
		at := b.Where[0]
		at.Function = words.Function(at.Function)
		p.place(label("where", 0), at)
		p.source(at, true)
	}
	if len(b.Said) > 0 {
		p.Text(label("source", 0), b.Said[0])
	}
	if len(b.By) > 0 {
		p.Text(label("held", 0), b.By[0])
	}
	b.cost.print(p)
	if b.Gain != "" {
		p.Text(label("gain", 0), b.Gain)
	}
	b.remedy.print(p)
	p.order(b.Finding.Finding)
	p.Text(label("id", 0), b.ID+" "+b.Kind+", "+b.Sure+Tail("; ", b.further()))
}

// further counts what only the long form lists.
func (b *brief) further() string {
	var parts []string
	if n := len(b.Where) - 1; n > 0 {
		parts = append(parts, number.Things(n, "more place"))
	}
	if n := b.summary.left() + b.remedy.left(); n > 0 {
		parts = append(parts, number.Things(n, "more sentence"))
	}
	switch n := len(b.Remedies) - 1; {
	case n == 1:
		parts = append(parts, "1 more remedy")
	case n > 1:
		parts = append(parts, number.Count(float64(n))+" more remedies")
	}
	return strings.Join(parts, ", ")
}
