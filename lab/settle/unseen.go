package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/gocasebook/casebook/app/settle"
	"github.com/gocasebook/casebook/app/source"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/archive"
	"github.com/gocasebook/casebook/internal/truth"
)

// truthFile has the cure of each recorded case, as a word of it.
const truthFile = "../diagnose/testdata/truth.tsv"

// A compared is a case whose first remedy the source has changed, or not.
type compared struct {
	name           string
	without, with  string // the first remedies of the first finding
	cured, curedBy bool   // whether they name the cure
}

// meant are the recorded cases, what is true of them, and which of them are meant.
func meant(run string) (cases archive.Set, table map[string]truth.Row, which *regexp.Regexp, err error) {
	if cases, err = archive.Find(); err != nil {
		return cases, nil, nil, err
	}
	if table, err = truth.Read(truthFile); err != nil {
		return cases, nil, nil, err
	}
	which, err = regexp.Compile(run)
	return cases, table, which, err
}

// first compares what is advised first with and without the source, for the recorded cases of groups in unseen whose
// programs are here, and prints each change.
func first(ctx context.Context, out io.Writer, groups, run string) error {
	cases, table, which, err := meant(run)
	if err != nil {
		return err
	}
	n, changed, better, worse, both := 0, 0, 0, 0, 0
	for _, group := range strings.Fields(groups) {
		dir, err := extracted(group)
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		names, err := cases.Cases("unseen-" + group + "/*")
		if err != nil {
			return err
		}
		for _, name := range names {
			row, ok := table[name]
			if !ok || slices.Contains(row.Kinds, "quiet") || !which.MatchString(name) ||
				strings.HasSuffix(name, "-watch") {
				continue
			}
			c, err := compareFirst(ctx, out, dir, name, row)
			if err != nil {
				fmt.Fprintf(out, "%s: %v\n", name, err)
				continue
			}
			n++
			if c.with == c.without {
				continue
			}
			changed++
			fmt.Fprintf(out, "%s\n    without: %s (%s)\n    with:    %s (%s)\n", name, c.without, says(c.cured), c.with,
				says(c.curedBy))
			switch {
			case c.cured && c.curedBy:
				both++
			case c.curedBy:
				better++
			case c.cured:
				worse++
			}
		}
	}
	fmt.Fprintf(out, "\n%d cases; the source changes what is advised first in %d: by the word of the cure %d are "+
		"better, %d worse, %d have it both times\n", n, changed, better, worse, both)
	return ctx.Err()
}

func says(cured bool) string {
	if cured {
		return "names the cure"
	}
	return "does not name the cure"
}

// extracted is a folder with the programs of a group.
func extracted(group string) (dir string, err error) {
	a, err := txtar.ParseFile(filepath.Join("unseen", group+".txtar"))
	if err != nil {
		return "", err
	}
	files, err := txtar.FS(a)
	if err != nil {
		return "", err
	}
	if dir, err = os.MkdirTemp("", "settle-unseen-"); err != nil {
		return "", err
	}
	return dir, os.CopyFS(dir, files)
}

// compareFirst diagnoses a case, and asks the source of its program.
func compareFirst(ctx context.Context, out io.Writer, dir, name string, row truth.Row) (c compared, err error) {
	in, err := recorded(name)
	if err != nil {
		return c, err
	}
	report := diagnose.Run(ctx, in, diagnose.Options{})
	p, err := programOf(ctx, out, dir, name, in.Build)
	if err != nil {
		return c, err
	}
	defer p.close()
	c.name = name
	c.without, c.cured = advised(report.Findings, row)
	res := settle.Run(ctx, settle.Config{Places: p.places, Starts: report.Starts, Limit: settleLimit}, &report.Diagnosis)
	c.with, c.curedBy = advised(report.Findings, row)
	if res.Note != "" {
		fmt.Fprintf(out, "%s: %s\n", name, res.Note)
	}
	return c, nil
}

// programOf is the program of a case of a group that is in a folder, or of the lab without one.
func programOf(ctx context.Context, out io.Writer, dir, name string, build casefile.Build) (p program, err error) {
	if dir == "" {
		return inLab(ctx, build)
	}
	root := dir
	if own := filepath.Join(dir, strings.TrimSuffix(path.Base(name), "-fixed")); exists(filepath.Join(own, "go.mod")) {
		root = own
	}
	if !exists(filepath.Join(root, "go.sum")) {
		cmd := exec.CommandContext(ctx, "go", "mod", "tidy")
		cmd.Dir, cmd.Env = root, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
		if text, err := cmd.CombinedOutput(); err != nil {
			fmt.Fprintf(out, "%s: go mod tidy: %v\n%s", name, err, text)
		}
	}
	p.close = setenv("GOWORK", "off")
	p.places, err = source.FindPlaces(ctx, root, build)
	return p, err
}

// advised is the first remedy of the first finding, and whether it names the cure.
func advised(fs []casefile.Finding, row truth.Row) (title string, cured bool) {
	if len(fs) == 0 || len(fs[0].Remedies) == 0 {
		return "nothing", false
	}
	r := fs[0].Remedies[0]
	return fs[0].Kind + ": " + r.Title, strings.Contains(strings.ToLower(r.Title+" "+r.Text), strings.ToLower(row.Cure))
}
