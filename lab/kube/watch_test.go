package kube

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

const (
	watched = 500 // containers: as many as one process watches by default
	goOn    = 30 * time.Second
)

// The command itself watches 500 containers of the real API server's, a sample of each a second: the time to the
// first watch and to the last, and what the process takes. The containers are simulated by one process
// (lab/bench/targets), whose answers are those of five real services. How long it takes is logged, because it depends
// on the machine; all must be watched.
func TestFirstWatch(t *testing.T) {
	c, token := account(t)
	casebook, targets := os.Getenv("CASEBOOK"), os.Getenv("CASEBOOK_TARGETS")
	if casebook == "" || targets == "" {
		t.Skip("CASEBOOK and CASEBOOK_TARGETS do not name the commands; make kube does")
	}
	c.namespace(t, "live")
	ports := simulate(t, targets, watched)
	c.manyPods(t, watched, func(i int) object {
		return podAt("live", fmt.Sprintf("svc-%03d", i), "127.0.0.1", ports[i])
	})
	dir := t.TempDir()
	config := filepath.Join(dir, "config")
	if err := os.WriteFile(config, fmt.Appendf(nil, `current-context: test
clusters: [{name: test, cluster: {server: %q, certificate-authority: %q}}]
users: [{name: casebook, user: {token: %q}}]
contexts: [{name: test, context: {cluster: test, user: casebook}}]
`, c.Server, c.CA, token), 0o600); err != nil {
		t.Fatal(err)
	}
	load, _ := os.ReadFile("/proc/loadavg")
	cmd := exec.Command(casebook, "watch", "--kubernetes", "--namespace", "live", "--json", "--dir", dir)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+config)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	late := time.AfterFunc(patience, func() { _ = cmd.Process.Signal(syscall.SIGINT) })
	s := follow(t, out, began, func() {
		late.Stop()
		time.AfterFunc(goOn, func() { _ = cmd.Process.Signal(syscall.SIGINT) })
	})
	if err := cmd.Wait(); err != nil {
		t.Errorf("casebook watch ended with %v", err)
	}
	if s.started < watched {
		t.Errorf("%d of %d are watched", s.started, watched)
	}
	t.Logf("load before %.14s; %d starts got no answer and were tried again", load,
		bytes.Count(said.Bytes(), []byte("target does not answer")))
	t.Logf("samples: %d of %.0f that were due; %d targets did not answer for a while", s.samples, s.due, s.lost)
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		cpu := time.Duration(u.Utime.Nano() + u.Stime.Nano())
		t.Logf("CPU %.2f cores, %d MiB resident at most, in %s", cpu.Seconds()/time.Since(began).Seconds(), u.Maxrss>>10,
			time.Since(began).Round(time.Second))
	}
}

// A course is what the lines of a watch said.
type course struct {
	started, lost, samples int
	due                    float64 // samples, at one a second since each start
}

// follow reads what a watch writes until it ends. all is called when all are watched.
func follow(t *testing.T, out io.Reader, began time.Time, all func()) (s course) {
	t.Helper()
	lines := bufio.NewReader(out)
	var starts time.Duration // their sum
	for {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			s.due = (time.Duration(s.started)*time.Since(began) - starts).Seconds()
			return s
		}
		if err != nil {
			t.Fatal(err)
		}
		var e struct{ Event string }
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		switch e.Event {
		case "started":
			s.started++
			starts += time.Since(began)
			if s.started == 1 || s.started == watched/2 || s.started == watched {
				t.Logf("watch %d of %d after %s", s.started, watched, time.Since(began).Round(10*time.Millisecond))
			}
			if s.started == watched {
				all()
			}
		case "lost":
			s.lost++
		case "sample":
			s.samples++
		}
	}
}

// simulate starts n targets and returns their ports.
func simulate(t *testing.T, targets string, n int) (ports []int) {
	t.Helper()
	cmd := exec.Command(targets, "targets", strconv.Itoa(n))
	in, err := cmd.StdinPipe() // they end with it
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(out)
	for len(ports) < n && lines.Scan() {
		_, port, err := net.SplitHostPort(lines.Text())
		if err != nil {
			t.Fatal(err)
		}
		p, err := strconv.Atoi(port)
		if err != nil {
			t.Fatal(err)
		}
		ports = append(ports, p)
	}
	if len(ports) < n {
		t.Fatalf("%d of %d targets are there", len(ports), n)
	}
	return ports
}
