package main

import (
	"context"
	"reflect"
	"testing"
	"time"
)

// TestTruthIsTheModels computes by hand what the model says.
func TestTruthIsTheModels(t *testing.T) {
	// Ten requests a second for 4 s; the server stands still from 1 s to 2 s.
	all := truth(10, 4*time.Second, time.Second, 2*time.Second)
	if len(all) != 40 {
		t.Fatalf("%d requests, want 40", len(all))
	}
	if got := quantile(all, 1); got < stall-longest || got > stall+longest {
		t.Errorf("the longest wait %v, want the stall's second and a delay at the most", got)
	}
	waited := 0
	for _, d := range all {
		if d > longest {
			waited++
		}
	}
	// Those that came in the first 0.6 s of the stall wait for more than any delay, and so do some that came just
	// before it.
	if waited < 5 || waited > 10 {
		t.Errorf("%d requests waited longer than any delay, want 5 to 10", waited)
	}
	sum := time.Duration(0)
	for n := range uint64(10_000) {
		sum += delayOf(n)
	}
	if got := sum / 10_000; got < meanDelay*99/100 || got > meanDelay*101/100 {
		t.Errorf("mean delay %v, want %v", got, meanDelay)
	}
}

func TestParseWrk(t *testing.T) {
	const report = `Running 20s test @ http://127.0.0.1:1/slow
  2 threads and 28 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency   150.29ms   99.37ms   1.07s    88.01%
    Req/Sec    94.37     28.55   200.00     70.00%
  Latency Distribution
     50%  100.99ms
     75%  181.70ms
     90%  291.02ms
     99%    1.01s 
  3741 requests in 20.02s, 438.40KB read
Requests/sec:    186.85
Transfer/sec:     21.90KB
`
	r, reason := parseWrk(report)
	µs := time.Microsecond
	want := wrkResult{map[string]time.Duration{"p50": 100990 * µs, "p75": 181700 * µs, "p90": 291020 * µs,
		"p99": 1010 * time.Millisecond, "max": 1070 * time.Millisecond}, 3741, 186.85}
	if reason != "" || !reflect.DeepEqual(r, want) {
		t.Errorf("read %+v (%s), want %+v", r, reason, want)
	}
	if _, reason := parseWrk("unable to connect"); reason == "" {
		t.Error("a report without figures is read")
	}
}

func TestWrkIsMissing(t *testing.T) {
	t.Setenv("PATH", "")
	if _, reason := runWrk(context.Background(), "http://127.0.0.1:1/", 1,
		time.Second); reason != "it is not installed (Debian's package wrk)" {
		t.Errorf("reason %q", reason)
	}
}
