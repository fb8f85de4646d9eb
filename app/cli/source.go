package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/app/settle"
	"github.com/gocasebook/casebook/app/source"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

func addSourceFlag(flags *pflag.FlagSet, dir *string) {
	flags.StringVar(dir, "source", "",
		"`folder` of the program's source: findings show its lines and what these settle, "+
			"and SARIF its file names (default: this folder, if the program's module is here; JSON and Markdown read source "+
			"only with this)")
}

// A sourceReader adds what the source of a program says to its diagnosis.
type sourceReader struct {
	dir    string // that somebody named; "": the working one, if it is certain that the program is from there
	build  casefile.Build
	starts func() []diagnose.Start // of functions of the evidence; is called only if the source is at hand
	sheet  func() *facts.Sheet     // of the evidence, nil for none; as starts
}

// add returns what a reader must know of what was added.
func (s sourceReader) add(ctx context.Context, d *casefile.Diagnosis) (note string, err error) {
	if s.dir == "" && s.build.Module == "" {
		return "", nil
	}
	at := s.dir
	if at == "" {
		at = "."
	}
	_, err = source.Find(at, s.build)
	switch {
	case err != nil && s.dir == "":
		return "", nil // most people are elsewhere
	case err != nil:
		return "", fmt.Errorf("--source: %w", err)
	}
	return s.read(ctx, at, d), nil
}

// read settles findings and adds lines to them.
func (s sourceReader) read(ctx context.Context, at string, d *casefile.Diagnosis) (note string) {
	places, err := source.FindPlaces(ctx, at, s.build)
	if err != nil {
		return err.Error()
	}
	res := settle.Run(ctx, settle.Config{Places: places, Cache: typesCache(), Starts: s.starts(), Sheet: s.sheet()}, d)
	lines := source.NewReader(ctx, places)
	var parts []string
	if lines.Add(ctx, d.Findings) || lines.Note() != "" {
		parts = append(parts, lines.Note())
	}
	if res.Note != "" {
		parts = append(parts, res.Note+".")
	}
	d.SourceNote = strings.TrimSpace(strings.Join(parts, " "))
	return d.SourceNote
}

// linesFor is what adds what the source says to a page; nil without a folder.
func linesFor(ctx context.Context, dir string, f *casefile.Folder) (func(*casefile.Diagnosis) string, error) {
	if dir == "" {
		return nil, nil
	}
	s := sourceOfCase(ctx, dir, f)
	if _, err := source.Find(dir, s.build); err != nil {
		return nil, fmt.Errorf("--source: %w", err)
	}
	return func(d *casefile.Diagnosis) string { return s.read(ctx, dir, d) }, nil
}

// sourceOfCase reads where functions begin from the profiles of a case, and its facts where nothing above a notice was
// found: they take another diagnosis.
func sourceOfCase(ctx context.Context, dir string, f *casefile.Folder) sourceReader {
	build := f.Case.Target.Build
	of := func() *facts.Sheet {
		if !settle.Silent(&f.Case.Diagnosis) {
			return nil
		}
		sheet, _, err := assess.Sheet(ctx, assess.DiagnoseRequest{What: []string{f.Path}})
		if err != nil { // then the diagnosis is what there is
			return nil
		}
		return sheet
	}
	return sourceReader{dir: dir, build: build, sheet: of, starts: func() []diagnose.Start {
		table := stacks.NewTable(build.Module)
		for _, e := range f.Case.Evidence {
			if !e.GoFormat {
				continue
			}
			if data, err := f.Read(e.File); err == nil {
				_, _ = table.Read(stacks.Source{Name: e.File, Kind: e.Kind}, data) // what cannot be read has no functions
			}
		}
		return diagnose.Starts(table, f.Case.Findings)
	}}
}

// sourceNote prints what a reader must know of the source that was read.
func sourceNote(p *terminal.Printer, note string) {
	if note != "" {
		fmt.Fprintln(p.W)
		p.Text("Source   ", note)
	}
}

// typesCache is where what types need of the go command is kept; "" where the user has no folder for such.
func typesCache() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "casebook", "types")
}
