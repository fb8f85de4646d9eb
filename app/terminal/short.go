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
// lines: of what is longer, the last sentences are left out, and then the ends of the first ones.
func (p *Printer) inShort(f casefile.Finding) {
	b := briefOf(f, p.Width)
	for {
		var out bytes.Buffer
		b.print(&Printer{W: &out, Width: p.Width, Color: p.Color})
		if bytes.Count(out.Bytes(), []byte("\n")) <= mostLines || !b.leaveOut() {
			_, _ = p.W.Write(out.Bytes()) // as all that is printed
			return
		}
	}
}

// A brief is a finding in short.
type brief struct {
	words.Finding
	summary, remedy extract // the remedy is the first one
}

func briefOf(f casefile.Finding, width int) *brief {
	t := words.Of(f)
	b := &brief{Finding: t}
	b.summary = extract{label: "  ", sentences: words.Sentences(t.Summary), fewest: 1, width: width}
	if len(t.Remedies) > 0 {
		r := t.Remedies[0]
		b.remedy = extract{label: label("remedy", 0), fewest: 2, width: width,
			sentences: append([]string{r.Title + ". "}, words.Sentences(r.Text)...)}
	}
	return b
}

// leaveOut removes what is missed least, and says false when nothing more can be removed.
func (b *brief) leaveOut() bool {
	long, short := &b.remedy, &b.summary
	if len(short.lines()) > len(long.lines()) {
		long, short = short, long
	}
	return long.dropSentence() || short.dropSentence() || long.dropLine(2) || short.dropLine(2) || long.dropLine(1) ||
		short.dropLine(1)
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
	if b.Cost != "" {
		p.Text(label("cost", 0), b.Cost)
	}
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
	switch n := len(b.Remedies) - 1; {
	case n == 1:
		parts = append(parts, "1 more remedy")
	case n > 1:
		parts = append(parts, number.Count(float64(n))+" more remedies")
	}
	return strings.Join(parts, ", ")
}
