// Command agree runs services of lab/unseen/waits on this machine, beside two busy loops, watches and captures them,
// and says whether the answers are those of the stored cases:
//
//	go run ./unseen/agree [-casebook PROGRAM] [SERVICE …]
//
// It takes three minutes for all. A stored case was recorded once; what the same fault looks like on another day, on a
// machine with other work, is what users have.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// A service is a program of lab/unseen/waits, and its load.
type service struct {
	name string
	peer bool       // it has one, the same program with -back
	load [][]string // arguments of casebook load, the path last
}

var services = []service{
	{"pages", true, [][]string{{"--rate", "40", "/page/{{rand 1 5}}"}}},
	{"ring", false, [][]string{{"--rate", "60", "--max-in-flight", "1500", "/owners?key=k{{rand 1 100000}}"}}},
	{"inbox", true, [][]string{{"--rate", "6", "/next?user=u{{rand 0 500}}"},
		{"--rate", "40", "/profile?user=u{{rand 0 499}}"},
		{"--rate", "2", "/send?user=u{{rand 0 500}}&text=hello"}}},
	{"rates", true, [][]string{{"--rate", "20", "/convert?amount=5&to=c{{rand 1 4}}"}}},
	{"devices", true, [][]string{{"--rate", "30", "/set?id=d{{rand 1 300}}&to=on"}}},
}

// Times of a run: the watch sees an idle service first, and ends with its first case; the capture follows.
const (
	idle    = 45 * time.Second
	watched = 150 * time.Second
	loaded  = 150 * time.Second
)

const loops = 2 // busy ones, as neighbours

func main() {
	casebook := flag.String("casebook", "", "the program; built from this repository without")
	flag.Parse()
	if err := run(*casebook, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(casebook string, names []string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	var started processes
	defer started.Wait()
	defer cancel() // ends all that runs
	dir, err := os.MkdirTemp("", "agree")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if casebook == "" {
		casebook = filepath.Join(dir, "casebook")
		if err := build(ctx, "../app", "./cmd/casebook", casebook, ""); err != nil {
			return err
		}
	}
	for range loops {
		if err := started.start(ctx, "nice", "-n", "5", "sh", "-c", "while :; do :; done"); err != nil {
			return err
		}
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	var errs []error
	agreed, asked := 0, 0
	for _, s := range services {
		if len(names) > 0 && !slices.Contains(names, s.name) {
			continue
		}
		all.Go(func() {
			r := live{service: s, casebook: casebook, dir: filepath.Join(dir, s.name)}
			answers, err := r.run(ctx)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", s.name, err))
			}
			for _, a := range answers {
				asked++
				word := "differs"
				if a.live == a.stored {
					agreed++
					word = "agrees "
				}
				fmt.Printf("%s %-14s stored %s; live %s\n", word, a.name, a.stored, a.live)
			}
		})
	}
	all.Wait()
	fmt.Printf("%d of %d answers agree\n", agreed, asked)
	return errors.Join(errs...)
}

// processes are those that were started, each of which ends with its context.
type processes struct{ sync.WaitGroup }

func (p *processes) start(ctx context.Context, program string, args ...string) error {
	cmd := exec.CommandContext(ctx, program, args...)
	if err := cmd.Start(); err != nil {
		return err
	}
	p.Go(func() { _ = cmd.Wait() })
	return nil
}

// build builds a package of a module, with the repository's workspace ("") or without ("off").
func build(ctx context.Context, module, pkg, out, work string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-o", out, pkg)
	cmd.Dir, cmd.Env = module, append(os.Environ(), "GOWORK="+work)
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", pkg, err, text)
	}
	return nil
}

// A live is a service that runs.
type live struct {
	service
	casebook, dir string
	url           string
}

// An answer is a verdict's kind and the first finding: its kind and its place, by function.
type answer struct{ verdict, kind, function string }

func (a answer) String() string {
	if a.kind == "" {
		return a.verdict + ", nothing found"
	}
	return a.verdict + ", " + a.kind + " at " + a.function
}

type compared struct {
	name         string
	stored, live answer
}

func (r *live) run(ctx context.Context) (out []compared, err error) {
	ctx, cancel := context.WithCancel(ctx)
	var started processes
	defer started.Wait()
	defer cancel()
	if err := os.Mkdir(r.dir, 0o700); err != nil {
		return nil, err
	}
	program, address, peer := filepath.Join(r.dir, "service"), free(), free()
	if err := build(ctx, "unseen/waits", "./"+r.name, program, "off"); err != nil {
		return nil, err
	}
	if r.peer {
		if err := started.start(ctx, program, "-back", "-peer", peer); err != nil {
			return nil, err
		}
		answers(ctx, peer)
	}
	if err := started.start(ctx, program, "-addr", address, "-peer", peer); err != nil {
		return nil, err
	}
	answers(ctx, address)
	r.url = "http://" + address
	watch := exec.CommandContext(ctx, r.casebook, "watch", "--dir", filepath.Join(r.dir, "watch"), "--once", "--for",
		watched.String(), r.url)
	if err := watch.Start(); err != nil {
		return nil, err
	}
	select {
	case <-ctx.Done():
	case <-time.After(idle):
	}
	for _, args := range r.load {
		last := len(args) - 1
		args := slices.Concat([]string{"load", "--silent", "--timeout", "60s", "-t", loaded.String()}, args[:last],
			[]string{r.url + args[last]})
		if err := started.start(ctx, r.casebook, args...); err != nil {
			return nil, err
		}
	}
	_ = watch.Wait() // how it ended is in its folder
	text, err := exec.CommandContext(ctx, r.casebook, "capture", "--dir", filepath.Join(r.dir, "capture"),
		r.url).CombinedOutput()
	if err != nil && ctx.Err() != nil {
		return nil, fmt.Errorf("capture: %w\n%s", err, text)
	}
	for folder, name := range map[string]string{"capture": r.name, "watch": r.name + "-watch"} {
		c := compared{name: name}
		if c.stored, err = r.diagnose(ctx, "../evidence/cases/unseen-waits/"+name+".tar.gz"); err != nil {
			return out, err
		}
		c.live.verdict = "no case"
		if cases, _ := filepath.Glob(filepath.Join(r.dir, folder, "[0-9]*")); len(cases) > 0 {
			if c.live, err = r.diagnose(ctx, cases[0]); err != nil {
				return out, err
			}
		}
		out = append(out, c)
	}
	return out, nil
}

func (r *live) diagnose(ctx context.Context, at string) (a answer, err error) {
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, r.casebook, "diagnose", "--json", at)
	cmd.Stdout = &said
	_ = cmd.Run() // its code says how bad it is
	var d struct {
		Verdict  struct{ Answer string }
		Findings []struct {
			Kind  string
			Where []struct{ Function string }
		}
	}
	if err := json.Unmarshal(said.Bytes(), &d); err != nil {
		return a, fmt.Errorf("diagnose %s: %w", at, err)
	}
	a.verdict = d.Verdict.Answer
	if len(d.Findings) > 0 {
		a.kind = d.Findings[0].Kind
		if len(d.Findings[0].Where) > 0 {
			a.function = d.Findings[0].Where[0].Function
		}
	}
	return a, nil
}

// free is an address of this machine that nobody listens at.
func free() string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "127.0.0.1:7600"
	}
	defer l.Close()
	return l.Addr().String()
}

// answers waits until somebody listens at an address.
func answers(ctx context.Context, address string) {
	for ctx.Err() == nil {
		if c, err := net.DialTimeout("tcp", address, time.Second); err == nil {
			c.Close()
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
}
