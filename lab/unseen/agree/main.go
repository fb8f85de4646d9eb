// Command agree runs services of lab/unseen/waits.txtar on this machine, beside two busy loops, watches and captures them,
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
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/gocasebook/casebook/internal/archive"
	"github.com/gocasebook/casebook/lab/field/live"
)

// services are rows of package live, those of lab/unseen/waits.txtar that were stored.
var services = []string{"pages", "ring", "inbox", "rates", "devices"}

// Times of a run: the watch sees an idle service first, and ends with its first case; the capture follows.
const (
	idle    = 45 * time.Second
	watched = 150 * time.Second
	loaded  = 150 * time.Second
)

const busy = 2 // loops, as neighbours

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
	var loops sync.WaitGroup
	defer loops.Wait()
	defer cancel() // ends all that runs
	dir, err := os.MkdirTemp("", "agree")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if casebook == "" {
		casebook = filepath.Join(dir, "casebook")
		cmd := exec.CommandContext(ctx, "go", "build", "-o", casebook, "./cmd/casebook")
		cmd.Dir = "../app"
		if text, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("build casebook: %w\n%s", err, text)
		}
	}
	builder := &live.Builder{Unseen: "unseen", Dir: filepath.Join(dir, "bin")}
	rows := slices.DeleteFunc(live.Rows(), func(r live.Row) bool {
		return !slices.Contains(services, r.Name) || len(names) > 0 && !slices.Contains(names, r.Name)
	})
	for i := range rows {
		if err := builder.Build(ctx, &rows[i], false); err != nil {
			return err
		}
	}
	for range busy {
		loop := exec.CommandContext(ctx, "nice", "-n", "5", "sh", "-c", "while :; do :; done")
		loops.Go(func() { _ = loop.Run() }) // until it is killed
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	var errs []error
	agreed, asked := 0, 0
	for _, row := range rows {
		all.Go(func() {
			r := running{row, casebook, filepath.Join(dir, row.Name), builder}
			answers, err := r.run(ctx)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", row.Name, err))
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

// A running is a service that runs.
type running struct {
	live.Row
	casebook, dir string
	builder       *live.Builder
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

func (r *running) run(ctx context.Context) (out []compared, err error) {
	service, err := r.builder.Start(ctx, &r.Row, false)
	if err != nil {
		return nil, err
	}
	defer service.Stop()
	var driving sync.WaitGroup
	defer driving.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	url := "http://" + service.Addr
	watch := exec.CommandContext(ctx, r.casebook, "watch", "--dir", filepath.Join(r.dir, "watch"), "--once", "--for",
		watched.String(), url)
	if err := watch.Start(); err != nil {
		return nil, err
	}
	driving.Go(func() { _, _ = service.Drive(ctx, idle, idle+loaded) }) // what came of it is not asked
	_ = watch.Wait()                                                    // how it ended is in its folder
	text, err := exec.CommandContext(ctx, r.casebook, "capture", "--dir", filepath.Join(r.dir, "capture"),
		url).CombinedOutput()
	if err != nil && ctx.Err() != nil {
		return nil, fmt.Errorf("capture: %w\n%s", err, text)
	}
	for folder, name := range map[string]string{"capture": r.Name, "watch": r.Name + "-watch"} {
		c := compared{name: name}
		if c.stored, err = r.recorded(ctx, "unseen-waits/"+name); err != nil {
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

// recorded is what is said of a case in evidence/cases.
func (r *running) recorded(ctx context.Context, name string) (answer, error) {
	dir, err := archive.Temp(name)
	if err != nil {
		return answer{}, err
	}
	a, err := r.diagnose(ctx, filepath.Join(dir, name))
	return a, errors.Join(err, os.RemoveAll(dir))
}

func (r *running) diagnose(ctx context.Context, at string) (a answer, err error) {
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
