package facts

import (
	"context"
	"path"
	"slices"

	"github.com/gocasebook/casebook/app/source"
	"github.com/gocasebook/casebook/casefile"
)

// A Source gives the source of places.
type Source interface {
	// Lines are all lines of the file of a frame, as it was built; nil where that is not here. note is what a reader
	// must know of them. Nobody may change them.
	Lines(ctx context.Context, f Frame) (lines []string, note string)
	// Named are lines of the program's own code in which a name stands. all reports whether all of it was looked into.
	Named(ctx context.Context, name string) (found []Frame, all bool)
}

// NewSource reads what package source finds on this machine. It starts git at most, to read a revision.
func NewSource(ctx context.Context, places *source.Places) Source {
	return onMachine{source.NewReader(ctx, places)}
}

type onMachine struct{ r *source.Reader }

// Named implements Source.
func (m onMachine) Named(ctx context.Context, name string) (found []Frame, all bool) {
	at, all := m.r.Named(ctx, name)
	for _, f := range at {
		found = append(found, Frame{File: f.File, Line: f.Line, Owner: User})
	}
	return found, all
}

// sourceFiles are the endings of files that stacks of Go name.
var sourceFiles = [...]string{".go", ".s", ".c", ".h", ".cc", ".cpp"}

// Lines implements Source. Names are those of evidence, which anybody may have written: a file of the folder that is no
// source, such as one with keys, is not read whatever a stack says.
func (m onMachine) Lines(ctx context.Context, f Frame) (lines []string, note string) {
	if !slices.Contains(sourceFiles[:], path.Ext(f.File)) {
		return nil, ""
	}
	return m.r.Lines(ctx, casefile.Frame{Function: f.Function, File: f.File, Line: f.Line})
}
