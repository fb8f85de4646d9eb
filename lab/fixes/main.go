// Command fixes lets casebook fix cure sick programs that other people wrote, and measures what came of it. In lab:
//
//	go run ./fixes                        # all programs: half an hour on two idle cores
//	go run ./fixes -run 'pump|courier'    # some
//	go run ./fixes -run pump -diff        # with the changes
//	go run ./fixes -survey github.com/yuin/goldmark@v1.7.13   # all rewriters over a public module: does it still work?
//
// Each program goes into a git repository of its own in a temporary folder. `casebook fix FINDING --prove --branch
// fixed` gets the evidence that was recorded of it (evidence/cases), or with -capture a case of now, which needs an
// idle machine. Nobody touches the code, and nobody helps with the place. The table says what the finding promised,
// what was measured, and why a place was left alone.
//
// The limits: Linux, for what processes cost is read from /proc. The load of most programs is a steady rate; where it
// waits for answers (reportd), a cure shows less than it saves.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/gocasebook/casebook/lab/choose"
)

// options are the flags.
type options struct {
	lab, run, casebook string
	surveys            string
	diff, keep         bool
	capture            bool
	rounds             int
	span, warm         time.Duration
}

func main() {
	var o options
	flag.StringVar(&o.lab, "lab", ".", "`folder` of the lab")
	flag.StringVar(&o.run, "run", "", "only the programs whose name matches the `regexp` as a whole")
	flag.StringVar(&o.casebook, "casebook", "", "the casebook `program` (default: it is built)")
	flag.StringVar(&o.surveys, "survey", "", "change public `modules` (path@version,…) and run their tests, and nothing else")
	flag.BoolVar(&o.diff, "diff", false, "print the changes")
	flag.BoolVar(&o.keep, "keep", false, "leave the repositories, and print where they are")
	flag.BoolVar(&o.capture, "capture", false, "capture a case of each program, and do not take the recorded evidence")
	flag.IntVar(&o.rounds, "rounds", 10, "pairs of measurements of each change, at least 10")
	flag.DurationVar(&o.span, "span", 2*time.Second, "how long a program is measured in a round")
	flag.DurationVar(&o.warm, "warm", 4*time.Second, "with -capture: how long a program runs before")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := o.main(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "fixes:", err)
		stop()
		os.Exit(1)
	}
}

func (o *options) main(ctx context.Context) error {
	chosen, err := choose.Named(rows(), func(r row) string { return r.name }, o.run)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "casebook-fixes-")
	if err != nil {
		return err
	}
	if o.keep {
		fmt.Fprintln(os.Stderr, "the repositories are in", dir)
	} else {
		defer os.RemoveAll(dir) // a temporary folder: the system clears what is left
	}
	if o.lab, err = filepath.Abs(o.lab); err != nil {
		return err
	}
	if o.surveys != "" {
		for i, module := range strings.Split(o.surveys, ",") {
			if err := o.survey(ctx, os.Stdout, module, filepath.Join(dir, fmt.Sprint(i))); err != nil {
				return fmt.Errorf("surveying %s: %w", module, err)
			}
		}
		return nil
	}
	if o.casebook == "" {
		o.casebook = filepath.Join(dir, "casebook")
		app := filepath.Join(o.lab, "..", "app")
		if err := o.tool(ctx, app, "go", "build", "-o", o.casebook, "./cmd/casebook"); err != nil {
			return fmt.Errorf("building casebook: %w", err)
		}
	}
	var all []outcome
	for _, r := range chosen {
		out := o.cure(ctx, r, filepath.Join(dir, r.name))
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		all = append(all, out)
		out.print(os.Stdout, o.diff)
	}
	summarize(os.Stdout, all)
	return nil
}
