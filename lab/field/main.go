// Command field runs services live beside `casebook watch` with the default rules, and judges what it says:
//
//	go run ./field -casebook ../bin/casebook                        # all rows, in lab/
//	go run ./field -rows 'orders|pages' -forms healthy              # two rows, from a healthy start alone
//	go run ./field -rows '.*-healthy' -for 10m                      # real servers, healthy
//	go run ./field -write ../docs/evidence/field-live.md            # the page
//
// The problem: what is said of a recorded case says nothing of whether a rule trips in time, with the evidence that
// answers, on a program that nobody here tuned anything on.
//
// The approach: a row is a service of lab/unseen (package live). It is watched three times: from a healthy start, with
// the fault later; from an ill start, where the watch comes to a service that is ill; and repaired, under the same
// load. A rule has to trip within a minute of the fault, of a leak within two, and the case has to have what
// diagnose/testdata/truth.tsv says of the recorded one. Of the repaired form no case may come, and of real servers
// (package foreign) none that is more than a notice.
//
// The limits: all that runs at a time shares one machine, with the loads and the watches. Where that machine had no CPU
// to spare, a row is LIMITED and stands for nothing. A trip of cpu-pressure says that the machine is busy, and is not
// counted. Exit codes: 0 all is as it must be, 1 it is not, 2 wrong usage or failure.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/gocasebook/casebook/internal/truth"
	"github.com/gocasebook/casebook/lab/choose"
	"github.com/gocasebook/casebook/lab/field/live"
	"github.com/gocasebook/casebook/lab/foreign"
)

func main() { os.Exit(run()) }

// options are the flags.
type options struct {
	casebook, rows, forms, page, kept, cases, vitals, bin, watch string
	parallel, beside                                             int
	calm, span                                                   time.Duration
}

func parse() (o options) {
	flag.StringVar(&o.casebook, "casebook", "../bin/casebook", "the casebook `program`")
	flag.StringVar(&o.rows, "rows", "", "only rows whose whole name matches this `regexp`")
	flag.StringVar(&o.forms, "forms", "healthy,ill,repaired", "how the services of lab/unseen are watched")
	flag.StringVar(&o.page, "write", "", "`page` that is written")
	flag.StringVar(&o.kept, "results", "",
		"`file` of results, to which those of this run are added; the page has the newest of each row")
	flag.StringVar(&o.cases, "cases", "", "`folder` that keeps the cases")
	flag.StringVar(&o.vitals, "vitals", "", "`folder` that keeps what each watch saw, to play changed rules on")
	flag.StringVar(&o.bin, "bin", "", "`folder` that keeps the built programs")
	flag.StringVar(&o.watch, "watch", "", "more `arguments` for casebook watch")
	flag.IntVar(&o.parallel, "parallel", 2, "how many services run at a time; those that fill a core count twice")
	flag.IntVar(&o.beside, "beside", 0, "how many busy loops run beside them")
	flag.DurationVar(&o.calm, "calm", 40*time.Second, "healthy traffic before the fault")
	flag.DurationVar(&o.span, "for", 10*time.Minute, "how long real servers are watched")
	flag.Parse()
	return o
}

func run() int {
	o := parse()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	f, err := o.prepare()
	if err == nil {
		defer os.RemoveAll(f.dir)
		err = f.play(ctx)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "field:", err)
		return 2
	}
	if slices.ContainsFunc(f.results, func(r Result) bool { return !r.OK() }) {
		return 1
	}
	return 0
}

// A field is a run of the command.
type field struct {
	options
	dir     string
	truth   map[string]truth.Row
	builder live.Builder
	foreign foreign.Table

	mu      sync.Mutex // guards what follows
	results []Result
}

// prepare reads what there is to run, and fills in what was not asked for.
func (o options) prepare() (f *field, err error) {
	if o.parallel < 2 {
		return nil, errors.New("-parallel: want 2 or more")
	}
	f = &field{options: o}
	if f.truth, err = truth.Read("../diagnose/testdata/truth.tsv"); err != nil {
		return nil, fmt.Errorf("the command runs in lab/: %w", err)
	}
	if f.foreign, err = foreign.Read(); err != nil {
		return nil, err
	}
	if f.dir, err = os.MkdirTemp("", "field-*"); err != nil {
		return nil, err
	}
	if f.cases == "" {
		f.cases = filepath.Join(f.dir, "cases")
	}
	if f.bin == "" {
		f.bin = filepath.Join(f.dir, "bin")
	}
	f.builder = live.Builder{Unseen: "unseen", Dir: f.bin}
	for _, path := range []*string{&f.casebook, &f.cases, &f.builder.Dir, &f.builder.Unseen} {
		if *path, err = filepath.Abs(*path); err != nil {
			return nil, err
		}
	}
	return f, os.MkdirAll(f.builder.Dir, 0o755)
}

// A course is a service in one of its forms.
type course struct {
	name   string
	sort   string
	form   string
	weight int64
	build  func(context.Context) error
	play   func(context.Context) Result
}

// courses are all that there is to run.
func (f *field) courses() (all []course) {
	for _, row := range live.Rows() {
		weight := int64(1)
		if row.Sort == live.CPU {
			weight = 2
		}
		for _, form := range strings.Split(f.forms, ",") {
			if row.Sort == live.Nothing && form != repaired {
				continue // there is nothing to repair
			}
			all = append(all, course{row.Name, row.Sort, form, weight,
				func(ctx context.Context) error { return f.builder.Build(ctx, &row, form == repaired) },
				func(ctx context.Context) Result { return f.unseen(ctx, &row, form) }})
		}
	}
	for _, s := range f.foreign.Services {
		if !s.Healthy || s.CPU > 0 || !strings.HasSuffix(s.Name, "-healthy") && s.Name != "registry-busy" {
			continue
		}
		p := f.foreign.Programs[s.Program]
		all = append(all, course{s.Name, live.Nothing, server, 1,
			func(ctx context.Context) error { return p.Build(ctx, f.builder.Dir, s.Program) },
			func(ctx context.Context) Result { return f.server(ctx, s, p) }})
	}
	return all
}

// play builds what was asked for, runs it, and says what came of it.
func (f *field) play(ctx context.Context) error {
	courses, err := choose.Named(f.courses(), func(c course) string { return c.name }, f.rows)
	if err != nil {
		return err
	}
	courses = slices.DeleteFunc(courses, func(c course) bool {
		err := c.build(ctx)
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s is left out: %v\n", c.name, err)
		}
		return err != nil
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	ctx, cancel := context.WithCancel(ctx)
	var loops sync.WaitGroup
	defer loops.Wait()
	defer cancel()
	for range f.beside {
		loop := exec.CommandContext(ctx, "nice", "-n", "5", "sh", "-c", "while :; do :; done")
		loops.Go(func() { _ = loop.Run() }) // until it is killed
	}
	began := time.Now()
	room := semaphore.NewWeighted(int64(f.parallel))
	var group sync.WaitGroup
	defer group.Wait()
	var keeping error // guarded by f.mu
	for _, c := range courses {
		if err := room.Acquire(ctx, c.weight); err != nil {
			return context.Cause(ctx)
		}
		group.Go(func() {
			defer room.Release(c.weight)
			r := c.play(ctx)
			f.mu.Lock()
			defer f.mu.Unlock()
			r.Name, r.Sort, r.Form, r.At = c.name, c.sort, c.form, time.Now().UTC().Truncate(time.Second)
			f.results = append(f.results, r)
			fmt.Println(r)
			keeping = errors.Join(keeping, keep(f.kept, r))
		})
	}
	group.Wait()
	if err := errors.Join(keeping, context.Cause(ctx)); err != nil {
		return err
	}
	return f.tell(courses, time.Since(began))
}
