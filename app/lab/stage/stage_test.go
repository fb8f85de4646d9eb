package stage

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	_ "net/http/pprof"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

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
	started := time.Now()
	mux := http.NewServeMux()
	mux.HandleFunc("/work", func(w http.ResponseWriter, _ *http.Request) {
		switch mode {
		case "garbage":
			kept.Store(new([garbage]byte))
		case "busy":
			for began := time.Now(); time.Since(began) < 2*time.Millisecond; {
			}
		}
		_, _ = io.WriteString(w, "done")
	})
	mux.HandleFunc("/warm", func(w http.ResponseWriter, _ *http.Request) {
		if time.Since(started) < time.Second {
			http.Error(w, "warming", http.StatusServiceUnavailable)
		}
	})
	mux.HandleFunc("/stats", func(w http.ResponseWriter, _ *http.Request) {
		n := done.Load()
		if mode == "backwards" {
			n = 1_000_000 - done.Add(1)
		}
		fmt.Fprintf(w, `{"done": %d, "failed": 3}`, n)
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
	if err := s.Await(t.Context(), "/warm", 20*time.Second, func(body []byte) {
		if strings.TrimSpace(string(body)) == "warming" {
			told++
		}
	}); err != nil || told == 0 {
		t.Fatalf("Await: %v, told %d times that it warms", err, told)
	}
	side, err := s.Measure(t.Context(), 4, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(side.Rounds) != 4 || side.Label != "server" || side.Whole[prove.P50] == 0 {
		t.Fatalf("side %+v", side)
	}
	for i, r := range side.Rounds {
		if r[prove.Throughput] == 0 || r[prove.P99] == 0 || r[prove.RSS] == 0 || r[prove.ErrorShare] != 0 {
			t.Errorf("round %d: %v", i, r)
		}
	}
}

// A consumer's rounds come from its own counts.
func TestMeasureItems(t *testing.T) {
	s := start(t, "consumer", Config{})
	side, err := s.Measure(t.Context(), 4, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range side.Rounds {
		_, latency := r[prove.P50]
		if r[prove.Throughput] == 0 || r[prove.CPUPerRequest] == 0 || r[prove.ErrorShare] != 0 || latency {
			t.Errorf("round %d: %v, want throughput and CPU an item, no errors and no latency", i, r)
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
		err := s.Await(t.Context(), "/nothing", time.Second, nil)
		if err == nil || !strings.Contains(err.Error(), "was not ready within 1s (GET /nothing: status 404)") {
			t.Errorf("error is %v", err)
		}
	})
}

func TestStartWantsPlaces(t *testing.T) {
	_, err := Start(t.Context(), Config{Name: "it", Args: []string{os.Args[0], "127.0.0.1:{port}", "127.0.0.1:0"}, Env: []string{modeEnv + "=server"}})
	if err == nil || !strings.Contains(err.Error(), "{pprof}") {
		t.Errorf("error is %v", err)
	}
}
