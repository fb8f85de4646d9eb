package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"text/tabwriter"
	"time"

	"golang.org/x/sync/errgroup"
)

// A weight is what an idle service with a watcher takes.
type weight struct {
	rss  float64 // bytes, before its heap is asked for
	heap float64 // bytes live
	cpu  float64 // seconds of CPU a second
}

// memoryPart prints what a watcher weighs: an idle service with it, less one without. The median of several processes.
func memoryPart(ctx context.Context, c config, out io.Writer) error {
	var rss, heap, cpu [len(watchers)][]float64
	for n := range c.fresh {
		found, err := weighAll(ctx, c.idle)
		if err != nil {
			return err
		}
		for i, m := range found {
			rss[i], heap[i], cpu[i] = append(rss[i], m.rss), append(heap[i], m.heap), append(cpu[i], m.cpu)
		}
		fmt.Fprintf(c.log, "memory: %d of %d\n", n+1, c.fresh)
	}
	var weights [len(watchers)]weight
	for i := range weights {
		weights[i] = weight{median(rss[i]), median(heap[i]), median(cpu[i])}
	}
	fmt.Fprintf(out,
		"\nAn idle service after %s at a tick a second, less one without a watcher; median of %d processes\n", c.idle,
		c.fresh)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "RSS MiB\tlive heap KiB\tCPU µs/s\t  \n")
	for i, m := range weights {
		fmt.Fprintf(w, "%+.1f\t%+.0f\t%+.0f\t  %s\n", (m.rss-weights[0].rss)/(1<<20), (m.heap-weights[0].heap)/(1<<10),
			1e6*(m.cpu-weights[0].cpu), watchers[i].name)
	}
	return w.Flush()
}

// weighAll weighs a service with each watcher, all at the same time: they have nothing to do.
func weighAll(ctx context.Context, idle time.Duration) (found [len(watchers)]weight, err error) {
	group, ctx := errgroup.WithContext(ctx)
	for i, w := range watchers {
		group.Go(func() (err error) {
			if found[i], err = weigh(ctx, w.name, idle); err != nil {
				return fmt.Errorf("%s: %w", w.name, err)
			}
			return nil
		})
	}
	return found, group.Wait()
}

func weigh(ctx context.Context, name string, idle time.Duration) (weight, error) {
	dir, err := os.MkdirTemp("", "holmes-bench-memory-")
	if err != nil {
		return weight{}, err
	}
	defer os.RemoveAll(dir)
	p, err := startChild(ctx, name, dir, role{})
	if err != nil {
		return weight{}, err
	}
	defer p.stop()
	if _, err := p.usage.Next(); err != nil {
		return weight{}, err
	}
	select {
	case <-ctx.Done():
		return weight{}, ctx.Err()
	case <-time.After(idle):
	}
	u, err := p.usage.Next()
	if err != nil {
		return weight{}, err
	}
	if err := p.ask(evHeap); err != nil {
		return weight{}, err
	}
	e, err := p.await(ctx, evHeap, 10*time.Second)
	return weight{float64(u.RSS), float64(e.Heap), u.CPUSeconds / u.Seconds}, err
}
