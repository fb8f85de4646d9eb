package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/prometheus"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/lab/faults/evidence"
	"github.com/gocasebook/casebook/vitals"
)

// profileFor is how long a case's CPU profile spans: with the second goroutine profile, a part of a period.
const profileFor = 5 * time.Second

// build compiles the service, whose module is outside of the workspace.
func build(ctx context.Context, dir string) (string, error) {
	bin := filepath.Join(dir, "rates")
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-o", bin, "./rates")
	cmd.Dir = "modules"
	cmd.Env = append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building modules/rates: %w\n%s", err, out)
	}
	return bin, nil
}

// form runs one form under load, and records its case.
func (o *options) form(ctx context.Context, bin, name string) error {
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	start := func(bin string, args ...string) error { return start(ctx, &running, bin, args...) }
	args := []string{"-port", strconv.Itoa(o.port), "-kind", name}
	if name == "memcached-slot" {
		if err := start("memcached", "-u", "nobody", "-l", "127.0.0.1", "-p", "11499"); err != nil {
			return err
		}
	}
	if err := start(bin, args...); err != nil {
		return err
	}
	folder, rule, err := o.watch(ctx, name, func() error { return start(bin, append(args, "-load")...) })
	if err != nil {
		return err
	}
	fmt.Printf("%s: rule %q\n", name, rule)
	for _, f := range folder.Case.Findings {
		fmt.Printf("  %3d %s: %s\n      %s\n", f.Score, f.Kind, f.Title, f.Summary)
	}
	if !o.keep {
		return nil
	}
	return keep(folder, "spikes/"+name, "lab/modules/rates -kind "+name+"; rule "+
		strconv.Quote(rule))
}

// start starts a process that ends with ctx.
func start(ctx context.Context, running *sync.WaitGroup, bin string, args ...string) error {
	cmd := exec.CommandContext(ctx, bin, args...)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return err
	}
	running.Go(func() { cmd.Wait() }) // it is killed: its exit code says nothing
	return nil
}

// watch watches the service until a case is closed, and gives it and the rule; "" when it was taken by hand.
func (o *options) watch(ctx context.Context, name string, load func() error) (*casefile.Folder, string, error) {
	w, events, err := o.watcher(ctx, name)
	if err != nil {
		return nil, "", err
	}
	if err := load(); err != nil {
		return nil, "", err
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	defer func() { cancel(); <-ended }()
	patience := time.After(o.patience)
	for {
		select {
		case <-patience:
			awaitPeriod()
			folder, err := w.Capture(ctx, "no rule tripped within "+o.patience.String())
			if errors.Is(err, casebook.ErrBusy) { // a rule tripped meanwhile
				patience = time.After(time.Minute)
				continue
			}
			return folder, "", err
		case e := <-events:
			switch e.Kind {
			case casebook.Closed:
				folder, err := casefile.Open(e.Path)
				if err != nil {
					return nil, "", err
				}
				return folder, folder.Case.Trigger.Rule, nil
			case casebook.Tripped:
				patience = time.After(time.Minute)
			}
		case <-ctx.Done():
			return nil, "", ctx.Err()
		}
	}
}

// awaitPeriod waits until something that comes with the service's period has begun.
func awaitPeriod() {
	const period, begun = 20 * time.Second, 700 * time.Millisecond
	time.Sleep(time.Until(time.Now().Truncate(period).Add(period + begun)))
}

// watcher waits for the service and makes its watch.
func (o *options) watcher(ctx context.Context, name string) (*casebook.Watch, <-chan casebook.Event, error) {
	url := fmt.Sprintf("http://127.0.0.1:%d", o.port)
	t, err := instance.NewHTTP(url)
	if err != nil {
		return nil, nil, err
	}
	page, err := prometheus.NewRequests(url+"/metrics", nil, false)
	if err != nil {
		return nil, nil, err
	}
	for range 300 {
		if _, err = t.Describe(ctx); err == nil {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	if err != nil {
		return nil, nil, err
	}
	dir, err := os.MkdirTemp("", "casebook-spikes-"+name+"-")
	if err != nil {
		return nil, nil, err
	}
	events := make(chan casebook.Event, 4096)
	w, err := casebook.New(casebook.Config{
		Target: t, Dir: dir, Retention: casefile.KeepAll(), Sources: []vitals.Source{page.Source()},
		ProfileFor: profileFor, Budget: casebook.Budget{CPU: -1, Bytes: -1, Pause: -1,
			Longest: -1}, Tool: "casebook lab",
		OnEvent: func(e casebook.Event) {
			if e.Kind != casebook.Sampled {
				events <- e
			}
		},
	})
	return w, events, err
}

// keep writes what the detectors need of a case into evidence/cases.
func keep(f *casefile.Folder, name, program string) error {
	m, err := evidence.FromCase(f)
	if err != nil {
		return err
	}
	m.Program = program
	m.Evidence = slices.DeleteFunc(m.Evidence, func(e evidence.File) bool {
		return !slices.Contains([]string{casefile.Vitals, casefile.Goroutine, casefile.CPU, casefile.Runtime}, e.Kind)
	})
	for i := range m.Evidence {
		if m.Evidence[i].Kind == casefile.Vitals {
			err = errors.Join(err, thin(&m.Evidence[i]))
		}
	}
	return errors.Join(err, m.Clean(), m.Keep(name))
}

// thin keeps the signals that tell of spikes, to four digits.
func thin(f *evidence.File) error {
	header, samples, err := vitals.ReadJSONL(bytes.NewReader(f.Data))
	if err != nil {
		return err
	}
	kept := []vitals.ID{vitals.CPU, vitals.CPUShare, vitals.CPUPressure, vitals.GCRate, vitals.AllocRate,
		vitals.Goroutines, vitals.ReadCalls, vitals.WriteCalls, vitals.ProbeTime, vitals.HTTPRate,
		vitals.HTTPLatencyP50, vitals.HTTPLatencyP99, vitals.HTTPErrors, vitals.GoMaxProcs, vitals.CPULimit}
	for i := range samples {
		s := vitals.NewSample(samples[i].Time)
		for _, id := range kept {
			if v, ok := samples[i].Get(id); ok {
				s.Set(id, digits(v))
			}
		}
		samples[i] = s
	}
	var b bytes.Buffer
	err = vitals.WriteJSONL(&b, samples, header.Catalog, header.Absent)
	f.Data = b.Bytes()
	return err
}

// digits keeps four of a number's.
func digits(v float64) float64 {
	v, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 4, 64), 64)
	if err != nil {
		return math.NaN()
	}
	return v
}
