package terminal

import (
	"io"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/casefile"
)

// Proof prints a proof as a table that fits the terminal.
func Proof(w io.Writer, p casefile.Proof) error {
	t := New(w)
	return prove.Format(w, p, prove.Layout{Width: t.Width, Colour: t.Color})
}
