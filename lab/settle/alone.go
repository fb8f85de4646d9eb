package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/app/settle"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/truth"
)

// alone says what the source would find by the facts of the evidence, if no detector had found anything: of the
// recorded cases of which the source is here, whether it is the truth of the faulty ones, and nothing of the healthy
// ones.
func alone(ctx context.Context, out io.Writer, sets, run string) error {
	cases, table, which, err := meant(run)
	if err != nil {
		return err
	}
	a := tally{out: out}
	for _, set := range strings.Fields(sets) {
		dir := ""
		if group, ok := strings.CutPrefix(set, "unseen-"); ok {
			if dir, err = extracted(group); err != nil {
				return err
			}
			defer os.RemoveAll(dir)
		}
		names, err := cases.Cases(set + "/*")
		if err != nil {
			return err
		}
		for _, name := range names {
			if row, ok := table[name]; ok && which.MatchString(name) && !strings.HasSuffix(name, "-watch") {
				a.add(ctx, dir, row)
			}
		}
	}
	fmt.Fprintf(out, "\n%d faulty: something said of %d, the place of the truth %d, kind and place %d; %d healthy: "+
		"something said of %d; %d without source\n", a.faulty, a.said, a.placed, a.right, a.healthy, a.wrong, a.failed)
	return ctx.Err()
}

// A tally counts what was said.
type tally struct {
	out                         io.Writer
	faulty, said, placed, right int
	healthy, wrong, failed      int
}

func (a *tally) add(ctx context.Context, dir string, row truth.Row) {
	found, note, err := foundAlone(ctx, a.out, dir, row.Name)
	if err != nil {
		fmt.Fprintf(a.out, "%s: %v\n", row.Name, err)
		a.failed++
		return
	}
	if note != "" {
		fmt.Fprintf(a.out, "%s: %s\n", row.Name, note)
	}
	quiet := slices.Contains(row.Kinds, "quiet")
	if quiet {
		a.healthy++
	} else {
		a.faulty++
	}
	if len(found) > 0 {
		a.judge(row, found, quiet)
	}
}

// judge counts and prints what was said of a case.
func (a *tally) judge(row truth.Row, found []casefile.Finding, quiet bool) {
	at := slices.ContainsFunc(found[0].Where[:min(2, len(found[0].Where))], func(w casefile.Frame) bool {
		return row.Names(w.Function)
	})
	kind := slices.Contains(row.Kinds, found[0].Kind)
	switch {
	case quiet:
		a.wrong++
	case at && kind:
		a.right++
		fallthrough
	case at:
		a.placed++
		fallthrough
	default:
		a.said++
	}
	fmt.Fprintf(a.out, "%s (%s): place %v, kind %v\n", row.Name, strings.Join(row.Kinds, "|"), at, kind)
	for _, f := range found {
		fmt.Fprintf(a.out, "    %d %s: %s\n", f.Score, f.Title, f.Remedies[0].Title)
		for _, s := range f.Source {
			fmt.Fprintf(a.out, "      %s\n", s.Text)
		}
	}
}

// foundAlone asks the source of a case's program about its facts.
func foundAlone(ctx context.Context, out io.Writer, dir, name string) ([]casefile.Finding, string, error) {
	in, err := recorded(name)
	if err != nil {
		return nil, "", err
	}
	sheet, _, err := facts.Read(ctx, in, facts.Options{})
	if err != nil {
		return nil, "", err
	}
	p, err := programOf(ctx, out, dir, name, in.Build)
	if err != nil {
		return nil, "", err
	}
	defer p.close()
	for i := range sheet.Facts {
		for _, s := range sheet.Facts[i].Stacks {
			for k := range s.Frames {
				at := &s.Frames[k]
				at.Function, at.File = moved.Replace(at.Function), moved.Replace(at.File)
			}
		}
	}
	var d casefile.Diagnosis
	res := settle.Run(ctx, settle.Config{Places: p.places, Limit: settleLimit, Sheet: sheet}, &d)
	return d.Findings, res.Note, nil
}
