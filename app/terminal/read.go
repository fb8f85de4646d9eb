package terminal

import (
	"fmt"
	"strings"

	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/number"
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
