//go:build linux

package trial_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	_ "net/http/pprof" // of the servers
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/child"
	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/app/prove/trial"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/leaktest"
)

// modeEnv makes the test binary a server.
const modeEnv = "TRIAL_TEST_MODE"

func TestMain(m *testing.M) {
	if mode := os.Getenv(modeEnv); mode != "" {
		serve(mode, os.Args[len(os.Args)-1])
	}
	os.Exit(leaktest.Check(m.Run(), "app/prove/"))
}

// sink keeps the compiler from removing the work of the servers.
var sink atomic.Pointer[[]byte]

// serve is a server that allocates once per request, three times when it is "wasteful". A "dies" ends at its 100th
// request. A "busy" uses 200 ms of CPU before it listens. A "waiting" waits 20 ms for each request, and a "locked" does
// so with a lock held.
func serve(mode, addr string) {
	for began := time.Now(); mode == "busy" && time.Since(began) < 200*time.Millisecond; {
		b := make([]byte, 1000)
		sink.Store(&b)
	}
	var n atomic.Int64
	var lock sync.Mutex
	http.HandleFunc("/{$}", func(http.ResponseWriter, *http.Request) {
		switch mode {
		case "locked":
			lock.Lock()
			time.Sleep(20 * time.Millisecond)
			lock.Unlock()
			return
		case "waiting":
			time.Sleep(20 * time.Millisecond)
			return
		}
		pieces := 100
		if mode == "wasteful" {
			pieces = 300
		}
		for range pieces {
			b := make([]byte, 1000)
			sink.Store(&b)
		}
		if n.Add(1) == 100 && mode == "dies" {
			panic(http.ErrAbortHandler)
		}
		if mode == "dies" && n.Load() > 100 {
			fmt.Fprintln(os.Stderr, "fatal error: out of paper")
			os.Exit(3)
		}
	})
	fmt.Fprintln(os.Stderr, http.ListenAndServe(addr, nil))
	os.Exit(1)
}

func config(a, b string) trial.Config {
	spec := func(name, mode string) child.Spec {
		return child.Spec{Name: name, Args: []string{os.Args[0], "127.0.0.1:{port}"},
			Env: []string{modeEnv + "=" + mode}}
	}
	return trial.Config{
		A: spec("A", a), B: spec("B", b), Rate: 500, Slice: 50 * time.Millisecond, Warmup: 100 * time.Millisecond,
		MaxTime: time.Minute, Blocks: 4, ReadyTimeout: 5 * time.Minute, Options: prove.Options{Key: prove.Allocs},
		Load: func(_ context.Context, addr string) (load.Config, func(), error) {
			return load.Config{Timeout: time.Minute, Request: func(uint64) (*http.Request, error) {
				return http.NewRequest(http.MethodGet, "http://"+addr+"/", nil)
			}}, func() {}, nil
		},
	}
}

func TestRun(t *testing.T) {
	t.Parallel()
	res := run(t, config("healthy", "wasteful"), casefile.Worse)
	if len(res.Blocks) != 4 || len(res.Left) > 0 {
		t.Errorf("there are %d blocks, want 4; left are %v", len(res.Blocks), res.Left)
	}
	for i, b := range res.Blocks {
		for _, name := range []string{prove.P50, prove.ErrorShare, prove.Throughput, prove.CPUPerRequest, prove.Allocs,
			prove.AllocBytes, prove.RSS} {
			for side, r := range map[string]prove.Round{"A": b.A, "A'": b.A2, "B": b.B} {
				if _, ok := r[name]; !ok {
					t.Errorf("block %d has no %s of %s", i, name, side)
				}
			}
		}
		// a slice and its header in each piece; reading MemStats allocates too
		if more := b.B[prove.Allocs] - b.A[prove.Allocs]; more < 370 || more > 430 {
			t.Errorf("block %d: B allocates %.1f objects more a request, want 400", i, more)
		}
	}
}

// TestRunOfAQueue: a lock held for 20 ms lets at most 50 requests a second through, whatever the machine, and 80 come.
// In slices of 100 ms that queue is a few requests long and drains before the next turn. So slices must become longer,
// A is reported as not keeping up, and that decides, although CPU per request does not differ.
func TestRunOfAQueue(t *testing.T) {
	t.Parallel()
	cfg := config("locked", "waiting")
	cfg.Rate, cfg.Slice, cfg.Lengthen, cfg.Options.Key = 80, 150*time.Millisecond, true, ""
	res := run(t, cfg, casefile.Better)
	if len(res.Blocks) != 4 || res.Slice < time.Second {
		t.Errorf("%d blocks with slices of %v, want 4 with slices of a second", len(res.Blocks), res.Slice)
	}
	if len(res.Overloads) == 0 || !strings.HasPrefix(res.Overloads[0], "A cannot keep up with 80/s: ") {
		t.Errorf("overloads are %q, want that A cannot keep up with 80/s", res.Overloads)
	}
	for _, f := range res.Proof.Figures {
		if f.Name == prove.Throughput && (f.Before.Value > 55 || f.After.Value < f.Before.Value) {
			t.Errorf("throughput went from %.1f to %.1f, want it from at most 50", f.Before.Value, f.After.Value)
		}
	}
}

// run is a trial that has the verdict. Four blocks on a machine that others use may show nothing, and a proof that says
// so is right, so a trial that cannot tell is run again; any other verdict is a failure at once.
func run(t *testing.T, cfg trial.Config, want casefile.Verdict) trial.Result {
	t.Helper()
	for range 6 {
		res, err := trial.Run(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		switch res.Proof.Verdict {
		case want:
			return res
		case casefile.CannotTell:
			t.Logf("run again: %s", res.Proof.Summary)
		default:
			t.Fatalf("verdict %q, want %q: %s", res.Proof.Verdict, want, res.Proof.Summary)
		}
	}
	t.Fatalf("six trials cannot tell, want %q", want)
	return trial.Result{}
}

// TestRunOfABusyStart: CPU that a server used before it listened was once subtracted from what it used for the requests
// of its warm-up, and the server was reported as a wrapper around another process.
func TestRunOfABusyStart(t *testing.T) {
	t.Parallel()
	cfg := config("busy", "busy")
	cfg.Rate, cfg.Blocks = 200, 1
	if res, err := trial.Run(t.Context(), cfg); err != nil || len(res.Blocks) != 1 {
		t.Errorf("%d blocks, %v; want one", len(res.Blocks), err)
	}
}

func TestRunOfAServerThatDies(t *testing.T) {
	t.Parallel()
	res, err := trial.Run(t.Context(), config("healthy", "dies"))
	if err == nil || !strings.Contains(err.Error(), "B ended by itself: exit status 3") ||
		!strings.Contains(err.Error(), "out of paper") {
		t.Errorf("Run says %v, want how B ended and its last words", err)
	}
	if len(res.Left) > 0 || len(res.Blocks) > 0 {
		t.Errorf("there are %d blocks, and left are %v", len(res.Blocks), res.Left)
	}
}

func TestRunCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cfg := config("healthy", "healthy")
	cfg.View.Block = func(int, time.Duration, prove.Block) { cancel() }
	res, err := trial.Run(ctx, cfg)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Run says %v, want canceled", err)
	}
	if len(res.Blocks) != 1 || res.Proof.Verdict != casefile.CannotTell || len(res.Left) > 0 {
		t.Errorf("%d blocks say %q; left are %v", len(res.Blocks), res.Proof.Verdict, res.Left)
	}
}

func TestRunChecks(t *testing.T) {
	for _, c := range []struct {
		change func(*trial.Config)
		want   string
	}{
		{func(c *trial.Config) { c.Rate = 1 }, "requests a slice"},
		{func(c *trial.Config) { c.Slice = time.Hour }, "the slice is 1h0m0s"},
		{func(c *trial.Config) { c.MaxTime = -1 }, "maximum time"},
		{func(c *trial.Config) { c.B.Args = nil }, "command of B is empty"},
	} {
		cfg := config("healthy", "healthy")
		c.change(&cfg)
		if _, err := trial.Run(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Run says %v, want %q", err, c.want)
		}
	}
}
