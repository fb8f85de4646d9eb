package load_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/load"
)

// serverEnv makes the test binary a trivial server, so that its CPU is not counted as the generator's.
const serverEnv = "CASEBOOK_LOAD_TEST_SERVER"

// serve answers 200 with a small body until its standard input ends.
func serve() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("http://" + l.Addr().String())
	srv := &http.Server{
		ReadHeaderTimeout: 5 * time.Second,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Write([]byte(`{"phone":"+7 900 000-00-00","kind":"real"}`))
		}),
	}
	go srv.Serve(l)
	bufio.NewReader(os.Stdin).ReadByte()
}

// startServer runs serve in its own process and returns its URL.
func startServer(tb testing.TB) string {
	tb.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), serverEnv+"=1")
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		tb.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		stdin.Close()
		cmd.Wait()
	})
	url, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		tb.Fatalf("reading the server's address: %v", err)
	}
	return strings.TrimSpace(url)
}

func cpuTime(tb testing.TB) time.Duration {
	tb.Helper()
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// BenchmarkGenerator measures the generator's own CPU per request and how late it sends, against a trivial server in
// another process. sender=client is net/http's transport in place of the wire. One iteration is a run of 3 s: use
// -benchtime 1x.
func BenchmarkGenerator(b *testing.B) {
	url := startServer(b)
	for _, rate := range []float64{500, 2000, 5000, 20000} {
		for _, sender := range []string{"wire", "client"} {
			b.Run(fmt.Sprintf("rate=%.0f/sender=%s", rate, sender), func(b *testing.B) {
				cfg := load.Config{Rate: rate, Duration: 3 * time.Second, Request: get(url)}
				if sender == "client" {
					cfg.Client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 4096}}
					defer cfg.Client.CloseIdleConnections()
				}
				benchmarkRun(b, cfg)
			})
		}
	}
}

func benchmarkRun(b *testing.B, cfg load.Config) {
	b.ReportAllocs()
	var cpu time.Duration
	var sent uint64
	var last load.Result
	for b.Loop() {
		before := cpuTime(b)
		res, err := load.Run(context.Background(), cfg)
		if err != nil {
			b.Fatal(err)
		}
		cpu += cpuTime(b) - before
		sent += res.Sent
		last = res
	}
	b.ReportMetric(float64(cpu.Nanoseconds())/1e3/float64(sent), "cpu-µs/req")
	b.ReportMetric(float64(last.Lag.P50().Microseconds()), "lag-p50-µs")
	b.ReportMetric(float64(last.Lag.P99().Microseconds()), "lag-p99-µs")
	b.ReportMetric(float64(last.Latency.P50().Microseconds()), "p50-µs")
	b.ReportMetric(float64(last.Latency.P99().Microseconds()), "p99-µs")
	b.ReportMetric(last.Throughput(), "ok/s")
}

// get builds GET requests for a URL.
func get(url string) func(uint64) (*http.Request, error) {
	return func(uint64) (*http.Request, error) { return http.NewRequest(http.MethodGet, url, nil) }
}
