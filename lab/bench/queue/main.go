// Command queue shows what casebook load and casebook prove say of a queue: of a service that holds a lock over 10 ms
// of input and output, and of its fix.
//
// Its first table holds load's waits against queueing theory: one server, first come first served, Poisson arrivals, so
// that the mean wait is λ·E[S²]/(2(1−ρ)) (Pollaczek and Khinchine; of a constant S that is ρ/(2(1−ρ))·S), S being the
// times for which the service itself measured that its lock was held. Beside it stand evenly spaced arrivals, which do
// not wait. The second is casebook prove, as one would type it, of the fix at 60 and 115 requests a second, by HTTP and
// by gRPC; the third what casebook load says of the same servers at 115.
//
// The limits: what the lock is held for hangs on how long the machine's timers and its scheduler take, so that at 115 a
// second a busy machine has more of a queue.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/gocasebook/casebook/app/load"
)

func main() { os.Exit(run()) }

func run() int {
	var b bench
	flag.StringVar(&b.casebook, "casebook", "../bin/casebook", "the binary to run")
	flag.DurationVar(&b.each, "each", 30*time.Second, "how long each load takes")
	flag.DurationVar(&b.maxTime, "max-time", 3*time.Minute, "how long each proof may take")
	flag.StringVar(&b.only, "only", "", "theory, prove or load; all of them if not given")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := b.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "bench-queue:", err)
		return 1
	}
	return 0
}

// A bench is one run.
type bench struct {
	casebook, server, only string
	each, maxTime          time.Duration
}

func (b *bench) run(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "bench-queue-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b.server = filepath.Join(dir, "server")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", b.server,
		"./bench/queue/server").CombinedOutput(); err != nil {
		return fmt.Errorf("building the server: %w: %s", err, out)
	}
	for _, part := range []struct {
		name string
		do   func(context.Context) error
	}{{"theory", b.theory}, {"prove", b.prove}, {"load", b.loads}} {
		if b.only == "" || b.only == part.name {
			if err := part.do(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// theory compares waits with the formula.
func (b *bench) theory(ctx context.Context) error {
	fmt.Printf("\nA lock that is held for about 10 ms; %v each. The wait is the mean latency less the mean hold.\n",
		b.each)
	fmt.Printf("%-10s %6s  %9s  %11s  %10s  %10s  %9s  %9s\n", "arrivals", "rate", "held for", "utilisation", "wait",
		"theory", "p50", "p99")
	for _, rate := range []float64{40, 60, 75} {
		for _, kind := range []load.Arrivals{load.EvenArrivals, load.RandomArrivals} {
			if err := b.wait(ctx, kind, rate); err != nil {
				return err
			}
		}
	}
	return nil
}

// A hold is what the server says of its lock.
type hold struct{ Count, Mean, Square float64 }

// wait is a row of the table.
func (b *bench) wait(ctx context.Context, kind load.Arrivals, rate float64) error {
	url, stop, err := b.start(ctx)
	if err != nil {
		return err
	}
	defer stop()
	res, err := load.Run(ctx, load.Config{Pace: kind.Of(rate, 1), Duration: b.each,
		Request: func(uint64) (*http.Request, error) {
			return http.NewRequest(http.MethodGet, url+"/price?of=nuts", nil)
		}})
	if err != nil {
		return err
	}
	resp, err := http.Get(url + "/held")
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	var h hold
	if err := json.NewDecoder(resp.Body).Decode(&h); err != nil {
		return err
	}
	lambda := float64(res.Sent) / b.each.Seconds()
	rho, want := lambda*h.Mean, "none"
	if kind == load.RandomArrivals {
		want = ms(lambda * h.Square / 2 / (1 - rho))
	}
	fmt.Printf("%-10s %4.0f/s  %9s  %9.1f %%  %10s  %10s  %9s  %9s\n", kind, rate, ms(h.Mean), 100*rho,
		ms(res.Latency.Mean().Seconds()-h.Mean), want, ms(res.Latency.P50().Seconds()), ms(res.Latency.P99().Seconds()))
	return nil
}

func ms(seconds float64) string { return fmt.Sprintf("%.1f ms", 1e3*seconds) }

// start starts the service as it was written first.
func (b *bench) start(ctx context.Context, args ...string) (url string, stop func(), err error) {
	cmd := exec.CommandContext(ctx, b.server, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return "", nil, fmt.Errorf("starting the server: %w", err)
	}
	stop = func() {
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		stop()
		return "", nil, fmt.Errorf("reading the server's address: %w", err)
	}
	return strings.TrimSpace(line), stop, nil
}

// prove runs casebook prove of the fix.
func (b *bench) prove(ctx context.Context) error {
	for _, rate := range []string{"60", "115"} {
		for _, c := range []struct{ flag, url string }{{"", "/price?of=nuts"},
			{" -grpc", "grpc://127.0.0.1:{port}/grpc.health.v1.Health/Check"}} {
			command := b.server + c.flag + " -addr 127.0.0.1:{port}"
			began := time.Now()
			out, err := b.run1(ctx, "prove", "--silent", "--rate", rate, "--max-time", b.maxTime.String(), "--profile",
				"-1s",
				"--b-args", "-fixed", command, c.url)
			fmt.Printf("\n== casebook prove --rate %s, %s (%.0f s; %v)\n%s", rate, c.url, time.Since(began).Seconds(),
				err, out)
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	return nil
}

// loads runs casebook load on both.
func (b *bench) loads(ctx context.Context) error {
	for _, args := range [][]string{nil, {"-fixed"}} {
		url, stop, err := b.start(ctx, args...)
		if err != nil {
			return err
		}
		out, err := b.run1(ctx, "load", "--rate", "115", "--duration", b.each.String(), url+"/price?of=nuts")
		stop()
		fmt.Printf("\n== casebook load --rate 115, server %v (%v)\n%s", args, err, out)
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// run1 runs casebook; an exit code is part of the answer.
func (b *bench) run1(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, b.casebook, args...)
	cmd.Stderr = io.Discard
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return out, fmt.Errorf("running %s: %w", b.casebook, err)
	}
	return out, err
}
