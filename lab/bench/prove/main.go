// Command prove measures casebook prove itself: how often it names a change where there is none, and how often it finds
// planted slow-downs of 5, 10 and 30 % of CPU per request within three minutes.
//
// The problem: a hundred comparisons of up to three minutes are five hours. The approach: blocks are recorded once, of
// a server against itself and against each slow-down, and the sequential procedure of package prove is replayed over
// random draws of them, as often as one likes; beside it stand some real runs from end to end. The table says which is
// which.
//
// The limits: replays assume that blocks are independent of each other, and see only what the machine did while they
// were recorded. Blocks of the server against itself are drawn with the roles of their three servers permuted, which
// makes exactly true that nothing differs; 60 recorded blocks taken as they are would have a difference of their own.
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
	"syscall"
	"time"

	"github.com/gocasebook/casebook/app/prove"
)

// slowdowns are what is planted, in percent of CPU per request, and the share of runs in which each must be found.
var slowdowns = [...]struct {
	percent int
	least   float64
}{{5, 0.80}, {10, 0.95}, {30, 1}}

// bound is how long a comparison may take.
const bound = 3 * time.Minute

// A recording is the blocks of each slow-down, in percent; of 0 a server against itself.
type recording struct {
	Taken  time.Time             `json:"taken"`
	Blocks map[int][]prove.Block `json:"blocks"`
}

func main() {
	os.Exit(run())
}

func run() int {
	var o options
	flag.BoolVar(&o.quick, "quick", false, "few blocks and few real runs: 6 minutes")
	flag.IntVar(&o.null, "null", 60, "blocks of a server against itself to record")
	flag.IntVar(&o.slow, "slow", 40, "blocks of each slow-down to record")
	flag.IntVar(&o.runs, "runs", 2, "real runs of each kind")
	flag.IntVar(&o.replays, "replays", 1000, "replays of each kind")
	flag.StringVar(&o.data, "data", "", "file with blocks recorded before, in place of recording them")
	flag.StringVar(&o.out, "out", "", "file to keep the recorded blocks in")
	flag.Parse()
	o.smallest = o.slow
	if o.quick {
		// Few blocks have a mean of their own: with 10 of the smallest slow-down replays found 2.6 % to find, and not
		// 5.
		o.null, o.smallest, o.slow, o.runs = 14, 24, 7, 0
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := o.bench(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "bench-prove:", err)
		return 1
	}
	return 0
}

// options say how much is measured.
type options struct {
	quick          bool
	null           int // blocks of a server against itself
	smallest, slow int // of the smallest slow-down, and of the others
	runs, replays  int
	data, out      string
}

func (o *options) bench(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "bench-prove-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) // a binary of ours
	server := filepath.Join(dir, "server")
	build := exec.CommandContext(ctx, "go", "build", "-o", server, "github.com/gocasebook/casebook/app/prove/server")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("building the server: %w\n%s", err, out)
	}
	rec, err := o.recording(ctx, server)
	if err != nil {
		return err
	}
	fmt.Println(describe(rec))
	fmt.Println(replayTable(rec, o.replays))
	return realRuns(ctx, server, o.runs)
}

// recording reads blocks, or records and keeps them.
func (o *options) recording(ctx context.Context, server string) (*recording, error) {
	if o.data != "" {
		data, err := os.ReadFile(o.data)
		if err != nil {
			return nil, err
		}
		rec := &recording{}
		if err := json.Unmarshal(data, rec); err != nil {
			return nil, fmt.Errorf("reading %s: %w", o.data, err)
		}
		for _, kind := range kinds() {
			if len(rec.Blocks[kind]) == 0 {
				return nil, fmt.Errorf("%s has no blocks of %d %%", o.data, kind)
			}
		}
		return rec, nil
	}
	rec := &recording{Taken: time.Now().UTC(), Blocks: make(map[int][]prove.Block)}
	for _, kind := range kinds() {
		n := o.slow
		switch kind {
		case 0:
			n = o.null
		case slowdowns[0].percent:
			n = o.smallest
		}
		result, err := measure(ctx, server, kind, n, uint64(1+kind))
		if err != nil {
			return nil, err
		}
		rec.Blocks[kind] = result.Blocks
	}
	if o.out == "" {
		return rec, nil
	}
	data, err := json.Marshal(rec)
	return rec, errors.Join(err, os.WriteFile(o.out, data, 0o644))
}

// kinds are 0 and the slow-downs.
func kinds() []int {
	list := []int{0}
	for _, s := range slowdowns {
		list = append(list, s.percent)
	}
	return list
}
