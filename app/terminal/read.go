package terminal

import (
	"fmt"
	"strings"

	"github.com/gocasebook/casebook/diagnose"
)

// fewFiles are listed one by one: people who name a profile or two want to know what was read in them.
const fewFiles = 3

// Read says what was read: each file, or with many files, how many of each kind.
func (p *Printer) Read(artefacts []diagnose.Artefact, all bool) {
	if all || len(artefacts) <= fewFiles {
		for _, a := range artefacts {
			p.Text("read   ", a.Name+": "+a.Text+Tail("; ", a.Note))
		}
		return
	}
	var kinds []string
	number := make(map[string]int)
	for _, a := range artefacts {
		if number[a.Kind]++; number[a.Kind] == 1 {
			kinds = append(kinds, a.Kind)
		}
	}
	for i, k := range kinds {
		if n := number[k]; n > 1 {
			kinds[i] = fmt.Sprintf("%s ×%d", k, n)
		}
	}
	p.Text("read   ", Plural(len(artefacts), "file")+": "+strings.Join(kinds, ", "))
}
