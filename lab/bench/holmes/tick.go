package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/pprof"
	"testing"
	"text/tabwriter"
	"time"

	gopsmem "github.com/shirou/gopsutil/mem"
	gopsprocess "github.com/shirou/gopsutil/process"

	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

// A tick is what a watcher does at every interval.
type tick struct {
	name  string
	setup func() (func() error, error)
}

var ticks = [...]tick{
	{"casebook: Self.Sample, the default rules, history", casebookTick},
	{"casebook: Self.Sample alone", sampleTick},
	{"holmes: the calls of collect and its limits, without the second of sleep", holmesTick},
}

// tickPart prints what a tick costs, twice each and in turns: the lesser of the two is less disturbed.
func tickPart(_ context.Context, _ config, out io.Writer) error {
	var best [len(ticks)]testing.BenchmarkResult
	for range 2 {
		for i, t := range ticks {
			r, err := measureTick(t)
			if err != nil {
				return fmt.Errorf("%s: %w", t.name, err)
			}
			if best[i].N == 0 || r.NsPerOp() < best[i].NsPerOp() {
				best[i] = r
			}
		}
	}
	fmt.Fprintf(out, "\nCost of a tick\n")
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "ns\tbytes\tallocations\tof casebook's\t  \n")
	for i, r := range best {
		fmt.Fprintf(w, "%d\t%d\t%d\t%.2f ×\t  %s\n", r.NsPerOp(), r.AllocedBytesPerOp(), r.AllocsPerOp(),
			float64(r.NsPerOp())/float64(best[0].NsPerOp()), ticks[i].name)
	}
	return w.Flush()
}

func measureTick(t tick) (testing.BenchmarkResult, error) {
	f, err := t.setup()
	if err != nil {
		return testing.BenchmarkResult{}, err
	}
	var failed error
	r := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			failed = errors.Join(failed, f())
		}
	})
	return r, failed
}

func sampleTick() (func() error, error) {
	self, s := instance.NewSelf(), vitals.NewSample(time.Now())
	return func() error {
		s = vitals.NewSample(time.Now())
		return self.Sample(context.Background(), &s)
	}, nil
}

// casebookTick is what Watch does of a tick, without the black box. The samples are a second apart, as at the default
// interval: rules that look back over a minute see 60 of them.
func casebookTick() (func() error, error) {
	engine, err := rule.NewEngine(rule.Default(), nil)
	if err != nil {
		return nil, err
	}
	self, history, s := instance.NewSelf(), vitals.NewHistory(600), vitals.NewSample(time.Now())
	ctx, at := context.Background(), time.Now()
	return func() error {
		at = at.Add(time.Second)
		s = vitals.NewSample(at)
		if err := self.Sample(ctx, &s); err != nil {
			return err
		}
		engine.Step(&s, history)
		history.Add(s)
		return nil
	}, nil
}

// holmesTick makes the calls that mosn.io/holmes v1.0.2 makes at every tick (holmes.go, startDumpLoop; util.go,
// getUsage): collect itself is not exported, and Percent(time.Second) reads the times before and after its sleep.
func holmesTick() (func() error, error) {
	return func() error {
		runtime.NumCPU()
		if _, err := gopsmem.VirtualMemory(); err != nil {
			return err
		}
		p, err := gopsprocess.NewProcess(int32(os.Getpid()))
		if err != nil {
			return err
		}
		for range 2 {
			if _, err := p.Times(); err != nil {
				return err
			}
		}
		if _, err := p.MemoryInfo(); err != nil {
			return err
		}
		runtime.NumGoroutine()
		pprof.Lookup("threadcreate").Count()
		return nil
	}, nil
}
