package casebook_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/reporter"
)

// A child is this test binary, run again as a service that watches itself and is killed.
const (
	childVar  = "CASEBOOK_TEST_CHILD" // its mode
	childDir  = "CASEBOOK_TEST_DIR"   // where it keeps its cases
	childURL  = "CASEBOOK_TEST_URL"   // of its collector; empty: none
	modeWatch = "watch"               // only sample
	modeCases = "cases"               // take one case after another
	modeQuick = "quick"               // the same, with cases that take milliseconds
)

// beChild is the service. It says "ready" after three samples, and ends when its standard input does.
func beChild(mode string) int {
	cfg := casebook.Config{
		Dir: os.Getenv(childDir), Interval: 100 * time.Millisecond, Rules: when("goroutines", 1e9), Service: "child",
		ProfileFor: time.Second,
	}
	if mode == modeCases {
		cfg.Rules = when("goroutines", 0, casefile.Goroutine, casefile.Heap, casefile.Metrics, casefile.Runtime)
		cfg.Rules[0].Cooldown, cfg.Rules[0].PerHour = 1, -1
	}
	if mode == modeQuick {
		cfg.Rules = when("goroutines", 0, casefile.Goroutine, casefile.Runtime)
		cfg.Rules[0].Cooldown, cfg.Rules[0].PerHour = 1, -1
	}
	if url := os.Getenv(childURL); url != "" {
		r, err := collectorOf(url, cfg.Dir)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 2
		}
		cfg.Reporters = []reporter.Reporter{r}
	}
	samples := 0
	cfg.OnEvent = func(e casebook.Event) {
		switch e.Kind {
		case casebook.Sampled:
			if samples++; samples == 3 {
				fmt.Println("ready")
			}
		case casebook.Closed:
			fmt.Println(e.CaseID)
		}
	}
	stop, err := casebook.Start(cfg)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
	if err := stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	return 0
}

// startChild starts one and waits until it is ready. lines are what it prints from then on.
func startChild(t *testing.T, mode, dir string, env ...string) (cmd *exec.Cmd, lines *bufio.Scanner) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	cmd = exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(append(os.Environ(), childVar+"="+mode, childDir+"="+dir), env...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close() }) // ends a child whose test has failed
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines = bufio.NewScanner(out)
	for lines.Scan() {
		if lines.Text() == "ready" {
			return cmd, lines
		}
	}
	t.Fatalf("the child ended before it was ready: %v", cmd.Wait())
	return nil, nil
}
