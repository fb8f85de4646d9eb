package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/gocasebook/casebook/remedy/hedge"
)

// A runner is a variant with its server, and what it has measured.
type runner struct {
	variant
	meter  *meter
	client *http.Client
	policy *hedge.Policy // nil of the others
	url    string
	close  func()

	mu        sync.Mutex // guards what follows
	latencies []time.Duration
	errors    int
}

func newRunner(v variant, b backend) (*runner, error) {
	base := newBase()
	m := &meter{base: base}
	rt, policy, err := v.build(m)
	if err != nil {
		return nil, fmt.Errorf("building %s: %w", v.name, err)
	}
	s := httptest.NewServer(b.serve())
	return &runner{variant: v, meter: m, policy: policy, client: &http.Client{Transport: rt}, url: s.URL,
		close: func() { base.CloseIdleConnections(); s.Close() }}, nil
}

// latencyPart prints a table of all variants over one backend.
func latencyPart(ctx context.Context, p plan, b backend, out io.Writer) error {
	var runners []*runner
	for _, v := range variants {
		r, err := newRunner(v, b)
		if err != nil {
			return err
		}
		defer r.close()
		runners = append(runners, r)
	}
	for _, r := range runners { // connections, and what the policies must know
		r.turn(ctx, p.rate, 2*time.Second, false)
	}
	for range p.blocks {
		for _, r := range runners {
			r.turn(ctx, p.rate, p.turn, true)
		}
		for _, r := range slices.Backward(runners) {
			r.turn(ctx, p.rate, p.turn, true)
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	print(b, p, runners, out)
	return nil
}

// turn makes calls at a constant rate for d, and waits for them.
func (r *runner) turn(ctx context.Context, rate int, d time.Duration, keep bool) {
	var wg sync.WaitGroup
	start, gap := time.Now(), time.Second/time.Duration(rate)
	for due := start; due.Before(start.Add(d)) && ctx.Err() == nil; due = due.Add(gap) {
		if !wait(ctx, time.Until(due)) {
			break
		}
		wg.Go(func() {
			err := r.call(ctx)
			if keep {
				r.note(time.Since(due), err)
			}
		})
	}
	wg.Wait()
}

func (r *runner) call(ctx context.Context) error {
	req, err := http.NewRequestWithContext(r.meter.begin(ctx), http.MethodGet, r.url, nil)
	if err != nil {
		return err
	}
	resp, err := r.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

func (r *runner) note(took time.Duration, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.latencies = append(r.latencies, took); err != nil {
		r.errors++
	}
}

func print(b backend, p plan, runners []*runner, out io.Writer) {
	fmt.Fprintf(out, "\nBackend with %s: %d calls/s in turns of %v, ABBA\n", b.name, p.rate, p.turn)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "p50\tp95\tp99\tp99.9\tp99, times less\textra calls\tworst second\terrors\t  variant\t")
	plain := runners[0].quantile(0.99)
	for _, r := range runners {
		all, worst, _ := r.meter.extra()
		p99 := r.quantile(0.99)
		fmt.Fprintf(w, "%v\t%v\t%v\t%v\t%.1f\t%.2f %%\t%.2f %%\t%d\t  %s\t\n", round(r.quantile(0.5)),
			round(r.quantile(0.95)),
			round(p99), round(r.quantile(0.999)), float64(plain)/float64(max(p99, 1)), 100*all, 100*worst, r.errors,
			r.name)
	}
	w.Flush()
	for _, r := range runners {
		if r.policy != nil {
			fmt.Fprintf(out, "%s: %+v\n", r.name, r.policy.Stats())
		}
	}
}

func (r *runner) quantile(q float64) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.latencies) == 0 {
		return 0
	}
	slices.Sort(r.latencies)
	return r.latencies[min(int(q*float64(len(r.latencies))), len(r.latencies)-1)]
}

func round(d time.Duration) time.Duration { return d.Round(10 * time.Microsecond) }
