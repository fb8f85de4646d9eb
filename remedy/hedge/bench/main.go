// Command bench measures package hedge beside failsafe-go and cristalhq/hedgedhttp, in one run, against real local HTTP
// servers.
//
// Two backends: one where one call in a hundred is slow, and one that stalls for everybody now and then. The load is an
// open model, with a fixed number of calls a second whatever comes back, and latency counts from the moment a call was
// due. The variants take turns, forwards and backwards (ABBA), so that a machine that is busy with something else is
// busy for all. Extra load is counted below each library, where requests are sent: in total, and in the worst second
// that ends with a hedge. Then a closed loop over a backend that answers at once compares the throughput of a plain
// http.Transport with one that would hedge but never has to. At the end it looks for goroutines left behind.
//
// Limits: client and servers share the machine's cores. Compare the lines of one run; the figures of two runs differ.
//
//	cd remedy/hedge/bench && GOWORK=off go run .
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
		fmt.Fprintln(os.Stderr, "hedge bench:", err)
		os.Exit(1)
	}
}

// A plan is how long everything takes.
type plan struct {
	rate   int           // calls a second
	turn   time.Duration // of one variant
	blocks int           // of two turns of each variant
	slices int           // of throughput: four turns each
	slice  time.Duration // of one of those turns
}

func run(ctx context.Context, args []string, out io.Writer) error {
	var p plan
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.IntVar(&p.rate, "rate", 400, "calls a second of the latency part")
	flags.DurationVar(&p.turn, "turn", 2*time.Second, "length of a variant's turn")
	flags.IntVar(&p.blocks, "blocks", 3, "blocks of two turns of each variant (ABBA)")
	flags.IntVar(&p.slices, "slices", 40, "ABBA slices of the throughput part; 0 leaves it out")
	flags.DurationVar(&p.slice, "slice", 60*time.Millisecond, "length of one turn in a slice")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if p.rate < 1 || p.turn <= 0 || p.blocks < 0 || p.slices < 0 || p.slice <= 0 {
		return fmt.Errorf("flags %v: rate, turn and slice must be above 0, blocks and slices not below", args)
	}
	before := stacks()
	for _, b := range backends {
		if p.blocks == 0 {
			break
		}
		if err := latencyPart(ctx, p, b, out); err != nil {
			return fmt.Errorf("backend %q: %w", b.name, err)
		}
	}
	if p.slices > 0 {
		if err := throughputPart(ctx, p, out); err != nil {
			return fmt.Errorf("throughput: %w", err)
		}
	}
	return leakPart(ctx, before, out)
}
