package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/app/source"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/diagnose"
)

// outputFlags say in which format a diagnosis is written.
type outputFlags struct {
	json     bool
	markdown bool
	sarif    string
	source   string
	verbose  bool

	note string // on the lines of source that findings have
}

func (f *outputFlags) add(flags *pflag.FlagSet) {
	addVerbose(flags, &f.verbose,
		"print findings in full, every file that was read and every kind that could not be judged")
	flags.BoolVar(&f.json, "json", false, "print JSON")
	flags.BoolVar(&f.markdown, "markdown", false, "print Markdown, for a ticket")
	flags.StringVar(&f.sarif, "sarif", "",
		"write SARIF 2.1.0, for code scanning, to this `file`; - for standard output")
	addSourceFlag(flags, &f.source)
}

func (f *outputFlags) check() error {
	forms := 0
	for _, given := range []bool{f.json, f.markdown, f.sarif == "-"} {
		if given {
			forms++
		}
	}
	if forms > 1 {
		return errors.New("--json, --markdown and --sarif - all write to standard output; choose one")
	}
	return nil
}

// addSource adds what the source says to findings for those who are likely to have it; a ticket and a program get them
// on demand.
func (f *outputFlags) addSource(ctx context.Context, d *assess.Diagnosed) (err error) {
	if f.source == "" && (f.json || f.markdown) {
		return nil
	}
	s := sourceReader{dir: f.source, build: d.Build, starts: func() []diagnose.Start { return d.Report.Starts },
		sheet: d.Sheet}
	f.note, err = s.add(ctx, &d.Report.Diagnosis)
	d.SourceNote = d.Report.SourceNote
	return err
}

// write prints a diagnosis to out in the format that was asked for, and writes SARIF to its file.
func (f *outputFlags) write(out, progress io.Writer, d *assess.Diagnosed) error {
	if f.sarif != "" {
		doc, err := f.document(progress, d)
		if err != nil {
			return err
		}
		if f.sarif == "-" {
			return render.SARIF(out, doc)
		}
		if err := writeSARIF(f.sarif, doc); err != nil {
			return err
		}
	}
	switch {
	case f.json:
		return writeJSON(out, d)
	case f.markdown:
		return render.Markdown(out, render.Document{Diagnosis: d.Report.Diagnosis, Read: d.Report.Read,
			Comparison: d.Comparison, Opinions: d.Opinions})
	case d.Comparison != nil && !d.Beside:
		printComparison(out, d.Comparison, inFullBy(f.verbose))
	default:
		p := terminal.New(out)
		p.Read(d.Report.Read, f.verbose)
		fmt.Fprintln(out)
		terminal.Diagnosis(out, d.Report.Diagnosis, inFullBy(f.verbose))
		terminal.Opinions(out, d.Opinions, inFullBy(f.verbose))
		sourceNote(p, f.note)
		if d.Comparison != nil {
			fmt.Fprintln(out)
			printChanges(p, d.Comparison)
		}
	}
	return nil
}

// document finds the source. A folder that the user named must hold the program; the working directory may be any.
func (f *outputFlags) document(progress io.Writer, d *assess.Diagnosed) (render.Document, error) {
	doc := render.Document{Diagnosis: d.Report.Diagnosis, Read: d.Report.Read, Version: command.Version()}
	dir := f.source
	if dir == "" {
		dir = "."
	}
	tree, err := source.Find(dir, d.Build)
	if err != nil && f.source != "" {
		return doc, fmt.Errorf("--source: %w", err)
	}
	if err != nil {
		fmt.Fprintf(progress, "SARIF uses the file names of the build: %v; --source DIR sets the program's folder\n",
			err)
	}
	doc.Source = tree
	return doc, nil
}

// writeSARIF never leaves a partial file.
func writeSARIF(file string, doc render.Document) error {
	var b bytes.Buffer
	if err := render.SARIF(&b, doc); err != nil {
		return err
	}
	if err := writeWhole(file, b.Bytes()); err != nil {
		return fmt.Errorf("--sarif: %w", err)
	}
	return nil
}

// writeWhole writes a file in one step.
func writeWhole(file string, data []byte) error {
	part := file + ".part"
	err := os.WriteFile(part, data, 0o600)
	if err == nil {
		err = os.Rename(part, file)
	}
	if err != nil {
		_ = os.Remove(part) // the first error is the one to report
	}
	return err
}
