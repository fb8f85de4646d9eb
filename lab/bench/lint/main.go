// Command lint says how long `casebook lint` takes on releases from the module proxy, how much memory, and how many of
// the lines that it ranks first an expert would change or look at. In lab:
//
//	go run ./bench/lint -casebook ../bin/casebook coredns    # measures: cold, then warm, and escape
//	go run ./bench/lint -warm coredns                        # what is cached already, which the first run fills
//	go run ./bench/lint -start ../bin/old                    # how long two builds of casebook take to start
//	go run ./bench/lint -record miniflux                     # builds it, loads it and keeps its profiles (package heavy)
//	go run ./bench/lint -list miniflux                       # prints the ten lines that are ranked first
//	go run ./bench/lint -judged                              # what was judged of them (judged.json)
//
// The sources are copied into -dir, the profiles are the recorded ones of evidence/cases: foreign, or lint, those under
// heavy load, of the services of the last round. Cold is with a build cache of its own, which is empty. Memory is the
// largest sum of all processes that ran at once, asked for ten times a second, and the largest process.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/gocasebook/casebook/internal/archive"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/lab/bench/lint/heavy"
	"github.com/gocasebook/casebook/lab/foreign"
)

// profiles are the recorded ones of each program in lab/foreign/services.json.
var profiles = map[string]string{
	"coredns": "coredns-healthy", "nats": "nats-healthy", "caddy": "caddy-list", "registry": "registry-catalogue",
	"victoria": "victoria-healthy", "etcd": "etcd-healthy", "prometheus": "prometheus-healthy",
}

type options struct {
	dir, casebook string
	start         string
	list, judged  bool
	record, warm  bool
	profile       time.Duration
}

func main() {
	var o options
	flag.StringVar(&o.dir, "dir", filepath.Join(os.TempDir(), "casebook-bench-lint"), "`folder` of the sources")
	flag.StringVar(&o.casebook, "casebook", "../bin/casebook", "the `program` to measure")
	flag.BoolVar(&o.list, "list", false, "print the ten lines that are ranked first, and measure nothing")
	flag.BoolVar(&o.record, "record", false, "record services of package heavy under load, and measure nothing")
	flag.DurationVar(&o.profile, "profile", 90*time.Second, "with -record: how `long` the CPU is profiled")
	flag.BoolVar(&o.warm, "warm", false, "measure with Go's own build cache, without the cold run")
	flag.StringVar(&o.start, "start", "", "measure how long casebook version takes, beside this older `program`")
	flag.BoolVar(&o.judged, "judged", false, "print what was judged, and run nothing")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	do := o.run
	if o.start != "" {
		do = func(ctx context.Context, _ []string) error { return o.starts(ctx) }
	}
	if o.judged {
		do = func(context.Context, []string) error { return printJudged(os.Stdout) }
	}
	if err := do(ctx, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func (o *options) run(ctx context.Context, names []string) error {
	all, err := foreign.Read()
	if err != nil {
		return err
	}
	if o.casebook, err = filepath.Abs(o.casebook); err != nil {
		return err
	}
	if len(names) == 0 {
		names = []string{"coredns"}
	}
	if !o.list && !o.record {
		fmt.Println("| program | run | wall | CPU | processes at once | largest process |")
		fmt.Println("|---|---|---:|---:|---:|---:|")
	}
	for _, name := range names {
		if s := heavyService(name); s != nil {
			if err := o.heavy(ctx, *s); err != nil {
				return err
			}
			continue
		}
		p, ok := all.Programs[name]
		if !ok || profiles[name] == "" {
			return fmt.Errorf("there are no recorded profiles of %s", name)
		}
		src, err := o.source(ctx, name, p)
		if err != nil {
			return err
		}
		if err := o.one(ctx, name, src); err != nil {
			return err
		}
	}
	return nil
}

func (o *options) one(ctx context.Context, name, src string) error {
	recorded, remove, err := recorded("foreign/" + profiles[name])
	if err != nil {
		return err
	}
	defer remove()
	lint := []string{"lint", "--profile", recorded, "./..."}
	if o.list {
		return o.top(ctx, name, src, lint...)
	}
	escape := []string{"escape", "--profile", recorded, "./..."}
	runs := []run{{"lint, warm", lint}, {"lint, warm again", lint}, {"escape, warm", escape}}
	var env []string
	if !o.warm {
		cache, err := os.MkdirTemp("", "casebook-bench-lint-cache-*")
		if err != nil {
			return err
		}
		defer os.RemoveAll(cache)
		env = []string{"GOCACHE=" + cache}
		runs = slices.Concat([]run{{"lint, cold", lint}}, runs[:2], []run{{"escape, first", escape}}, runs[2:])
	}
	for _, r := range runs {
		_, used, err := o.execute(ctx, src, env, r.args...)
		if err != nil {
			return fmt.Errorf("%s of %s: %w", r.name, name, err)
		}
		fmt.Printf("| %s | %s | %s | %s | %s | %s |\n", name, r.name, number.Seconds(used.wall), number.Seconds(used.cpu),
			number.Bytes(used.sum), number.Bytes(used.largest))
	}
	return nil
}

// top prints what lint ranks first.
func (o *options) top(ctx context.Context, name, src string, lint ...string) error {
	out, _, err := o.execute(ctx, src, nil, append(lint, "--json")...)
	if err != nil {
		return err
	}
	return printTop(name, src, out)
}

// heavyService finds a service of package heavy; nil where it has none of that name.
func heavyService(name string) *heavy.Service {
	for _, s := range heavy.All() {
		if s.Name == name {
			return &s
		}
	}
	return nil
}

// heavy records a service, or prints what lint ranks first in the packages of its module that the program is built of.
func (o *options) heavy(ctx context.Context, s heavy.Service) error {
	src, err := o.source(ctx, s.Name, foreign.Program{Module: s.Module, Version: s.Version})
	if err != nil {
		return err
	}
	if o.record {
		r := heavy.Recorder{Sources: o.dir, Casebook: o.casebook, Warm: heavyWarm, Profile: o.profile, Out: os.Stdout}
		return r.Record(ctx, s)
	}
	recorded, remove, err := recorded("lint/" + s.Name)
	if err != nil {
		return fmt.Errorf("its profiles are not kept, or not yet; -record %s makes them: %w", s.Name, err)
	}
	defer remove()
	if err := s.Complete(src); err != nil { // a main may be among it
		return err
	}
	packages, err := heavy.Packages(ctx, src, "./"+s.Main, s.Module)
	if err != nil {
		return err
	}
	return o.top(ctx, s.Name, src, append([]string{"lint", "--profile", recorded}, packages...)...)
}

const heavyWarm = 15 * time.Second

// recorded is a folder with a recorded case, and what removes it.
func recorded(name string) (dir string, remove func(), err error) {
	dir, err = archive.Temp(name)
	return filepath.Join(dir, filepath.FromSlash(name)), func() { os.RemoveAll(dir) }, err
}

// A run is a command that is measured.
type run struct {
	name string
	args []string
}

// startRuns is how often each program starts: enough for a median that differs by less than the machine's noise.
const startRuns = 60

// starts says how much CPU two builds take for `casebook version`, which does what every command does first. They take
// turns.
func (o *options) starts(ctx context.Context) error {
	programs := [2]string{o.start, o.casebook}
	var cpu, memory [2][]float64
	for range startRuns {
		for i, p := range programs {
			cmd := exec.CommandContext(ctx, p, "version")
			if err := cmd.Run(); err != nil {
				return fmt.Errorf("%s version: %w", p, err)
			}
			r, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
			if !ok {
				return errors.New("this system does not say what a process took")
			}
			cpu[i] = append(cpu[i], float64(r.Utime.Nano()+r.Stime.Nano())/1e9)
			memory[i] = append(memory[i], float64(r.Maxrss)*1024)
		}
	}
	for i, p := range programs {
		slices.Sort(cpu[i])
		slices.Sort(memory[i])
		fmt.Printf("%s: %s of CPU, %s resident (medians of %d starts)\n", p, number.Seconds(cpu[i][startRuns/2]),
			number.Bytes(memory[i][startRuns/2]), startRuns)
	}
	return nil
}

// source copies a release out of the module cache, which is read-only, and returns the copy.
func (o *options) source(ctx context.Context, name string, p foreign.Program) (string, error) {
	to := filepath.Join(o.dir, name)
	if _, err := os.Stat(filepath.Join(to, "go.mod")); err == nil {
		return to, nil // of an earlier run
	}
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", p.Module+"@"+p.Version)
	cmd.Env = append(os.Environ(), "GOWORK=off")
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("getting %s: %w", p.Module, err)
	}
	var got struct{ Dir string }
	if err := json.Unmarshal(out, &got); err != nil {
		return "", err
	}
	if err := os.MkdirAll(o.dir, 0o755); err != nil {
		return "", err
	}
	if err := os.CopyFS(to, os.DirFS(got.Dir)); err != nil {
		return "", err
	}
	return to, dropReplacements(ctx, to)
}

// dropReplacements takes out what go.mod replaces by folders of the author's checkout, which no release has.
func dropReplacements(ctx context.Context, dir string) error {
	file := filepath.Join(dir, "go.mod")
	if err := os.Chmod(file, 0o644); err != nil {
		return err
	}
	out, err := exec.CommandContext(ctx, "go", "mod", "edit", "-json", file).Output()
	if err != nil {
		return err
	}
	var mod struct {
		Replace []struct{ Old, New struct{ Path string } }
	}
	if err := json.Unmarshal(out, &mod); err != nil {
		return err
	}
	for _, r := range mod.Replace {
		if strings.HasPrefix(r.New.Path, ".") {
			if err := exec.CommandContext(ctx, "go", "mod", "edit", "-dropreplace="+r.Old.Path, file).Run(); err != nil {
				return err
			}
		}
	}
	return nil
}

// A usage is what a run took.
type usage struct{ wall, cpu, sum, largest float64 }

// execute runs casebook. Exit code 1 means that it reports something.
func (o *options) execute(ctx context.Context, dir string, env []string, args ...string) ([]byte, usage, error) {
	cmd := exec.CommandContext(ctx, o.casebook, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), append(env, "GOWORK=off", "GOFLAGS=-mod=mod -buildvcs=false")...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, usage{}, err
	}
	done := make(chan float64)
	stop := make(chan struct{})
	go func() { done <- peak(cmd.Process.Pid, stop) }()
	err := cmd.Wait()
	close(stop)
	u := usage{wall: time.Since(began).Seconds(), sum: <-done}
	if r, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		u.cpu = float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
		u.largest = float64(r.Maxrss) * 1024 // kB on Linux; with those that it waited for
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		err = nil
	}
	if err != nil {
		err = fmt.Errorf("%w: %s", err, errs.Bytes())
	}
	return out.Bytes(), u, err
}

// peak is the largest resident memory of a group of processes until stop.
func peak(group int, stop <-chan struct{}) (most float64) {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		most = max(most, resident(group))
		select {
		case <-tick.C:
		case <-stop:
			return most
		}
	}
}

func resident(group int) (sum float64) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is right
	for _, file := range stats {
		data, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		_, rest, _ := bytes.Cut(data[bytes.LastIndexByte(data, ')')+1:], []byte(" "))
		f := strings.Fields(string(rest)) // from the state on: proc_pid_stat(5)
		var pgrp int
		var pages float64
		if len(f) < 22 {
			continue
		}
		if _, err := fmt.Sscan(f[2]+" "+f[21], &pgrp, &pages); err == nil && pgrp == group {
			sum += pages * float64(os.Getpagesize())
		}
	}
	return sum
}
