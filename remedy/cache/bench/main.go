// Command bench measures package cache and the caches that it replaces, in one run.
//
// Each cache is measured in a process of its own: how much memory it takes, what a full collection costs with it, Get
// and a mix of 90 Gets and 10 Sets at 1 to 8 goroutines, the latency of a small HTTP service around it, and the hit
// ratio on six traces. Speed is CPU per call, which a busy machine changes less than time. The closest rivals are
// measured in turns with ours, several times, and the medians count.
//
// Limits: the service and its callers share the machine's cores. Compare the lines of one run; figures of two runs
// differ.
//
//	cd remedy/cache/bench && GOWORK=off go run .
//	GOWORK=off go run . -part policies    # the choice of the eviction policy
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "cache bench:", err)
		os.Exit(1)
	}
}

// A plan is what is measured, and how much of it.
type plan struct {
	part    string
	only    string // parts of the names of the caches, separated by commas; empty: all
	child   string // the cache that this process measures; empty: it is the parent
	entries int
	ops     int // of each number of goroutines
	rounds  int // of what is compared closely: see repeated
	ttl     time.Duration
	rate    int // requests a second of the service part
	serve   time.Duration
}

var parts = []string{"memory", "speed", "service", "hits", "policies"}

func run(ctx context.Context, args []string, out io.Writer) error {
	var p plan
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.StringVar(&p.part, "part", "all", "what to measure: all (but policies), "+strings.Join(parts, ", "))
	flags.StringVar(&p.only, "only", "", "only caches with one of these in their names, separated by commas, and ours")
	flags.StringVar(&p.child, "child", "", "for the command's own use: the cache that this process measures")
	flags.IntVar(&p.entries, "entries", 5_000_000, "entries of 11 to 12 bytes, key and value each")
	flags.IntVar(&p.ops, "ops", 2_000_000, "calls of each kind at each number of goroutines")
	flags.IntVar(&p.rounds, "rounds", 5,
		"processes of ours and of what it is compared with closely, in the memory and speed parts")
	flags.DurationVar(&p.ttl, "ttl", 15*time.Minute, "lifetime of the entries")
	flags.IntVar(&p.rate, "rate", 1000, "requests a second of the service")
	flags.DurationVar(&p.serve, "serve", 20*time.Second, "how long the service is asked")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if p.part != "all" && !slices.Contains(parts, p.part) {
		return fmt.Errorf("-part %s is not known: want all, %s", p.part, strings.Join(parts, ", "))
	}
	if p.entries < 1000 || p.ops < 1000 || p.rounds < 1 || p.ttl < time.Second || p.rate < 1 || p.serve <= 0 {
		return fmt.Errorf("flags %v: entries and ops want 1000 at least, ttl a second, rounds, rate and serve more "+
			"than 0",
			args)
	}
	if p.child != "" {
		return child(ctx, p, out)
	}
	return parent(ctx, p, out)
}
