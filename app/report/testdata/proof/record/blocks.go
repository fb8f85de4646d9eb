package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/casefile"
)

// The load of every slice, and how a block is cut.
const (
	rate   = 700
	slice  = 400 * time.Millisecond
	warmup = 400 * time.Millisecond
	turns  = 6
)

// sides are the servers of a block: A, A again, B.
var sides = [...]struct{ key, serve string }{{"a", "before"}, {"a2", "before"}, {"b", "after"}}

func record(ctx context.Context, dir string, n int) error {
	var blocks []prove.Block
	all := make([][]load.Window, len(sides))
	for i := range n {
		began := time.Now()
		rounds, err := oneBlock(ctx, i, all)
		if err != nil {
			return fmt.Errorf("block %d: %w", i, err)
		}
		blocks = append(blocks, prove.Block{A: rounds[0], A2: rounds[1], B: rounds[2],
			Seconds: time.Since(began).Seconds()})
	}
	for i, s := range sides {
		f := load.NewFile(all[i][0].Start, load.Plan{Targets: []string{"GET http://127.0.0.1/items"}, TargetCount: 1,
			Protocol: "http/1.1",
			Pace:     fmt.Sprintf("constant %d", rate), Seconds: float64(len(all[i])) * slice.Seconds(), Timeout: 10,
			MaxInFlight: 4096, Seed: 1})
		for _, w := range all[i] {
			if err := f.Add(w); err != nil {
				return err
			}
		}
		if err := f.Finish(load.Result{Counts: load.Sum(all[i])}); err != nil {
			return err
		}
		for k := range f.Windows {
			f.Windows[k].Latency.HDR = "" // the total has it
		}
		if err := writeJSON(dir, s.key+".json", f); err != nil {
			return err
		}
	}
	if err := writeJSON(dir, "blocks.json", blocks); err != nil {
		return err
	}
	if err := writeJSON(dir, "proof.json", proofOf(blocks)); err != nil {
		return err
	}
	for _, side := range []string{"before", "after"} {
		if err := profile(ctx, dir, side); err != nil {
			return err
		}
	}
	return nil
}

// proofOf is what package prove makes of the blocks, in one look at the end of their time.
func proofOf(blocks []prove.Block) casefile.Proof {
	seconds := 0.0
	for _, b := range blocks {
		seconds += b.Seconds
	}
	s := prove.NewSequence(prove.Options{Key: prove.CPUPerRequest, Taken: time.Now().UTC(),
		Load:    fmt.Sprintf("%d requests a second, slices of %d ms", rate, slice.Milliseconds()),
		Machine: fmt.Sprintf("%s/%s, %d CPUs, %s", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version())},
		seconds)
	s.Step(blocks, seconds)
	p := s.End(blocks)
	for _, side := range []struct {
		variant *casefile.Variant
		label   string
	}{{&p.Before, "before"}, {&p.After, "after"}} {
		*side.variant = casefile.Variant{Label: side.label, Command: "record -serve " + side.label +
			" -listen 127.0.0.1:{port}"}
	}
	return p
}

// oneBlock starts the three servers and loads them in turns, there and back.
func oneBlock(ctx context.Context, nth int, all [][]load.Window) ([]prove.Round, error) {
	counts, cpu := make([][]load.Window, len(sides)), make([]float64, len(sides))
	rss := make([]float64, len(sides))
	samplers, addrs := make([]*prove.Sampler, len(sides)), make([]string, len(sides))
	order := []int{0, 1, 2}
	if nth%2 == 1 {
		slices.Reverse(order)
	}
	for _, i := range order {
		c, err := startChild(ctx, sides[i].serve)
		if err != nil {
			return nil, err
		}
		defer c.stop()
		addrs[i] = c.addr
		if _, err := turn(ctx, c.addr, warmup); err != nil {
			return nil, err
		}
		if samplers[i], err = prove.NewSampler(c.cmd.Process.Pid); err != nil {
			return nil, err
		}
	}
	for range turns {
		for _, i := range order {
			if _, err := samplers[i].Next(); err != nil {
				return nil, err
			}
			res, err := turn(ctx, addrs[i], slice)
			if err != nil {
				return nil, err
			}
			time.Sleep(20 * time.Millisecond)
			u, err := samplers[i].Next()
			if err != nil {
				return nil, err
			}
			cpu[i] += u.CPUSeconds
			rss[i] = float64(u.PeakRSS)
			w := load.Window{Index: len(all[i]), Counts: res.Counts}
			counts[i], all[i] = append(counts[i], w), append(all[i], w)
		}
		slices.Reverse(order)
	}
	rounds := make([]prove.Round, len(sides))
	for i := range sides {
		sum := load.Sum(counts[i])
		r := prove.WindowRound(load.Window{Counts: sum}, nil)
		r[prove.CPUPerRequest], r[prove.RSS] = cpu[i]/float64(sum.OK), rss[i]
		rounds[i] = r
	}
	return rounds, nil
}

func turn(ctx context.Context, addr string, d time.Duration) (load.Result, error) {
	return load.Run(ctx, load.Config{Rate: rate, Duration: d, Request: func(uint64) (*http.Request, error) {
		return http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+"/items", nil)
	}})
}

// profile keeps a CPU profile of one side under the load.
func profile(ctx context.Context, dir, side string) error {
	c, err := startChild(ctx, side)
	if err != nil {
		return err
	}
	defer c.stop()
	loaded := make(chan error, 1)
	go func() {
		_, err := turn(ctx, c.addr, 12*time.Second)
		loaded <- err
	}()
	time.Sleep(time.Second)
	resp, err := http.Get("http://" + c.addr + "/debug/pprof/profile?seconds=10")
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if err := <-loaded; err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "cpu-"+side+".pb.gz"), data, 0o644)
}
