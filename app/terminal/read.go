package terminal

import (
	"fmt"
	"strings"

	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/internal/words"
	"github.com/gocasebook/casebook/vitals"
)

// Read says what was read: a single file, which somebody named, with what is in it, and otherwise how many there are of
// each kind.
func (p *Printer) Read(artefacts []diagnose.Artefact, all bool) {
	if all || len(artefacts) == 1 {
		for _, a := range artefacts {
			p.Text("read   ", a.Name+": "+a.Said()+Tail("; ", a.Note))
		}
		return
	}
	var kinds []string
	counts := make(map[string]int)
	for _, a := range artefacts {
		if counts[a.Kind]++; counts[a.Kind] == 1 {
			kinds = append(kinds, a.Kind)
		}
	}
	for i, k := range kinds {
		if n := counts[k]; n > 1 {
			kinds[i] = fmt.Sprintf("%s ×%d", k, n)
		}
	}
	p.Text("read   ", number.Things(len(artefacts), "file")+": "+strings.Join(kinds, ", "))
}

// ages prints how long memory stays, by the line that allocates them, and a blank line below.
func (p *Printer) ages(all []casefile.ObjectAge) {
	if len(all) == 0 {
		return
	}
	p.Text("ages        ", "how long what a line allocates stays on average (95 %): live ÷ allocated a second")
	for _, a := range all {
		label := fmt.Sprintf("%*s%10s  %-21s  ", pictureLabel, "", vitals.Bytes.Format(float64(a.Bytes)),
			render.Plain(a.Text))
		p.Text(label, fmt.Sprintf("%s, %s", words.Symbol(a.Function), vitals.BytesPerSecond.Format(a.Allocated)))
	}
	fmt.Fprintln(p.W)
}
