package facts

import (
	"context"

	"github.com/gocasebook/casebook/app/source"
	"github.com/gocasebook/casebook/casefile"
)

// A Source gives the source of places.
type Source interface {
	// Lines are all lines of the file of a frame, as it was built; nil where that is not here. note is what a reader must
	// know of them. Nobody may change them.
	Lines(ctx context.Context, f Frame) (lines []string, note string)
}

// NewSource reads what package source finds on this machine. It starts git at most, to read a revision.
func NewSource(ctx context.Context, places *source.Places) Source {
	return onMachine{source.NewReader(ctx, places)}
}

type onMachine struct{ r *source.Reader }

// Lines implements Source.
func (m onMachine) Lines(ctx context.Context, f Frame) (lines []string, note string) {
	return m.r.Lines(ctx, casefile.Frame{Function: f.Function, File: f.File, Line: f.Line})
}
