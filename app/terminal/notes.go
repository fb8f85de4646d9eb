package terminal

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/gocasebook/casebook/app/notes"
	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/casefile"
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

// Proof prints a proof as a table that fits the terminal.
func Proof(w io.Writer, p casefile.Proof) error {
	t := New(w)
	return prove.Format(w, p, prove.Layout{Width: t.Width, Colour: t.Color})
}
