package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/gocasebook/casebook/app/load"
)

// truthRate is low enough for the machine to do nothing else than wait.
const truthRate = 200

// rows of the table.
var rows = [...]struct {
	name string
	q    float64
}{{"p50", 0.5}, {"p75", 0.75}, {"p90", 0.9}, {"p95", 0.95}, {"p99", 0.99}, {"p99.9", 0.999}, {"max", 1}}

// truthTable loads the slow server by each tool and prints what each says beside what is true.
func truthTable(ctx context.Context, srv *server, d time.Duration) error {
	fmt.Printf("\nLatencies at %d requests a second for %v; the server's delays are known (%v to %v), and it stands "+
		"still for %v at half time.\n",
		truthRate, d, shortest, longest, stall)
	for _, protocol := range []load.Protocol{load.HTTP1, load.HTTP2} {
		from := d / 2
		start := time.Now().Add(100 * time.Millisecond) // about when the load starts
		if err := srv.arm(start.Add(from)); err != nil {
			return err
		}
		time.Sleep(time.Until(start))
		res, err := load.Run(ctx, load.Config{Rate: truthRate, Duration: d, Protocol: protocol,
			Request: get("http://" + srv.HTTP + "/slow")})
		if err != nil {
			return err
		}
		from -= res.Start.Sub(start)
		actual := truth(truthRate, d, from, from+stall)
		w, reason := wrkResult{}, ""
		if protocol == load.HTTP1 {
			w, reason = wrk(ctx, srv, d)
		} else {
			reason = "it does not speak HTTP/2"
		}
		printTruth(protocol, actual, res, w, reason)
	}
	return ctx.Err()
}

func printTruth(protocol load.Protocol, actual []time.Duration, res load.Result, w wrkResult, reason string) {
	fmt.Printf("\n%-8s  %9s  %14s  %7s  %9s  %7s\n", protocol, "truth", "casebook load", "off by", "wrk", "off by")
	for _, r := range rows {
		want := quantile(actual, r.q)
		got := res.Latency.Quantile(r.q)
		line := fmt.Sprintf("%-8s  %9s  %14s  %7s", r.name, ms(want), ms(got), off(got, want))
		if closed, told := w.quantiles[r.name]; told {
			line += fmt.Sprintf("  %9s  %7s", ms(closed), off(closed, want))
		}
		fmt.Println(line)
	}
	fmt.Printf("requests  %9d  %14d  %7s  %9d   (errors %d; left late p50 %v, p99 %v)\n", len(actual), res.OK, "",
		w.requests,
		res.Errors.Total(), res.Lag.P50().Round(time.Microsecond), res.Lag.P99().Round(time.Microsecond))
	if reason != "" {
		fmt.Printf("no wrk: %s\n", reason)
	}
	if res.Limited != "" {
		fmt.Printf("LIMITED: %s\n", res.Limited)
	}
}

func ms(d time.Duration) string { return fmt.Sprintf("%.1f ms", d.Seconds()*1e3) }

func off(got, want time.Duration) string {
	return fmt.Sprintf("%+.1f %%", 100*(got.Seconds()/want.Seconds()-1))
}

// get makes the requests for a URL. They share what is the same, as package targets has it.
func get(url string) func(uint64) (*http.Request, error) {
	req, err := http.NewRequest(http.MethodGet, url, nil)
	return func(uint64) (*http.Request, error) {
		if err != nil {
			return nil, err
		}
		shared := *req
		return &shared, nil
	}
}
