// Command targets says what one `casebook watch` takes for a thousand targets at one sample a second, and how many samples
// it misses. In lab:
//
//	go run ./bench/targets -n 1000 -for 2m -casebook ../bin/casebook
//
// The targets are simulated: one process listens on a port for each, and answers what one of five services by other
// hands answered (testdata: Debian's prometheus, prometheus-alertmanager, etcd, caddy and nats-server under a small load),
// byte for byte, but that the counters of runtime.MemStats grow as they grew in the recording. All ports belong to one
// process of this machine, so that watch also reads /proc for each, which it could not of another machine. CPU and peak
// memory are the watch's own, as the kernel counts them; the process that answers competes for the same cores.
package main

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/gocasebook/casebook/internal/number"
)

// targetsArg makes this program the targets.
const targetsArg = "targets"

func main() {
	if len(os.Args) == 3 && os.Args[1] == targetsArg {
		if err := serveTargets(os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, "bench-targets: targets:", err)
			os.Exit(1)
		}
		return
	}
	casebook := flag.String("casebook", "../bin/casebook", "the `binary` to measure")
	n := flag.Int("n", 1000, "how many `targets` are watched")
	span := flag.Duration("for", 2*time.Minute, "how long they are watched")
	interval := flag.Duration("interval", time.Second, "time between samples of a target")
	flag.Parse()
	if err := measure(*casebook, *n, *span, *interval); err != nil {
		fmt.Fprintln(os.Stderr, "bench-targets:", err)
		os.Exit(1)
	}
}

func measure(casebook string, n int, span, interval time.Duration) (err error) {
	load, _ := os.ReadFile("/proc/loadavg")
	dir, err := os.MkdirTemp("", "bench-targets-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	config, end, err := startTargets(dir, n)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	cmd := exec.Command(casebook, "watch", "--config", config, "--dir", filepath.Join(dir, "cases"), "--for",
		span.String(), "--interval", interval.String())
	cmd.Stdout, cmd.Stderr = io.Discard, &out
	began := time.Now()
	err = cmd.Run()
	wall := time.Since(began).Seconds()
	asked := end()
	if err != nil {
		return fmt.Errorf("%w: %.2000s", err, out.Bytes())
	}
	u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return errors.New("this system does not say what a process took")
	}
	s, err := readSummaries(&out)
	if err != nil {
		return err
	}
	due := float64(n) * span.Seconds() / interval.Seconds()
	fmt.Printf("%d targets, a sample of each every %v for %v, load before %.14s\n", n, interval, span, load)
	fmt.Printf("CPU      %.2f cores (user %.1f s, system %.1f s in %.1f s)\n", float64(u.Utime.Nano()+u.Stime.Nano())/1e9/
		wall, float64(u.Utime.Nano())/1e9, float64(u.Stime.Nano())/1e9, wall)
	fmt.Printf("memory   %s resident at most\n", number.Bytes(float64(u.Maxrss)*1024))
	fmt.Printf("samples  %d of %.0f due (%.2f %%); late %d, skipped %d, failed %d; %d of %d targets answered\n", s.samples,
		due, 100*float64(s.samples)/due, s.late, s.skipped, s.failed, s.targets, n)
	fmt.Printf("cases    %d\n%s", s.cases, asked)
	return nil
}

// startTargets starts the targets and writes a file with their addresses for --config. end ends them, and returns what
// they were asked.
func startTargets(dir string, n int) (config string, end func() string, err error) {
	self, err := os.Executable()
	if err != nil {
		return "", nil, err
	}
	cmd := exec.Command(self, targetsArg, strconv.Itoa(n))
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return "", nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	lines := bufio.NewScanner(out)
	var text strings.Builder
	text.WriteString("targets:\n")
	for i := 0; i < n && lines.Scan(); i++ {
		fmt.Fprintf(&text, "- url: http://%s\n  service: target-%d\n", lines.Text(), i)
	}
	config = filepath.Join(dir, "watch.yaml")
	return config, func() string {
		_ = in.Close() // it ends with its input
		rest, _ := io.ReadAll(out)
		_ = cmd.Wait()
		return string(rest)
	}, os.WriteFile(config, []byte(text.String()), 0o600)
}

// A summary is the sum of what a watch says of its targets at its end.
type summary struct{ targets, samples, late, skipped, failed, cases int }

var counted = regexp.MustCompile(`([\d,]+) (samples?|late|skipped|failed|cases?)\b`)

// readSummaries adds up the lines "watched" and "cases" of all targets; a line that begins with a space goes on with the
// one before.
func readSummaries(r io.Reader) (s summary, err error) {
	of := map[string]*int{"sample": &s.samples, "late": &s.late, "skipped": &s.skipped, "failed": &s.failed,
		"case": &s.cases}
	label := ""
	for lines := bufio.NewScanner(r); lines.Scan(); {
		l := lines.Text()
		if first, _, _ := strings.Cut(l, " "); first != "" {
			label = first
			if label == "watched" {
				s.targets++
			}
		}
		if label != "watched" && label != "cases" {
			continue
		}
		for _, m := range counted.FindAllStringSubmatch(l, -1) {
			k, err := strconv.Atoi(strings.ReplaceAll(m[1], ",", ""))
			if err != nil {
				return s, err
			}
			*of[strings.TrimSuffix(m[2], "s")] += k
		}
	}
	if s.targets == 0 {
		return s, errors.New("the watch printed no summary")
	}
	return s, nil
}
