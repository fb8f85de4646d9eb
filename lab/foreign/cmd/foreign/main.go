// Command foreign builds well-known services from the module proxy, watches them with the default rules, healthy and as
// an operator makes them ill, and prints what tripped and what was said.
//
//	go run ./foreign/cmd/foreign -casebook ../bin/casebook -bin /tmp/bin      # all, in lab/
//	go run ./foreign/cmd/foreign -run 'nats-.*' -cases /tmp/cases
//
// Exit codes: 0 all is as it must be, 1 it is not, 2 wrong usage or failure.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sync/semaphore"

	"github.com/gocasebook/casebook/lab/choose"
	"github.com/gocasebook/casebook/lab/foreign"
	"github.com/gocasebook/casebook/lab/trial"
)

func main() { os.Exit(run()) }

// options are the flags.
type options struct {
	casebook, cases, bin, run, results, courses string
	parallel                                    int
	build, again, keeps                         bool
}

func parse() (o options) {
	flag.StringVar(&o.casebook, "casebook", "../bin/casebook", "the casebook command")
	flag.StringVar(&o.cases, "cases", "", "folder that keeps the cases; without it, they are removed at the end")
	flag.StringVar(&o.bin, "bin", "", "folder that keeps the built programs; without it, they are removed at the end")
	flag.StringVar(&o.run, "run", "", "only services whose whole name matches this regular expression")
	flag.StringVar(&o.results, "results", "",
		"file of results, one JSON object a line, to which those of this run are added")
	flag.BoolVar(&o.keeps, "keep", false, "write the evidence of each service into evidence/cases/foreign")
	flag.StringVar(&o.courses, "courses", "",
		"archive that gets the vitals of each service, such as foreign/testdata/courses")
	flag.IntVar(&o.parallel, "parallel", 4, "how many services run at a time")
	flag.BoolVar(&o.build, "build", false, "only build the programs")
	flag.BoolVar(&o.again, "again", false, "only -keep the -cases of an earlier run")
	flag.Parse()
	return o
}

func run() int {
	o := parse()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	dir, err := os.MkdirTemp("", "foreign-*")
	if err == nil {
		defer os.RemoveAll(dir)
		err = o.prepare(dir)
	}
	if err == nil {
		var ok bool
		if ok, err = o.play(ctx); err == nil && !ok {
			return 1
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "foreign:", err)
		return 2
	}
	return 0
}

// prepare fills in what was not asked for.
func (o *options) prepare(dir string) (err error) {
	if o.parallel < 1 {
		return errors.New("-parallel: want 1 or more")
	}
	if o.again && (o.cases == "" || !o.keeps) {
		return errors.New("-again wants -cases and -keep")
	}
	if o.cases == "" {
		o.cases = filepath.Join(dir, "cases")
	}
	if o.bin == "" {
		o.bin = filepath.Join(dir, "bin")
	}
	for _, path := range []*string{&o.casebook, &o.cases, &o.bin} {
		if *path, err = filepath.Abs(*path); err != nil {
			return err
		}
	}
	return os.MkdirAll(o.bin, 0o700)
}

// play builds what is needed and plays the services that were asked for, as many at a time as there is room for.
func (o *options) play(ctx context.Context) (ok bool, err error) {
	t, err := foreign.Read()
	if err != nil {
		return false, err
	}
	services, err := choose.Named(t.Services, func(s foreign.Service) string { return s.Name }, o.run)
	if err != nil {
		return false, err
	}
	if o.again {
		for _, s := range services {
			err = errors.Join(err, o.keep(&s, t.Programs[s.Program]))
		}
		return err == nil, err
	}
	for _, s := range services {
		if err := t.Programs[s.Program].Build(ctx, o.bin, s.Program); err != nil {
			return false, err
		}
	}
	if o.build {
		return true, nil
	}
	return o.watch(ctx, t, services)
}

func (o *options) watch(ctx context.Context, t foreign.Table, services []foreign.Service) (ok bool, err error) {
	player := trial.Player{Casebook: o.casebook, Cases: o.cases}
	room := semaphore.NewWeighted(int64(o.parallel))
	ok = true
	var printing sync.Mutex // guards ok and err too
	var group sync.WaitGroup
	defer group.Wait()
	for _, s := range services {
		if err := room.Acquire(ctx, 1); err != nil {
			return false, context.Cause(ctx)
		}
		group.Go(func() {
			defer room.Release(1)
			course, failed := s.Play(ctx, &player, o.bin, t.Programs[s.Program])
			j := s.Judge(course)
			if failed != nil {
				j.Err = failed.Error()
			}
			printing.Lock()
			defer printing.Unlock()
			ok = ok && j.OK()
			err = errors.Join(err, o.tell(&s, t.Programs[s.Program], j, course))
		})
	}
	group.Wait()
	return ok, errors.Join(err, context.Cause(ctx))
}

// tell prints what came of a service, and keeps it.
func (o *options) tell(s *foreign.Service, p foreign.Program, j trial.Judgement, c trial.Course) error {
	r := foreign.NewResult(s, p, j, c)
	fmt.Println(strings.Join(r.Words(), "\n      "))
	if o.keeps {
		if err := o.keep(s, p); err != nil {
			return err
		}
	}
	if o.courses != "" && len(c.Vitals) > 0 {
		if err := foreign.KeepCourse(o.courses, s.Name, c.Vitals); err != nil {
			return err
		}
	}
	if o.results == "" {
		return nil
	}
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(o.results, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}
