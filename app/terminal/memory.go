package terminal

import (
	"fmt"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/words"
	"github.com/gocasebook/casebook/vitals"
)

// leastShare is the part of the total from which on a row is printed in short.
const leastShare = 0.01

// memory prints what the resident memory is made of, and a blank line below. In full every row is printed, with what it
// is; otherwise the larger ones.
func (p *Printer) memory(t *casefile.MemoryTable, full bool) {
	if t == nil {
		return
	}
	when := ""
	if !t.Taken.IsZero() {
		when = " at " + t.Taken.Local().Format(time.TimeOnly)
	}
	p.Text(fmt.Sprintf("%-*s", pictureLabel, "memory"),
		fmt.Sprintf("%s %s%s", vitals.Bytes.Format(float64(t.Total)), t.What, when))
	more, rest := 0, int64(0)
	for _, r := range t.Rows {
		if !full && r.Bytes != nil && r.Kind != "rest" && small(*r.Bytes, t.Total) {
			more, rest = more+1, rest+*r.Bytes
			continue
		}
		p.memoryRow(t, r, full)
	}
	if more > 0 && rest != 0 {
		p.memoryRow(t, casefile.MemoryRow{Bytes: &rest, Name: fmt.Sprintf("in %d more rows", more)}, false)
	}
	for i, r := range t.Beside {
		if i == 0 {
			p.Text(strings.Repeat(" ", pictureLabel), "not part of it:")
		}
		if full || r.Bytes != nil && !small(*r.Bytes, t.Total) {
			p.memoryRow(nil, r, full)
		}
	}
	fmt.Fprintln(p.W)
}

func small(bytes, total int64) bool { return float64(max(bytes, -bytes)) < leastShare*float64(total) }

// memoryRow prints "  72.4 MiB  85.6 %  live heap objects"; without a table there is no share.
func (p *Printer) memoryRow(t *casefile.MemoryTable, r casefile.MemoryRow, full bool) {
	amount, share := "not known", ""
	if r.Bytes != nil {
		amount = vitals.Bytes.Format(float64(*r.Bytes))
		if t != nil {
			share = words.OfMemory(r, t.Of())
		}
	}
	text := r.Name
	if r.Taken != nil {
		text += ", read at " + r.Taken.Local().Format(time.TimeOnly)
	}
	if r.Text != "" && (full || r.Bytes == nil) {
		text += ": " + r.Text
	}
	p.Text(fmt.Sprintf("%*s%10s %7s  ", pictureLabel, "", amount, share), text)
}
