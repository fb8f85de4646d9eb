package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/gocasebook/casebook/app/answer"
	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/app/source"
	"github.com/gocasebook/casebook/casefile"
)

// A label is what is true of a case, as whoever recorded it wrote it down.
type label struct {
	Cause     string   `json:"cause"`
	Functions []string `json:"functions"`
	Remedy    string   `json:"remedy"`
	Wrong     []string `json:"wrong_remedies"`
}

// answer is what a label would answer.
func (l label) answer(change string) answer.Answer {
	a := answer.Answer{Author: "label", Cause: l.Cause, Change: change}
	for _, f := range l.Functions {
		a.Place = append(a.Place, casefile.At{Function: f})
	}
	return a
}

// labels checks the answers of labels in a folder of cases: DIR/NAME/label.json, DIR/NAME/case, and DIR/NAME/src where
// the source is at hand. With -wrong the remedies that a label calls wrong are checked in place of the right one.
func labels(args []string, out, errs io.Writer) int {
	ctx := context.Background()
	flags := flag.NewFlagSet("labels", flag.ContinueOnError)
	flags.SetOutput(errs)
	dir := flags.String("cases", "", "`folder` of labelled cases")
	wrong := flags.Bool("wrong", false, "check the remedies that labels call wrong")
	verbose := flags.Bool("v", false, "print all reasons")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	names, err := filepath.Glob(filepath.Join(*dir, "*", "label.json"))
	if err != nil || len(names) == 0 || *dir == "" {
		fmt.Fprintln(errs, "answers labels: no label is in the folder of -cases")
		return 2
	}
	all, as := 0, 0
	for _, name := range names {
		n, good, err := labelled(ctx, out, filepath.Dir(name), *wrong, *verbose)
		if err != nil {
			fmt.Fprintf(errs, "answers labels: %s: %v\n", filepath.Dir(name), err)
			return 2
		}
		all, as = all+n, as+good
	}
	if *wrong {
		fmt.Fprintf(out, "%d of %d wrong remedies are not supported\n", as, all)
		return 0
	}
	fmt.Fprintf(out, "%d of %d labels are supported\n", as, all)
	if as < all {
		return 1
	}
	return 0
}

// labelled checks the label of one case.
func labelled(ctx context.Context, out io.Writer, dir string, wrong, verbose bool) (all, good int, err error) {
	data, err := os.ReadFile(filepath.Join(dir, "label.json"))
	if err != nil {
		return 0, 0, err
	}
	var l label
	if err := json.Unmarshal(data, &l); err != nil {
		return 0, 0, err
	}
	src := filepath.Join(dir, "src")
	if !exists(filepath.Join(src, "go.mod")) {
		src = ""
	}
	sheet, folder, err := sheetOf(ctx, filepath.Join(dir, "case"), src)
	if err != nil {
		return 0, 0, err
	}
	o := answer.Options{}
	if src != "" {
		build := casefile.Build{}
		if folder != nil {
			build = folder.Case.Target.Build
		}
		if o.Source, err = source.FindPlaces(ctx, src, build); err != nil {
			return 0, 0, err
		}
	}
	changes := []string{l.Remedy}
	if wrong {
		changes = l.Wrong
	}
	for _, change := range changes {
		op := answer.Check(ctx, l.answer(change), sheet, o)
		if all++; (op.Verdict == casefile.Supported) != wrong {
			good++
		}
		fmt.Fprintf(out, "%-22s %-13s %s\n", filepath.Base(dir), op.Verdict, change)
		printReasons(out, op, verbose)
	}
	return all, good, nil
}

// printReasons prints why an answer is not supported, or all that was said of it.
func printReasons(out io.Writer, op casefile.Opinion, all bool) {
	for _, r := range op.Reasons {
		if all || r.Verdict != casefile.Supported {
			fmt.Fprintf(out, "    %-13s %-8s %s\n", r.Verdict, r.About, r.Text)
		}
	}
}

// sheetOf reads a case, or a folder of evidence, with the program's source in src; "" where it is not at hand.
func sheetOf(ctx context.Context, dir, src string) (*facts.Sheet, *casefile.Folder, error) {
	r := assess.DiagnoseRequest{What: []string{dir}}
	if src != "" {
		r.Places = assess.SourceIn(src)
	}
	return assess.Sheet(ctx, r)
}

// oneOf reports whether a list is empty or has a value.
func oneOf(list []string, v string) bool { return len(list) == 0 || slices.Contains(list, v) }
