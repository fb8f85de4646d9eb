// Command holdout says how often Casebook is right on services that its authors have not seen.
//
// The problem: the authors of the detectors also made the proving ground (lab/faults). That all its faults are found
// says little about other people's programs. The approach: each folder beside this one is a service somebody else might
// have written, with one fault or with none, and holdout.json says what an expert would say of it, written down before
// Casebook saw it. This command builds each, puts it under its own load, and judges what `casebook capture` and
// `casebook diagnose --json` say, as a user has them.
//
//	go run ./holdout/cmd/holdout                                    # all, 20 s each, in lab/
//	go run ./holdout/cmd/holdout -run 'ledger|tiles' -out /tmp/holdout
//	go run ./holdout/cmd/holdout -group holdout                     # and keeps the evidence
//	go run ./holdout/cmd/holdout -from holdout                      # what is stored, judged by today's detectors
//	go run ./holdout/cmd/holdout -programs modules -list modules.json   # services that use third-party modules
//	go run ./holdout/cmd/holdout -programs holdout2                     # the second hold-out: faults of time
//	go run ./holdout/cmd/holdout -programs holdout3                     # the third, on well-known modules
//	go run ./holdout/cmd/holdout -programs holdout4                     # the fourth: CPU, memory, encoding, I/O, GC
//	go run ./holdout/cmd/holdout -programs holdout5                     # the fifth: who waits for what
//	go run ./holdout/cmd/holdout -programs holdout6                     # the sixth: what reviews and incidents name
//
// The limits: one machine, one load each, 10 s of profile. From the day it is committed on, an author of a detector may
// have read it, so that later figures are those of a regression test.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/gocasebook/casebook/lab/choose"
)

// options are the flags.
type options struct {
	run, out, from, group    string
	programs, list, casebook string
	warm                     time.Duration
	port                     int
}

func main() {
	var o options
	flag.StringVar(&o.run, "run", "", "only the services whose name matches the `regexp`")
	flag.StringVar(&o.out, "out", "", "keep cases and diagnoses in this `folder`; empty keeps nothing")
	flag.StringVar(&o.from, "from", "",
		"capture nothing: judge the evidence of this `group` of evidence/cases")
	flag.StringVar(&o.group, "group", "", "write the evidence into this `group` of evidence/cases")
	flag.StringVar(&o.programs, "programs", "holdout", "`folder` of the services; it may be a module of its own")
	flag.StringVar(&o.list, "list", "holdout.json", "`file` in that folder with what is expected of them")
	flag.StringVar(&o.casebook, "casebook", "", "a `binary` of casebook; empty builds it")
	flag.DurationVar(&o.warm, "warm", 8*time.Second, "how long a service is under load before the capture")
	flag.IntVar(&o.port, "port", 7410, "first of the three `port`s that a service and its load use")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := o.main(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "holdout:", err)
		stop()
		os.Exit(1)
	}
}

// main judges every service that was asked for, and prints the table also when some of them failed.
func (o *options) main(ctx context.Context) error {
	expected, err := readExpectations(filepath.Join(o.programs, o.list))
	if err != nil {
		return err
	}
	if expected, err = choose.Named(expected, func(e expectation) string { return e.Name }, o.run); err != nil {
		return err
	}
	diagnose, end, err := o.source(ctx)
	if err != nil {
		return err
	}
	defer end()
	var t table
	var errs []error
	for _, e := range expected {
		if ctx.Err() != nil {
			break
		}
		d, err := diagnose(ctx, e)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", e.Name, err))
			continue
		}
		t.add(os.Stdout, e, d)
	}
	t.totals(os.Stdout)
	return errors.Join(append(errs, context.Cause(ctx))...)
}
