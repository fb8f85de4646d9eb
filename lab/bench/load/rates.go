package main

import (
	"context"
	"fmt"
	"net"
	"time"

	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/load/rpc"
)

// A way is how requests of the second table are sent.
type way struct {
	name  string
	rates []float64
	fill  func(*load.Config)
}

// ratesTable sends rising rates to the trivial server.
func ratesTable(ctx context.Context, srv *server, d time.Duration) error {
	fmt.Printf("\nRates against a trivial Go server that shares the machine, %v each.\n\n", d)
	fmt.Printf("%-9s %7s %8s %7s %9s %9s %9s %9s %10s %8s\n", "", "asked", "answered", "errors", "p50", "p99",
		"late p50", "late p99", "CPU µs/req", "machine")
	caller := rpc.New(rpc.Config{Dial: new(net.Dialer).DialContext})
	defer caller.Close()
	for _, w := range ways(ctx, srv, caller) {
		for _, rate := range w.rates {
			cfg := load.Config{Rate: rate, Duration: d}
			w.fill(&cfg)
			res, err := load.Run(ctx, cfg)
			if err != nil {
				return err
			}
			fmt.Printf("%-9s %7.0f %8.0f %7d %9s %9s %9s %9s %10.1f %6.0f %%\n", w.name, rate, res.Throughput(),
				res.Errors.Total(), short(res.Latency.P50()),
				short(res.Latency.P99()), short(res.Lag.P50()), short(res.Lag.P99()),
				1e6*res.CPU.Seconds/float64(max(res.Sent, 1)), 100*res.CPU.Machine)
			if res.Limited != "" {
				fmt.Printf("%-9s %s\n", "", res.Limited)
			}
		}
	}
	if w, reason := runWrk(ctx, "http://"+srv.HTTP+"/", 64, d); reason != "" {
		fmt.Printf("no wrk: %s\n", reason)
	} else {
		fmt.Printf("wrk, 64 connections as fast as they go: %.0f requests a second, its p99 %s\n", w.rate,
			short(w.quantiles["p99"]))
	}
	return ctx.Err()
}

// ways are the protocols, each with rates up to where it ends on two cores.
func ways(ctx context.Context, srv *server, caller *rpc.Caller) []way {
	http := func(p load.Protocol) func(*load.Config) {
		return func(cfg *load.Config) { cfg.Protocol, cfg.Request = p, get("http://"+srv.HTTP+"/") }
	}
	calls := func(cfg *load.Config) {
		request := get("grpc://" + srv.GRPC + "/grpc.health.v1.Health/Check")
		cfg.Call = func(i uint64) (load.Call, error) {
			req, err := request(i)
			if err != nil {
				return nil, err
			}
			call, err := caller.Prepare(ctx, i, req)
			if err != nil {
				return nil, err
			}
			return call.Do, nil
		}
	}
	return []way{
		{"http/1.1", []float64{1000, 5000, 10_000, 20_000, 30_000}, http(load.HTTP1)},
		{"http/2", []float64{1000, 5000, 10_000, 15_000}, http(load.HTTP2)},
		{"grpc", []float64{1000, 5000, 10_000, 15_000}, calls},
	}
}

// short is a duration for a narrow column.
func short(d time.Duration) string {
	switch {
	case d >= time.Second:
		return fmt.Sprintf("%.2f s", d.Seconds())
	case d >= 10*time.Millisecond:
		return fmt.Sprintf("%.0f ms", d.Seconds()*1e3)
	case d >= time.Millisecond:
		return fmt.Sprintf("%.1f ms", d.Seconds()*1e3)
	}
	return fmt.Sprintf("%d µs", d.Microseconds())
}
