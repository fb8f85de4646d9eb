//go:build linux

package stage

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	_ "net/http/pprof"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/internal/leaktest"
)

// modeEnv makes the test binary a service.
const modeEnv = "STAGE_TEST_MODE"

func TestMain(m *testing.M) {
	if mode := os.Getenv(modeEnv); mode != "" {
		service(mode, os.Args[1], os.Args[2])
	}
	os.Exit(leaktest.Check(m.Run(), "lab/stage.", "app/load."))
}

// service answers at addr, and at pprof with the profiles. It does not return.
func service(mode, addr, pprof string) {
	var done atomic.Uint64
	var kept atomic.Pointer[[garbage]byte]
	var asked atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("/work", func(w http.ResponseWriter, _ *http.Request) {
		switch mode {
		case "garbage":
			kept.Store(new([garbage]byte))
		case "busy":
			burn(2 * time.Millisecond)
		}
		_, _ = io.WriteString(w, "done")
	})
	mux.HandleFunc("/warm", func(w http.ResponseWriter, _ *http.Request) {
		if asked.Add(1) <= 3 {
			http.Error(w, "warming", http.StatusServiceUnavailable)
		}
	})
	mux.HandleFunc("/stats", func(w http.ResponseWriter, _ *http.Request) {
		n := done.Load()
		if mode == "backwards" {
			n = 1_000_000 - done.Add(1)
		}
		fmt.Fprintf(w, `{"done": %d, "failed": 3, "bytes": %d}`, n, itemBytes*n)
	})
	if mode == "consumer" {
		go func() {
			for range time.Tick(time.Millisecond) {
				for range 100_000 {
					done.Load()
				}
				done.Add(1)
			}
		}()
	}
	profiles, err := net.Listen("tcp", pprof)
	l, listenErr := net.Listen("tcp", addr)
	if err == nil && listenErr == nil {
		go func() { _ = http.Serve(profiles, nil) }()
		fmt.Printf("{\"listen\": %q}\n", addr)
		_ = http.Serve(l, mux)
	}
	os.Exit(1)
}

// burn uses this much CPU time, however long that takes on a busy machine.
func burn(d time.Duration) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for began := threadTime(); threadTime()-began < d; {
	}
}

// threadTime is the CPU time that the calling thread has used.
func threadTime() time.Duration {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts); err != nil {
		panic(err)
	}
	return time.Duration(ts.Nano())
}

func start(t *testing.T, mode string, cfg Config) *Stage {
	t.Helper()
	cfg.Name, cfg.Label, cfg.Env = "the service", mode, []string{modeEnv + "=" + mode}
	cfg.Args = []string{os.Args[0], "127.0.0.1:{port}", "127.0.0.1:{pprof}"}
	cfg.Round = 250 * time.Millisecond
	s, err := Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestMeasureUnderLoad(t *testing.T) {
	s := start(t, "server", Config{Rate: 200, Request: func(addr string, _ uint64) (*http.Request, error) {
		return http.NewRequest(http.MethodGet, "http://"+addr+"/work", nil)
	}})
	told := 0
	if err := s.Await(t.Context(), "/warm", 5*time.Minute, func(body []byte) {
		if strings.TrimSpace(string(body)) == "warming" {
			told++
		}
	}); err != nil || told == 0 {
		t.Fatalf("Await: %v, reported %d times that it warms up", err, told)
	}
	// On a busy machine a round of a quarter of a second may pass without an answer, or four.
	for answered := 0.0; answered == 0; {
		side, err := s.Measure(t.Context(), 4, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range side.Rounds {
			if answered += r[prove.Throughput]; r[prove.RSS] == 0 || r[prove.ErrorShare] != 0 ||
				r[prove.Throughput] > 0 && r[prove.P99] == 0 {
				t.Fatalf("round %d: %v", i, r)
			}
		}
		if len(side.Rounds) != 4 || side.Label != "server" || answered > 0 && side.Whole[prove.P50] == 0 {
			t.Fatalf("side %+v", side)
		}
	}
}

// itemBytes is what the service says that an item of its stream has.
const itemBytes = 1000

// A consumer's rounds come from its own counts.
func TestMeasureItems(t *testing.T) {
	s := start(t, "consumer", Config{Bytes: "/stats"})
	// On a busy machine a round, or four, may pass without an item, and then has no figures of it.
	for done := 0; done == 0; {
		side, err := s.Measure(t.Context(), 4, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range side.Rounds {
			_, latency := r[prove.P50]
			if r[prove.ErrorShare] != 0 || latency || r[prove.Throughput] > 0 && r[prove.CPUPerRequest] == 0 {
				t.Fatalf("round %d: %v, want CPU an item, no errors and no latency", i, r)
			}
			if r[prove.Throughput] > 0 {
				done++
			}
			stream, told := r[prove.Stream]
			if written := r[prove.WrittenPer]; !told || stream > 0 && written <= 0 {
				t.Errorf("round %d: a stream of %v bytes/s (%v), %v written for each: want those of the answers to "+
					"GET /stats at least", i, stream, told, written)
			}
		}
	}
}

func TestMeasureFails(t *testing.T) {
	t.Run("counts backwards", func(t *testing.T) {
		s := start(t, "backwards", Config{})
		if _, err := s.Measure(t.Context(), 2, nil); err == nil || !strings.Contains(err.Error(), "counts backwards") {
			t.Errorf("error is %v", err)
		}
	})
	t.Run("interrupted", func(t *testing.T) {
		s := start(t, "consumer", Config{})
		ctx, cancel := context.WithCancel(t.Context())
		if _, err := s.Measure(ctx, 100, func(int, prove.Round) { cancel() }); err == nil || ctx.Err() == nil {
			t.Errorf("error is %v, want canceled", err)
		}
	})
	t.Run("not ready", func(t *testing.T) {
		s := start(t, "server", Config{})
		for limit := time.Second; ; limit *= 4 { // until an answer came within it
			err := s.Await(t.Context(), "/nothing", limit, nil)
			if err == nil || !strings.Contains(err.Error(), "was not ready within "+limit.String()) {
				t.Fatalf("error is %v", err)
			}
			if strings.Contains(err.Error(), "(GET /nothing: status 404)") {
				return
			}
		}
	})
}

func TestStartWantsPlaces(t *testing.T) {
	_, err := Start(t.Context(), Config{Name: "it", Args: []string{os.Args[0], "127.0.0.1:{port}", "127.0.0.1:0"},
		Env: []string{modeEnv + "=server"}})
	if err == nil || !strings.Contains(err.Error(), "{pprof}") {
		t.Errorf("error is %v", err)
	}
}
