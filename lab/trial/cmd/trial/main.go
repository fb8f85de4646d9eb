// Command trial watches services that somebody else wrote, sick and healthy, with the default rules, and judges whether
// every illness is noticed in time and named with the right line and remedy, and whether nothing is said of the
// healthy.
//
//	go run ./trial/cmd/trial -casebook ../bin/casebook            # all, in lab/
//	go run ./trial/cmd/trial -run 'orders|quotes' -cases /tmp/cases
//	go run ./trial/cmd/trial -json > trial.jsonl
//
// The services are package trial's. Exit codes: 0 all is as it must be, 1 it is not, 2 wrong usage.
//
// The limits: all that runs at a time shares one machine, with the load and the watches; services that use a whole core
// count twice against -parallel.
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
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/gocasebook/casebook/lab/choose"
	"github.com/gocasebook/casebook/lab/trial"
)

func main() { os.Exit(run()) }

// options are the flags.
type options struct {
	casebook, cases, run, args string
	parallel                   int
	json                       bool
}

func parse() (o options) {
	flag.StringVar(&o.casebook, "casebook", "../bin/casebook", "the casebook command")
	flag.StringVar(&o.cases, "cases", "", "folder that keeps the cases; without it, they are removed at the end")
	flag.StringVar(&o.run, "run", "", "only services whose whole name matches this regular expression")
	flag.StringVar(&o.args, "watch", "", "more arguments for casebook watch; {debug} is the address of the debug port")
	flag.IntVar(&o.parallel, "parallel", 5, "how many sick services run at a time; those that use a core count twice")
	flag.BoolVar(&o.json, "json", false, "print a JSON object a service")
	flag.Parse()
	return o
}

func run() int {
	o := parse()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	judgements, err := o.play(ctx)
	if err != nil {
		fmt.Fprintln(os.Stderr, "trial:", err)
		return 2
	}
	failed := 0
	for _, j := range judgements {
		if !j.OK() {
			failed++
		}
	}
	if !o.json {
		printTable(os.Stdout, judgements)
	}
	if failed > 0 {
		return 1
	}
	return 0
}

// play plays the services that were asked for, the healthy first: they are not to suffer from sick neighbours.
func (o *options) play(ctx context.Context) ([]trial.Judgement, error) {
	services, err := o.services()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "trial-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	binary, err := filepath.Abs(o.casebook)
	if err != nil {
		return nil, err
	}
	p := trial.Player{Casebook: binary, Programs: filepath.Join(dir, "bin"), Cases: o.cases,
		Args: strings.Fields(o.args)}
	if p.Cases == "" {
		p.Cases = filepath.Join(dir, "cases")
	}
	if err := os.Mkdir(p.Programs, 0o700); err != nil {
		return nil, err
	}
	if err := trial.Build(ctx, p.Programs, services); err != nil {
		return nil, err
	}
	var all []trial.Judgement
	for _, healthy := range []bool{true, false} {
		some := slices.DeleteFunc(slices.Clone(services), func(s trial.Service) bool { return s.Healthy != healthy })
		room := o.parallel
		if healthy {
			room = max(room, len(some)) // none of them does much
		}
		judged, err := o.playSome(ctx, &p, some, room)
		if err != nil {
			return nil, err
		}
		all = append(all, judged...)
	}
	return all, nil
}

func (o *options) services() ([]trial.Service, error) {
	if o.parallel < 2 {
		return nil, errors.New("-parallel: want 2 or more")
	}
	services, err := trial.Services()
	if err != nil {
		return nil, err
	}
	return choose.Named(services, func(s trial.Service) string { return s.Name }, o.run)
}

// playSome plays services, as many at a time as there is room for, and returns the judgements in their order.
func (o *options) playSome(ctx context.Context, p *trial.Player, services []trial.Service, places int) (
	[]trial.Judgement, error) {
	room := semaphore.NewWeighted(int64(places))
	judged := make([]trial.Judgement, len(services))
	var printing sync.Mutex
	var group sync.WaitGroup
	defer group.Wait()
	for i, s := range services {
		weight := int64(1)
		if s.Busy {
			weight = 2
		}
		if err := room.Acquire(ctx, weight); err != nil {
			return nil, context.Cause(ctx)
		}
		group.Go(func() {
			defer room.Release(weight)
			course, err := p.Play(ctx, s)
			j := s.Judge(course)
			if err != nil {
				j.Err = err.Error()
			}
			judged[i] = j
			printing.Lock()
			defer printing.Unlock()
			o.progress(j, course)
		})
	}
	group.Wait()
	return judged, context.Cause(ctx)
}

// progress says what came of one service, as soon as it is known.
func (o *options) progress(j trial.Judgement, c trial.Course) {
	if !o.json {
		printRow(os.Stdout, j)
		return
	}
	_ = json.NewEncoder(os.Stdout).Encode(struct {
		trial.Judgement
		OK      bool                 `json:"ok"`
		Trips   []trial.Trip         `json:"trips"`
		Signals []map[string]float64 `json:"signals"`
		At      time.Time            `json:"time"`
	}{j, j.OK(), c.Trips, c.Signals, time.Now()})
}
