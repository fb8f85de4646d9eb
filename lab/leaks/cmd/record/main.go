// Command record keeps the evidence of the ways of lab/leaks, as `casebook capture` takes it, for the tests of package
// diagnose. In app/: go run ./lab/leaks/cmd/record -keep -run 'timeout-.*'
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/lab/faults/evidence"
)

// A run is one way at one size.
type run struct {
	what     string
	standing int     // requests' worth of goroutines from the start
	rate     float64 // requests a second, at random moments
	ramp     bool    // the rate grows from nothing while evidence is taken
	hold     bool    // requests are not waited for: they are held open
}

func (r run) name() string {
	name := fmt.Sprintf("%s-%d", r.what, r.standing)
	if r.ramp {
		name += "-ramp"
	}
	return name
}

func runs() []run {
	return []run{
		{what: "timeout", standing: 100, rate: 20}, {what: "timeout", standing: 2000, rate: 20},
		{what: "timeout", standing: 30_000, rate: 40}, {what: "timeout", standing: 200_000, rate: 40},
		{what: "timeout", standing: 30_000, rate: 2},
		{what: "fanin", standing: 100, rate: 10}, {what: "fanin", standing: 8000, rate: 20},
		{what: "range", standing: 2000, rate: 30}, {what: "range", standing: 100_000, rate: 30},
		{what: "waitgroup", standing: 100, rate: 20}, {what: "waitgroup", standing: 20_000, rate: 30},
		{what: "cond", standing: 2000, rate: 20}, {what: "cond", standing: 50_000, rate: 40},
		{what: "errgroup", standing: 100, rate: 10}, {what: "errgroup", standing: 10_000, rate: 20},
		{what: "poll", standing: 2000, rate: 20}, {what: "poll", standing: 30_000, rate: 40},
		{what: "sleep", standing: 2000, rate: 20}, {what: "sleep", standing: 30_000, rate: 40},
		{what: "context", standing: 2000, rate: 20}, {what: "context", standing: 100_000, rate: 40},
		{what: "audit", standing: 7000, rate: 20}, {what: "audit", standing: 40_000, rate: 40},

		{what: "pool", rate: 390}, {what: "pool", rate: 460}, {what: "backlog", standing: 12_000, rate: 250},
		{what: "backlog", standing: 3000, rate: 330}, {what: "limiter", rate: 480}, {what: "pipeline", rate: 20},
		{what: "longpoll", rate: 60}, {what: "longpoll", rate: 100, ramp: true},
		{what: "sockets", rate: 60, hold: true}, {what: "sockets", rate: 100, hold: true, ramp: true},
		{what: "workers", rate: 300}, {what: "sessions", rate: 200}, {what: "sessions", rate: 400},
	}
}

func main() {
	keep := flag.Bool("keep", false, "write into evidence/cases; without it nothing is written")
	only := flag.String("run", ".*", "`regexp` of names")
	flag.Parse()
	match := regexp.MustCompile("^(?:" + *only + ")$")
	bin := filepath.Join(os.TempDir(), fmt.Sprintf("casebook-leaks-%d", os.Getpid()))
	if msg, err := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-o", bin,
		"./lab/leaks").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "building: %v\n%s", err, msg)
		os.Exit(1)
	}
	defer os.Remove(bin)
	for i, r := range runs() {
		name := fmt.Sprintf("%s-r%g", r.name(), r.rate)
		if !match.MatchString(name) {
			continue
		}
		fmt.Println(i, name)
		if err := r.record(bin, name, *keep); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		}
	}
}

// record runs the service under its load, takes a case of it, and writes what the case holds.
func (r run) record(bin, name string, keep bool) error {
	cmd := exec.Command(bin, "-what", r.what, "-standing", fmt.Sprint(r.standing))
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	defer func() { cmd.Process.Kill(); cmd.Wait() }()
	url, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		return fmt.Errorf("it printed no URL: %w", err)
	}
	url = strings.TrimSpace(url)
	go io.Copy(io.Discard, stdout)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go r.load(ctx, url+"/work")
	warm := 12 * time.Second
	if r.ramp {
		warm = 4 * time.Second
	}
	kinds := []string{casefile.Goroutine, casefile.Heap, casefile.CPU}
	m, err := evidence.Take(ctx, evidence.Plan{URL: url + "/debug/pprof/", Warm: warm, Before: 3 * time.Second,
		CPU: 8 * time.Second, Kinds: kinds})
	if err != nil {
		return err
	}
	m.Program = fmt.Sprintf("lab/leaks -what %s -standing %d, %g requests/s", r.what, r.standing, r.rate)
	if err := m.Clean(); err != nil || !keep {
		return err
	}
	return m.Keep("leaks/" + name)
}

// load sends requests at random moments.
func (r run) load(ctx context.Context, url string) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 2000}}
	start := time.Now()
	for ctx.Err() == nil {
		rate := r.rate
		if r.ramp {
			rate *= min(1, time.Since(start).Seconds()/12)
		}
		time.Sleep(time.Duration(rand.ExpFloat64() / max(rate, 1) * 1e9))
		if r.hold {
			go r.socket(ctx, url)
			continue
		}
		go func() {
			req, _ := http.NewRequestWithContext(ctx, "GET", url, nil)
			if res, err := client.Do(req); err == nil {
				io.Copy(io.Discard, res.Body)
				res.Body.Close()
			}
		}()
	}
}

// socket keeps a connection open for a while, as a browser does.
func (r run) socket(ctx context.Context, url string) {
	host := strings.TrimPrefix(strings.TrimSuffix(url, "/work"), "http://")
	conn, err := net.Dial("tcp", host)
	if err != nil {
		return
	}
	defer conn.Close()
	fmt.Fprintf(conn, "GET /work HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n", host)
	select {
	case <-ctx.Done():
	case <-time.After(time.Duration(rand.ExpFloat64() * 20e9)):
	}
}
