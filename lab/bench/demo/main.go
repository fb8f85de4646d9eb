// Command demo runs the demo again and again, every second time beside a busy loop of its own, and prints what each run
// said: the verdict, the findings, how long it took.
//
// The problem: a demo that convinces nine times in ten convinces nobody who sees the tenth. The approach is to look.
// The limits: the busy loop takes one CPU as far as the scheduler gives it one; what else the machine does is not known
// here.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/casefile"
)

func main() {
	lab := flag.String("lab", "bin/lab", "the lab's `binary`, whose demo is run")
	n := flag.Int("n", 10, "runs")
	keep := flag.String("keep", "",
		"`folder` to keep the cases and what was printed in; empty: a temporary one, removed at the end")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := bench(ctx, *lab, *n, *keep); err != nil {
		fmt.Fprintln(os.Stderr, "bench-demo:", err)
		stop()
		os.Exit(1)
	}
}

// bench runs the demo n times. It fails when a run does not end in "better".
func bench(ctx context.Context, lab string, n int, dir string) error {
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "bench-demo-*"); err != nil {
			return err
		}
		defer os.RemoveAll(dir) // cases of ours
	}
	fmt.Printf("%-4s %-10s %-7s %-12s %-28s %s\n", "run", "machine", "took", "verdict", "cpu_per_request", "findings")
	better := 0
	for i := range n {
		busy := i%2 == 1
		r, err := once(ctx, lab, filepath.Join(dir, fmt.Sprint(i+1)), busy)
		if err != nil {
			return fmt.Errorf("run %d: %w", i+1, err)
		}
		machine := "as it is"
		if busy {
			machine = "busy loop"
		}
		if r.proof.Verdict == casefile.Better {
			better++
		}
		fmt.Printf("%-4d %-10s %-7s %-12s %-28s %s\n", i+1, machine, r.took.Round(time.Second), r.proof.Verdict,
			change(r.proof), strings.Join(r.findings, ", "))
	}
	fmt.Printf("%d of %d runs ended in \"better\"\n", better, n)
	if better < n {
		return errors.New("not every run did")
	}
	return nil
}

// A result is what a run left in its case.
type result struct {
	took     time.Duration
	proof    casefile.Proof
	findings []string // with their scores, the first first
}

// once runs the demo, and keeps its cases and what it printed in dir.
func once(ctx context.Context, lab, dir string, busy bool) (result, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return result{}, err
	}
	if busy {
		defer spin()()
	}
	began := time.Now()
	out, err := exec.CommandContext(ctx, lab, "demo", "--dir", filepath.Join(dir, "cases")).CombinedOutput()
	r := result{took: time.Since(began)}
	if werr := os.WriteFile(filepath.Join(dir, "demo.txt"), out, 0o644); werr != nil {
		return r, werr
	}
	if err != nil {
		return r, fmt.Errorf("lab demo: %w; the last it printed:\n%s", err, out[max(0, len(out)-2000):])
	}
	return r, r.read(filepath.Join(dir, "cases"))
}

// read takes the proof and the findings from the only case in a folder.
func (r *result) read(dir string) error {
	found, err := filepath.Glob(filepath.Join(dir, "*", "case.json"))
	if err != nil || len(found) != 1 {
		return fmt.Errorf("%d cases in %s, want one: %w", len(found), dir, err)
	}
	data, err := os.ReadFile(found[0])
	if err != nil {
		return err
	}
	var c casefile.Case
	if err := json.Unmarshal(data, &c); err != nil {
		return fmt.Errorf("reading %s: %w", found[0], err)
	}
	if c.Proof == nil {
		return fmt.Errorf("%s has no proof", found[0])
	}
	r.proof = *c.Proof
	for _, f := range c.Findings {
		r.findings = append(r.findings, fmt.Sprintf("%s %d", f.Kind, f.Score))
	}
	return nil
}

// change is the key figure's, with the level at which it was found.
func change(p casefile.Proof) string {
	for _, f := range p.Figures {
		if f.Key {
			return fmt.Sprintf("%s %s, p = %.2g", f.Verdict, prove.ChangeText(f), f.P)
		}
	}
	return "no key figure"
}

// spin keeps a CPU busy until the function that it returns is called.
func spin() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var spinning sync.WaitGroup
	spinning.Go(func() {
		for ctx.Err() == nil {
		}
	})
	return func() { cancel(); spinning.Wait() }
}
