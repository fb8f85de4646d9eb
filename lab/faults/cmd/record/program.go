package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/lab/faults"
)

// kinds are those that tell something of a fault: mutex and block profiles only where they are armed.
func kinds(f faults.Fault) []string {
	all := []string{casefile.Runtime, casefile.GoroutineDump, casefile.Goroutine, casefile.GoroutineLeak, casefile.Heap,
		casefile.CPU}
	if f.Trace {
		return []string{casefile.Trace}
	}
	if f.MutexFraction > 0 {
		all = append(all, casefile.Mutex)
	}
	if f.BlockRate > 0 {
		all = append(all, casefile.Block)
	}
	if f.Expvar {
		all = append(all, casefile.Metrics)
	}
	return all
}

// A builder compiles cmd/fault, once for each GOEXPERIMENT that is asked for.
type builder struct {
	dir  string
	bins map[string]string
}

func newBuilder() (*builder, error) {
	dir, err := os.MkdirTemp("", "casebook-fault-")
	if err != nil {
		return nil, fmt.Errorf("making a folder for the program: %w", err)
	}
	return &builder{dir, make(map[string]string)}, nil
}

func (b *builder) close() { os.RemoveAll(b.dir) }

// bin is the program, without the paths of this machine in it.
func (b *builder) bin(ctx context.Context, experiment string) (string, error) {
	if bin, ok := b.bins[experiment]; ok {
		return bin, nil
	}
	bin := filepath.Join(b.dir, "fault"+experiment)
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-o", bin,
		"github.com/gocasebook/casebook/lab/faults/cmd/fault")
	if experiment != "" {
		cmd.Env = append(os.Environ(), "GOEXPERIMENT="+experiment)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building cmd/fault: %w\n%s", err, out)
	}
	b.bins[experiment] = bin
	return bin, nil
}

// start runs a fault and waits for its URL. stop ends it.
func start(ctx context.Context, bin, kind, variant string) (url string, stop func() error, err error) {
	cmd := exec.CommandContext(ctx, bin, "-kind", kind, "-variant", variant)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return "", nil, fmt.Errorf("starting the fault: %w", err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, fmt.Errorf("starting the fault: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return "", nil, fmt.Errorf("starting the fault: %w", err)
	}
	stop = func() error {
		stdin.Close()
		return cmd.Wait()
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		return "", nil, errors.Join(fmt.Errorf("the fault gave no URL: %w", err), stop())
	}
	return strings.TrimSpace(line), stop, nil
}

// turn waits until this recorder may go on: no other records a program, and the machine's load is below a limit.
func turn(ctx context.Context, maxLoad float64) (unlock func(), err error) {
	unlock, err = lock(ctx)
	if err == nil {
		awaitQuiet(ctx, maxLoad)
	}
	return unlock, err
}

// awaitQuiet waits until the machine's load of the last minute is below a limit, for 5 minutes at the most. Where the
// load cannot be read it does not wait.
func awaitQuiet(ctx context.Context, limit float64) {
	said := false
	for deadline := time.Now().Add(5 * time.Minute); limit > 0 && ctx.Err() == nil && time.Now().Before(deadline); {
		var load float64
		text, err := os.ReadFile("/proc/loadavg")
		if err != nil {
			return
		}
		if _, err := fmt.Sscan(string(text), &load); err != nil || load < limit {
			return
		}
		if !said {
			fmt.Fprintf(os.Stderr, "the load is %.1f: waiting for less than %.1f\n", load, limit)
			said = true
		}
		select {
		case <-ctx.Done():
		case <-time.After(3 * time.Second):
		}
	}
}
