package cli

import (
	"context"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/app/source"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/casefile"
)

func addSourceFlag(flags *pflag.FlagSet, dir *string) {
	flags.StringVar(dir, "source", "", "`folder` of the program's source: findings show its lines, and SARIF its file "+
		"names (default: this folder, if the program's module is here; JSON and Markdown show lines only with this)")
}

// addSource adds lines of the source to findings, and returns what a reader must know of these. Without a folder that
// somebody named they are of the working one, if it is certain that the program is from there.
func addSource(ctx context.Context, dir string, build casefile.Build, fs []casefile.Finding) (note string, err error) {
	if len(fs) == 0 || dir == "" && build.Module == "" {
		return "", nil
	}
	at := dir
	if dir == "" {
		at = "."
	}
	tree, err := source.Find(at, build)
	if err != nil && dir == "" {
		return "", nil // most people are elsewhere
	}
	if err != nil {
		return "", fmt.Errorf("--source: %w", err)
	}
	return addLines(ctx, tree, build, fs), nil
}

// addLines adds lines to findings and returns what a reader must know of them.
func addLines(ctx context.Context, tree source.Tree, build casefile.Build, fs []casefile.Finding) (note string) {
	r := source.NewReader(ctx, tree, build)
	if !r.Add(ctx, fs) {
		return ""
	}
	return r.Note()
}

// linesFor is what adds lines to the findings of a page; nil without a folder.
func linesFor(ctx context.Context, dir string, build casefile.Build) (func([]casefile.Finding) string, error) {
	if dir == "" {
		return nil, nil
	}
	tree, err := source.Find(dir, build)
	if err != nil {
		return nil, fmt.Errorf("--source: %w", err)
	}
	return func(fs []casefile.Finding) string { return addLines(ctx, tree, build, fs) }, nil
}

// sourceNote prints what a reader must know of the lines.
func sourceNote(p *terminal.Printer, note string) {
	if note != "" {
		fmt.Fprintln(p.W)
		p.Text("Source   ", note)
	}
}
