package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/gocasebook/casebook/app/child"
	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/app/prove/trial"
	"github.com/gocasebook/casebook/casefile"
)

// rate is a third of a core for a request of 0.65 ms.
const rate = 500

// measure compares the server with itself, B being slower by percent: as many blocks as asked for, or, for 0, as many
// as casebook prove would take.
func measure(ctx context.Context, server string, percent, blocks int, seed uint64) (trial.Result, error) {
	spec := func(name string, slower int) child.Spec {
		return child.Spec{Name: name, Args: []string{server, "-addr", "127.0.0.1:" + child.PortPlace, "-slower",
			strconv.Itoa(slower)}}
	}
	result, err := trial.Run(ctx, trial.Config{
		A: spec("A", 0), B: spec("B", percent), Rate: rate, Blocks: blocks, MaxTime: bound, Seed: seed,
		Load: func(_ context.Context, addr string) (load.Config, func(), error) {
			return load.Config{Timeout: 10 * time.Second, Request: func(uint64) (*http.Request, error) {
				return http.NewRequest(http.MethodGet, "http://"+addr+"/work", nil)
			}}, func() {}, nil
		},
		View: trial.View{Block: func(n int, elapsed time.Duration, b prove.Block) {
			fmt.Fprintf(os.Stderr, "+%d %%: block %d after %s: cpu_per_request %.0f µs, %.0f µs and %.0f µs\n", percent,
				n, elapsed.Round(time.Second),
				1e6*b.A[prove.CPUPerRequest], 1e6*b.A2[prove.CPUPerRequest], 1e6*b.B[prove.CPUPerRequest])
		}},
	})
	if err != nil {
		return result, fmt.Errorf("measuring a slow-down of %d %%: %w", percent, err)
	}
	return result, nil
}

// realRuns compares from end to end and prints how each ended.
func realRuns(ctx context.Context, server string, runs int) error {
	if runs == 0 {
		return nil
	}
	fmt.Println("Real runs, from start to verdict:")
	for _, kind := range kinds() {
		for i := range runs {
			began := time.Now()
			result, err := measure(ctx, server, kind, 0, uint64(1000+100*kind+i))
			if err != nil {
				return err
			}
			fmt.Printf("  +%2d %%: %-11s in %3.0f s, %2d blocks; figures that changed: %v\n", kind,
				verdictOf(result.Proof),
				time.Since(began).Seconds(), len(result.Blocks), changed(result.Proof))
		}
	}
	return nil
}

// verdictOf is the verdict on CPU per request.
func verdictOf(p casefile.Proof) casefile.Verdict { return p.Verdict }

// changed names the figures with a verdict other than the same and cannot tell.
func changed(p casefile.Proof) []string {
	names := []string{}
	for _, f := range p.Figures {
		if f.Verdict == casefile.Better || f.Verdict == casefile.Worse {
			names = append(names, f.Name+" "+string(f.Verdict))
		}
	}
	return names
}
