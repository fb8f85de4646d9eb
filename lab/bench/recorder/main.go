// Command recorder measures what the flight recorder costs a service of short requests that is saturated in turns. In
// lab:
//
//	go run ./bench/recorder              # 6 blocks, about 5 minutes
//	go run ./bench/recorder -turn 250ms  # shorter bursts
//
// The problem: a recorder that is governed by its mean cost is cheap on paper, and expensive while requests come. The
// approach: three processes of this program serve JSON, one without a recorder, one with Casebook's governed one, one
// with the runtime's flight recorder always on. A block is three fresh processes, idle for 12 s, so that the governed
// recorder is on when the load begins; then each is saturated for a turn, forth and back, and idles while the others
// are. What is measured is CPU a request (from /proc), against the process without a recorder in the same block.
//
// The limits: the load comes from the same machine, and the client is not measured. A ratio's 95 % interval is that of
// the blocks.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"time"
)

func main() {
	if len(os.Args) == 3 && os.Args[1] == childArg {
		os.Exit(child(os.Args[2]))
	}
	var b bench
	flag.IntVar(&b.blocks, "blocks", 6, "blocks of fresh processes")
	flag.IntVar(&b.turns, "turns", 16, "turns of load of each process in a block")
	flag.DurationVar(&b.turn, "turn", time.Second, "how long a process is loaded at a time")
	flag.DurationVar(&b.calm, "calm", 12*time.Second, "how long the processes idle before the load")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := b.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "recorder:", err)
		os.Exit(1)
	}
}

// modes are how a process is recorded. The first is what the others are held against.
var modes = [...]string{"off", "governed", "on"}

// A bench is one run.
type bench struct {
	blocks, turns int
	turn, calm    time.Duration
	results       []block
}

func (b *bench) run(ctx context.Context) error {
	fmt.Printf("%s, %d CPUs, %s; %d blocks of %d turns of %s for each process\n", runtime.Version(), runtime.NumCPU(),
		time.Now().Format(time.DateTime), b.blocks, b.turns, b.turn)
	for i := range b.blocks {
		r, err := b.block(ctx, i)
		if err != nil {
			return fmt.Errorf("block %d: %w", i+1, err)
		}
		b.results = append(b.results, r)
		fmt.Printf("block %d: %s\n", i+1, r)
	}
	b.table()
	return nil
}
