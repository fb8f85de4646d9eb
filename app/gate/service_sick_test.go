//go:build linux

package gate

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// sickServer is a server that behaves as Mode says.
func sickServer(mode string) string {
	return `package main

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"sync/atomic"
)

func main() {
	addr := flag.String("addr", "", "")
	flag.Parse()
	mode := "` + mode + `"
	if mode == "deaf" {
		fmt.Println("waiting for the database")
		select {}
	}
	var n atomic.Int64
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		switch k := n.Add(1); {
		case mode == "broken", mode == "flaky" && k%5 == 0:
			http.Error(w, "no", http.StatusInternalServerError)
		case mode == "dies" && k == 100:
			fmt.Fprintln(os.Stderr, "fatal error: out of paper")
			os.Exit(3)
		}
	})
	fmt.Fprintln(os.Stderr, http.ListenAndServe(*addr, nil))
	os.Exit(1)
}
`
}

// TestServiceFails: when a head cannot be measured, the error has its last words, and nothing is left.
func TestServiceFails(t *testing.T) {
	tmp := ownTemp(t)
	r := newServer(t, sickServer("well"))
	for _, c := range []struct {
		mode string
		want []string
	}{
		{"deaf", []string{"the head was not ready within ", "waiting for the database"}},
		{"dies", []string{"the head ended by itself: exit status 3", "out of paper"}},
		{"broken", []string{"the head answers only errors"}},
		{"flaky", []string{"the head answers ", " % of its requests with errors, the base 0 %", "--fail-on"}},
		{"does not compile\n", []string{"building ./cmd/server of working tree", "newline in string"}},
	} {
		t.Run(strings.TrimSpace(c.mode), func(t *testing.T) {
			r.write("cmd/server/main.go", sickServer(c.mode))
			cfg := serviceConfig(t, r, "p50:+5%", "/")
			if c.mode == "deaf" {
				cfg.Service.Trial.ReadyTimeout = enough(t, r)
			}
			_, err := Run(t.Context(), cfg)
			for _, want := range c.want {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("error = %v, want it to say %q", err, want)
				}
			}
		})
	}
	noneLeft(t, r, tmp)
}

// enough is how long a server of this repository needs at most on this machine, as busy as it is: five times what a
// server needed that only prints its first line.
func enough(t *testing.T, r *repo) time.Duration {
	t.Helper()
	exe := filepath.Join(t.TempDir(), "server")
	build := exec.Command("go", "build", "-o", exe, "./cmd/server")
	build.Dir = r.dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	slowest := 200 * time.Millisecond
	for range 3 {
		began := time.Now()
		cmd := exec.Command(exe, "-addr", "127.0.0.1:0")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 1)); err != nil {
			t.Error(err)
		}
		slowest = max(slowest, time.Since(began))
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
	}
	return 5 * slowest
}

func TestServiceRefuses(t *testing.T) {
	r := newServer(t, sickServer("well"))
	for _, c := range []struct {
		name   string
		limits string
		change func(*Config)
		want   string
	}{
		{"no package", "p50:+5%", func(c *Config) { c.Service.Package = "server" }, `"server" is not one`},
		{"no port", "p50:+5%", func(c *Config) { c.Service.Args = nil }, "does not say where its port goes"},
		{"a benchmark's figure", "time:+5%", nil, `a service has no figure "time"`},
		{"few requests", "cpu_per_request:+5%", func(c *Config) { c.Service.Trial.Rate = 1 }, "requests a slice"},
		{"slices too short for p99", "p99:+5%", func(c *Config) { c.Service.Trial.Rate = 600 },
			"too few requests for p99 at 600 a second in slices of 100ms: want slices of at least 250ms"},
		{"a rate too low for p99.9", "p99.9:+5%", func(c *Config) { c.Service.Trial.Rate, c.Service.Trial.Slice = 600, 0 },
			"p99.9 at 600 requests a second needs slices of 2.21s"},
		{"nothing serves pprof", "allocs:+5%", nil, `nothing measures "allocs"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := serviceConfig(t, r, c.limits, "/")
			cfg.MeasureIdentical = true
			if c.change != nil {
				c.change(&cfg)
			}
			if _, err := Run(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error = %v, want it to say %q", err, c.want)
			}
		})
	}
}
