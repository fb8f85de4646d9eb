package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"time"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == childArg {
		os.Exit(child(os.Args[2:]))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "holmes bench:", err)
		os.Exit(1)
	}
}

// A config is how long everything takes.
type config struct {
	spikes  int             // of each length
	lengths []time.Duration // of spikes
	blocks  int             // of HTTP rounds: fresh processes each, and two rounds of each watcher
	round   time.Duration   // of HTTP load
	turn    time.Duration   // of one service within a round
	calm    time.Duration   // before it: the flight recorder starts when it was cheap for 10 s
	idle    time.Duration   // that the watcher's weight is taken over
	fresh   int             // processes of each watcher that are weighed
	log     io.Writer       // of progress
}

// A part is one table.
type part struct {
	name string
	run  func(ctx context.Context, c config, out io.Writer) error
}

var parts = [...]part{{"tick", tickPart}, {"http", httpPart}, {"memory", memoryPart}, {"spikes", spikesPart}}

func run(ctx context.Context, args []string, out io.Writer) error {
	c := config{log: os.Stderr, calm: 12 * time.Second}
	flags := flag.NewFlagSet("holmes", flag.ContinueOnError)
	flags.IntVar(&c.spikes, "spikes", 20, "spikes of each length")
	flags.Func("length", "length of a spike; repeat it for more (default 200ms 500ms 1s 2s 5s)", func(s string) error {
		d, err := time.ParseDuration(s)
		c.lengths = append(c.lengths, d)
		return err
	})
	flags.IntVar(&c.blocks, "blocks", 10, "blocks of HTTP rounds")
	flags.DurationVar(&c.round, "round", time.Second, "length of an HTTP round")
	flags.DurationVar(&c.turn, "turn", 250*time.Millisecond, "how long one service is loaded at a time")
	flags.DurationVar(&c.idle, "idle", 10*time.Second, "how long an idle service is weighed")
	flags.IntVar(&c.fresh, "fresh", 3, "processes of each watcher that are weighed")
	only := flags.String("only", "", "parts to run, such as tick,http,memory,spikes")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if c.spikes < 1 || c.blocks < 1 || c.fresh < 1 || c.round <= 0 || c.turn <= 0 || c.idle <= 0 {
		return errors.New("every number must be above 0")
	}
	if len(c.lengths) == 0 {
		c.lengths = []time.Duration{200 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second,
			5 * time.Second}
	}
	wanted := strings.Split(*only, ",")
	fmt.Fprintf(out, "casebook and mosn.io/holmes v1.0.2, %s, %s/%s, %d CPUs, %s\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), time.Now().Format(time.DateTime))
	for _, p := range parts {
		if *only != "" && !slices.Contains(wanted, p.name) {
			continue
		}
		if err := p.run(ctx, c, out); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return nil
}
