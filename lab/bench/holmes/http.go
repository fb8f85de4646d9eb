package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"text/tabwriter"
	"time"
)

// A load is what a service did in a stretch of load.
type load struct {
	answers, seconds, cpu float64
	recorder              string // mode of the flight recorder at the end
}

func (l load) plus(m load) load {
	return load{l.answers + m.answers, l.seconds + m.seconds, l.cpu + m.cpu, m.recorder}
}

// httpPart prints what being watched costs a saturated JSON service. A block is a fresh process for each watcher,
// loaded for a quarter of a second one after the other, then in reverse order, and so on, so that what else happens on
// the machine hits all alike; who is first turns from block to block. Each watcher is held against "nothing" of the
// same block.
//
// The flight recorder's governor judges the CPU that such turns use, and not the time between them. lab/bench/recorder
// measures it alone.
func httpPart(ctx context.Context, c config, out io.Writer) error {
	var cpu, throughput [len(watchers)][]float64
	var sum [len(watchers)]load
	var running [len(watchers)]int
	for b := range c.blocks {
		loads, err := block(ctx, c, b)
		if err != nil {
			return err
		}
		for i, l := range loads {
			cpu[i] = append(cpu[i], (l.cpu/l.answers)/(loads[0].cpu/loads[0].answers))
			throughput[i] = append(throughput[i], (l.answers/l.seconds)/(loads[0].answers/loads[0].seconds))
			sum[i] = sum[i].plus(l)
			if l.recorder != "" && l.recorder != "off" {
				running[i]++
			}
		}
		fmt.Fprintf(c.log, "http: block %d of %d\n", b+1, c.blocks)
	}
	fmt.Fprintf(out,
		"\nA saturated JSON service: %d blocks of fresh processes, 2 × %s each; against \"nothing\", mean ± 95 %% "+
			"confidence\n",
		c.blocks, c.round)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "CPU a request\tblocks from … to\trequests/s\tµs CPU\trequests/s\trecorder ran in\t  \n")
	for i, l := range sum {
		r, q := summarize(cpu[i]), summarize(throughput[i])
		fmt.Fprintf(w, "%s\t%s\t%s\t%.2f\t%.0f\t%d blocks\t  %s\n", r.percent(), r.span(), q.percent(),
			1e6*l.cpu/l.answers, l.answers/l.seconds, running[i], watchers[i].name)
	}
	return w.Flush()
}

// stockOrders is 40 MB, of which a GC cycle is an ordinary one.
const stockOrders = 10_000

// settle is how long a fresh service is loaded before it is measured: connections, heap and caches.
const settle = 300 * time.Millisecond

// block measures every watcher once.
func block(ctx context.Context, c config, number int) (loads [len(watchers)]load, err error) {
	dir, err := os.MkdirTemp("", "holmes-bench-http-")
	if err != nil {
		return loads, err
	}
	defer os.RemoveAll(dir) // after the services have ended, which write until then
	var services [len(watchers)]*process
	defer func() {
		for _, p := range services {
			if p != nil {
				p.stop()
			}
		}
	}()
	for i, w := range watchers {
		if services[i], err = startChild(ctx, w.name, filepath.Join(dir, strconv.Itoa(i)),
			role{stock: stockOrders}); err != nil {
			return loads, err
		}
		if _, err := saturate(ctx, services[i].addr, settle); err != nil {
			return loads, err
		}
	}
	if err := pause(ctx, c.calm); err != nil {
		return loads, err
	}
	n, step := len(watchers), min(c.turn, c.round)
	for range c.round / step {
		for i := range 2 * n {
			if i >= n {
				i = 2*n - 1 - i // and back
			}
			i = (i + number) % n
			l, err := measure(ctx, services[i], step)
			if err != nil {
				return loads, fmt.Errorf("%s: %w", watchers[i].name, err)
			}
			loads[i] = loads[i].plus(l)
		}
	}
	for i, p := range services {
		if err := p.ask(evMode); err != nil {
			return loads, err
		}
		e, err := p.await(ctx, evMode, 10*time.Second)
		if err != nil {
			return loads, err
		}
		loads[i].recorder = e.Text
	}
	return loads, nil
}

func measure(ctx context.Context, p *process, d time.Duration) (load, error) {
	if _, err := p.usage.Next(); err != nil {
		return load{}, err
	}
	n, err := saturate(ctx, p.addr, d)
	if err != nil {
		return load{}, err
	}
	if n == 0 {
		return load{}, errors.New("the service answered nothing")
	}
	u, err := p.usage.Next()
	return load{answers: float64(n), seconds: u.Seconds, cpu: u.CPUSeconds}, err
}
