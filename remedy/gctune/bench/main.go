// Command bench measures package gctune beside what people use today: GOGC=100, GOGC=off with a constant GOMEMLIMIT, a
// ballast, bytedance's gctuner, automemlimit, and the best constant settings that a search finds.
//
// The service answers a fixed number of requests a second (an open model: latency counts from the moment a request was
// due), keeps a live heap and makes garbage. It runs in a child process, in a cgroup with a memory limit that the
// kernel enforces. Four loads: steady, bursts, a growing live heap, and a neighbour in the same cgroup. Each variant
// runs at the same time as package gctune, each in a cgroup of its own, and the ratio of their CPU seconds is taken:
// the work is the same. The search tries constants, keeps those that never exceed the target, and lets the best run
// again.
//
// Peak is the kernel's own highest usage of the cgroup, neighbour included; with v2 that needs Linux 5.19. Without the
// right to make a cgroup the service runs without one, nothing enforces the target, and the output says so. Linux only.
//
// Limits: two services share the machine's cores, which costs latency; compare the lines of one run.
//
//	cd remedy/gctune/bench && GOWORK=off go run .
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "gctune bench:", err)
		os.Exit(1)
	}
}

// A plan is how long everything takes.
type plan struct {
	warmUp, measure time.Duration
	grid            []setting // of the search
	refine          bool      // look between the grid's highest GOMEMLIMIT that holds and the lowest that does not
	finalists       int       // of the search, that run again
	rounds          int       // of each finalist
	peers           []variant
}

// A setting is a fixed GOGC with a fixed GOMEMLIMIT, as a share of the target; 0: none.
type setting struct {
	gogc  int
	share float64
}

var (
	full = plan{
		warmUp: 1500 * time.Millisecond, measure: 5 * time.Second, refine: true, finalists: 2, rounds: 4,
		grid: []setting{{off, 0.8}, {off, 0.9}, {off, 1.03}, {off, 1.06}, {300, 1.03}},
	}
	quick = plan{
		warmUp: time.Second, measure: 1750 * time.Millisecond, finalists: 1, rounds: 1,
		grid: []setting{{off, 0.95}, {off, 1.03}},
	}
)

// args hands a plan's times to a child.
func (p plan) args(more ...string) []string {
	return append([]string{"-warmup", p.warmUp.String(), "-measure", p.measure.String()}, more...)
}

// roles are what this program does in a child process.
type roles struct {
	enter, service, variant string
	neighbour               bool
}

func run(ctx context.Context, args []string, out io.Writer) error {
	var r roles
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	short := flags.Bool("quick", false, "two minutes instead of ten; the CPU ratios are then rough")
	searchOnly := flags.Bool("search", false, "leave out what people do today")
	pair := flags.String("pair", "",
		"only two variants, beside each other: A/B, where fixed:-1,180 is GOGC=off with GOMEMLIMIT=180MiB")
	rounds := flags.Int("rounds", 10, "of -pair")
	only := flags.String("load", "", "one load only: steady, burst, growing or neighbour")
	warmUp := flags.Duration("warmup", 0, "of each run, not measured")
	measure := flags.Duration("measure", 0, "of each run")
	flags.StringVar(&r.enter, "enter", "", "for child processes: the cgroup to enter first")
	flags.StringVar(&r.service, "child", "", "for child processes: the load to serve")
	flags.StringVar(&r.variant, "variant", "", "for child processes: the variant")
	flags.BoolVar(&r.neighbour, "neighbour", false, "for child processes: be the neighbour")
	if err := flags.Parse(args); err != nil {
		return err
	}
	p := full
	if *short {
		p = quick
	}
	if p.peers = variants; *searchOnly {
		p.peers = variants[:1]
	}
	if *warmUp > 0 && *measure > 0 {
		p.warmUp, p.measure = *warmUp, *measure
	}
	switch {
	case r.enter != "":
		return enterAndRun(r.enter, args[2:])
	case r.neighbour:
		neighbour(p)
		return nil
	case r.service != "":
		return serveRole(p, r.service, r.variant)
	}
	measured := runLoad
	if *pair != "" {
		a, b, err := pairNamed(*pair)
		if err != nil {
			return err
		}
		p.rounds = *rounds
		measured = func(ctx context.Context, p plan, l load,
			out io.Writer) error {
			return runPair(ctx, p, l, a, b, out)
		}
	}
	return runAll(ctx, p, *only, out, measured)
}

func runAll(ctx context.Context, p plan, only string, out io.Writer,
	measured func(context.Context, plan, load, io.Writer) error) error {
	if g, err := newGroup(0); err != nil {
		fmt.Fprintf(out,
			"%v: the services run without one, nothing is killed, and package gctune follows whatever limit there is\n",
			err)
	} else {
		g.remove()
	}
	known := false
	for _, l := range loadsOf(p.measure) {
		if only != "" && l.name != only {
			continue
		}
		known = true
		if err := measured(ctx, p, l, out); err != nil {
			return fmt.Errorf("load %s: %w", l.name, err)
		}
	}
	if !known {
		return fmt.Errorf("there is no load %q: it is steady, burst, growing or neighbour", only)
	}
	return nil
}
