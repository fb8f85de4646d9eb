package terminal

import (
	"fmt"
	"path/filepath"

	"github.com/gocasebook/casebook/app/notes"
	"github.com/gocasebook/casebook/internal/number"
)

// mostNotes are printed: nobody has asked for them.
const mostNotes = 3

// Known prints what is known of a program's modules, with files from a folder. all is the command that has all of them.
func (p *Printer) Known(all []notes.Note, dir string) {
	for i, n := range all {
		if i == 0 {
			fmt.Fprintln(p.W)
		}
		if i == mostNotes {
			p.Text("note: ", number.Things(len(all)-i, "more note")+"; --json has all")
			return
		}
		at := ""
		if n.File != "" {
			name := n.File
			if rel, err := filepath.Rel(dir, name); err == nil && filepath.IsLocal(rel) {
				name = rel
			}
			at = fmt.Sprintf("%s:%d: ", name, n.Line)
		}
		p.Text("note: ", at+n.String())
	}
}
