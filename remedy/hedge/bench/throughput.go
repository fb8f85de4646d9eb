package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"time"

	"github.com/cristalhq/hedgedhttp"
	"github.com/failsafe-go/failsafe-go/failsafehttp"
	"github.com/failsafe-go/failsafe-go/hedgepolicy"

	"github.com/gocasebook/casebook/remedy/hedge"
)

// workers keep both cores busy, client and server together.
const workers = 8

// never is a delay that no call reaches: what is measured is being ready, not hedging.
const never = time.Minute

// plain is compared with itself first, which shows how much the machine differs from one turn to the next.
var unhedged = []variant{
	{"the same again", func(base http.RoundTripper) (http.RoundTripper, *hedge.Policy, error) {
		return base, nil,
			nil
	}},
	{"casebook hedge", func(base http.RoundTripper) (http.RoundTripper, *hedge.Policy, error) {
		p, err := hedge.New(hedge.Config{MinDelay: never})
		return &hedge.Transport{Policy: p, Base: base}, p, err
	}},
	{"failsafe-go", func(base http.RoundTripper) (http.RoundTripper, *hedge.Policy, error) {
		return failsafehttp.NewRoundTripper(base, hedgepolicy.NewWithDelay[*http.Response](never)), nil, nil
	}},
	{"hedgedhttp", func(base http.RoundTripper) (http.RoundTripper, *hedge.Policy, error) {
		rt, err := hedgedhttp.NewRoundTripper(never, 2, base)
		return rt, nil, err
	}},
}

// throughputPart prints the throughput and the CPU per call of each variant, as a share of plain http.Transport's.
func throughputPart(ctx context.Context, p plan, out io.Writer) error {
	s := httptest.NewServer(atOnce.serve())
	defer s.Close()
	fmt.Fprintf(out,
		"\nUnhedged path over plain http.Transport, %d workers, ABBA of %v, median of %d ratios (quartiles)\n", workers,
		p.slice, p.slices)
	for _, v := range unhedged {
		base := newBase()
		rt, _, err := v.build(base)
		if err != nil {
			return fmt.Errorf("building %s: %w", v.name, err)
		}
		plain, other := &http.Client{Transport: base}, &http.Client{Transport: rt}
		var rate, cpu []float64
		for range p.slices {
			a1 := loop(ctx, plain, s.URL, p.slice)
			b1 := loop(ctx, other, s.URL, p.slice)
			b2 := loop(ctx, other, s.URL, p.slice)
			a2 := loop(ctx, plain, s.URL, p.slice)
			rate = append(rate, (b1.rate()+b2.rate())/(a1.rate()+a2.rate()))
			cpu = append(cpu, (b1.cpuCall()+b2.cpuCall())/(a1.cpuCall()+a2.cpuCall()))
		}
		base.CloseIdleConnections()
		if err := ctx.Err(); err != nil {
			return err
		}
		fmt.Fprintf(out, "  throughput × %s   CPU a call × %s   %s\n", quartiles(rate), quartiles(cpu), v.name)
	}
	return nil
}

// A stretch is what one turn of a closed loop did.
type stretch struct {
	calls int
	took  time.Duration
	cpu   time.Duration
}

func (s stretch) rate() float64    { return float64(s.calls) / s.took.Seconds() }
func (s stretch) cpuCall() float64 { return float64(s.cpu) / float64(max(s.calls, 1)) }

// loop calls as fast as it can for d.
func loop(ctx context.Context, c *http.Client, url string, d time.Duration) stretch {
	var wg sync.WaitGroup
	counts := make([]int, workers)
	start, cpu := time.Now(), cpuTime()
	for i := range workers {
		wg.Go(func() {
			for time.Since(start) < d && ctx.Err() == nil {
				if get(ctx, c, url) == nil {
					counts[i]++
				}
			}
		})
	}
	wg.Wait()
	s := stretch{took: time.Since(start), cpu: cpuTime() - cpu}
	for _, n := range counts {
		s.calls += n
	}
	return s
}

func get(ctx context.Context, c *http.Client, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

func quartiles(x []float64) string {
	slices.Sort(x)
	at := func(q float64) float64 { return x[int(math.Round(q*float64(len(x)-1)))] }
	return fmt.Sprintf("%.3f (%.3f–%.3f)", at(0.5), at(0.25), at(0.75))
}
