// Command known checks the rows of package diagnose/known that say what experts know of the modules people use:
//
//	go run ./known check ../diagnose/known/rows/queues.txt     # functions, settings and sources exist
//	go run ./known check -newest                               # all rows, also in the newest releases
//	go run ./known count                                       # rows and modules, by sort
//	go run ./known pack                                        # diagnose/known/rows.gz, from the files beside it
//	go run ./known ask 'net/http.(*Client).Do'                 # what is known where this function stands
//
// The problem: a row that names a function, a setting or a file that is not there says nothing, or something wrong, and
// nobody would notice. The approach: each module is downloaded in the release in which it was read, and its source is
// parsed; the functions of a row have to be declared there, its setting and what ends it too, and its file has to
// exist. Nothing of a module is built or run.
//
// The limits: that the default is what a row says is checked only where it stands as it is written in the row; that the
// advice is good, by no tool. Exit codes: 0 all is there, 1 it is not, 2 wrong usage or failure.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/diagnose/known"
)

const usage = "usage: known check [-newest] [FILE ...] | pack | count | ask FUNCTION ..."

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, out, errs io.Writer) int {
	if len(args) == 0 {
		fmt.Fprintln(errs, usage)
		return 2
	}
	switch args[0] {
	case "check":
		return check(args[1:], out, errs)
	case "pack":
		return pack(errs)
	case "count":
		return count(out, errs)
	case "ask":
		ask(args[1:], out)
		return 0
	}
	fmt.Fprintln(errs, usage)
	return 2
}

// check is the first command.
func check(args []string, out, errs io.Writer) int {
	flags := flag.NewFlagSet("check", flag.ContinueOnError)
	flags.SetOutput(errs)
	newest := flags.Bool("newest", false, "also look into the newest releases, where a row does not say for which it holds")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	rows, wrong, err := rowsOf(flags.Args())
	if err != nil {
		fmt.Fprintln(errs, "known:", err)
		return 2
	}
	found := &sources{}
	for _, a := range rows {
		for _, p := range found.problems(a, *newest) {
			wrong = append(wrong, a.Line+": "+p)
		}
	}
	for _, p := range wrong {
		fmt.Fprintln(out, p)
	}
	fmt.Fprintf(out, "%d rows, %d problems\n", len(rows), len(wrong))
	if len(wrong) > 0 {
		return 1
	}
	return 0
}

// rowsOf are the rows of files, and what is wrong with their form; without files all.
func rowsOf(files []string) (rows []*known.Advice, wrong []string, err error) {
	if len(files) == 0 {
		rows, err := known.Advices()
		return rows, nil, err
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if errors.Is(err, os.ErrNotExist) { // as it is called from the root
			data, err = os.ReadFile("../" + name)
		}
		if err != nil {
			return nil, nil, err
		}
		r, w := known.ParseAdvices(name, string(data))
		rows, wrong = append(rows, r...), append(wrong, w...)
	}
	return rows, wrong, nil
}

// pack is the second.
func pack(errs io.Writer) int {
	packed, err := known.PackRows(os.DirFS("../diagnose/known/rows"))
	if err == nil {
		err = os.WriteFile("../diagnose/known/rows.gz", packed, 0o644)
	}
	if err != nil {
		fmt.Fprintln(errs, "known:", err, "(it is called from lab/)")
		return 2
	}
	return 0
}

// count is the third.
func count(out, errs io.Writer) int {
	rows, err := known.Advices()
	if err != nil {
		fmt.Fprintln(errs, "known:", err)
	}
	sorts, modules := map[known.About]int{}, map[string]bool{}
	for _, a := range rows {
		sorts[a.About]++
		modules[a.Modules[0].Path] = true
	}
	for _, sort := range slices.Sorted(func(yield func(known.About) bool) {
		for s := range sorts {
			if !yield(s) {
				return
			}
		}
	}) {
		fmt.Fprintf(out, "%5d %s\n", sorts[sort], sort)
	}
	fmt.Fprintf(out, "%5d rows, in %d modules\n", len(rows), len(modules))
	return 0
}

// ask is the fourth.
func ask(functions []string, out io.Writer) {
	for _, fn := range functions {
		f := known.AdviceOf(fn)
		if f.None() {
			fmt.Fprintf(out, "%s: nothing is known\n", fn)
		}
		for _, a := range slices.Concat(f.At, f.Stays, f.Below) {
			fmt.Fprintf(out, "%s: %s %s (%s)\n  %s.\n  %s\n", fn, a.About, a.Subject, a.Line, a.Says, a.Why)
			for _, do := range a.Do {
				fmt.Fprintf(out, "  - %s\n", do)
			}
			fmt.Fprintf(out, "  read in %s %s, %s\n", a.Modules[0].Path, a.Modules[0].Version, strings.TrimSpace(a.Source))
		}
	}
}
