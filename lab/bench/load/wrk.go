package main

import (
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"time"
)

// A wrkResult is what wrk says.
type wrkResult struct {
	quantiles map[string]time.Duration // by the name of the row; it tells five of them
	requests  int
	rate      float64
}

// wrk loads the slow server with as many connections as give about the same rate, or says why it did not.
func wrk(ctx context.Context, srv *server, d time.Duration) (wrkResult, string) {
	conns := int(truthRate * meanDelay.Seconds())
	if err := srv.arm(time.Now().Add(d / 2)); err != nil {
		return wrkResult{}, err.Error()
	}
	return runWrk(ctx, "http://"+srv.HTTP+"/slow", conns, d)
}

// runWrk runs wrk with two threads, one a core of the machine that the promise is of.
func runWrk(ctx context.Context, url string, conns int, d time.Duration) (wrkResult, string) {
	path, err := exec.LookPath("wrk")
	if err != nil {
		return wrkResult{}, "it is not installed (Debian's package wrk)"
	}
	out, err := exec.CommandContext(ctx, path, "-t2", "-c"+strconv.Itoa(conns), "-d"+strconv.Itoa(int(d.Seconds()))+"s",
		"--timeout", "10s", "--latency", url).CombinedOutput()
	if err != nil {
		return wrkResult{}, fmt.Sprintf("it failed: %v: %.200s", err, out)
	}
	return parseWrk(string(out))
}

// parseWrk reads wrk's report: the lines "50% 101.2ms" of its distribution, the maximum in the line "Latency", the
// totals.
func parseWrk(out string) (wrkResult, string) {
	r := wrkResult{quantiles: make(map[string]time.Duration)}
	for _, row := range []struct{ name, pattern string }{
		{"p50", `(?m)^\s+50%\s+(\S+)`}, {"p75", `(?m)^\s+75%\s+(\S+)`}, {"p90", `(?m)^\s+90%\s+(\S+)`},
		{"p99", `(?m)^\s+99%\s+(\S+)`},
		{"max", `(?m)^\s+Latency\s+\S+\s+\S+\s+(\S+)`},
	} {
		m := regexp.MustCompile(row.pattern).FindStringSubmatch(out)
		if m == nil {
			return wrkResult{}, fmt.Sprintf("its report has no %s: %.300s", row.name, out)
		}
		d, err := time.ParseDuration(m[1])
		if err != nil {
			return wrkResult{}, fmt.Sprintf("its %s reads %q", row.name, m[1])
		}
		r.quantiles[row.name] = d
	}
	if m := regexp.MustCompile(`(\d+) requests in`).FindStringSubmatch(out); m != nil {
		r.requests, _ = strconv.Atoi(m[1]) // digits
	}
	if m := regexp.MustCompile(`Requests/sec:\s+([\d.]+)`).FindStringSubmatch(out); m != nil {
		r.rate, _ = strconv.ParseFloat(m[1], 64) // digits
	}
	return r, ""
}
