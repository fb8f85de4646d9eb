package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// A command is a binary and the folder that it works on.
type command struct {
	ctx      context.Context
	casebook string
	dir      string
}

// run prints what one command takes.
func (c command) run(what string, args ...string) error {
	cmd := exec.CommandContext(c.ctx, c.casebook, append(args, "--dir", c.dir)...)
	out := &counter{}
	cmd.Stdout, cmd.Stderr = out, os.Stderr
	begun := time.Now()
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	row(what, time.Since(begun), cmd.ProcessState, fmt.Sprintf("%d lines", out.lines))
	return nil
}

// watch prints how long a watch takes until it has met its target, and until its first sample.
func (c command) watch(target string, keep []string) error {
	cmd := exec.CommandContext(c.ctx, c.casebook, append([]string{"watch", "--json", "--for", "3s", "--dir", c.dir,
		target}, keep...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	begun := time.Now()
	if err := cmd.Start(); err != nil {
		return err
	}
	var started, sampled time.Duration
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		switch line := lines.Text(); {
		case started == 0 && strings.Contains(line, `"event":"started"`):
			started = time.Since(begun)
		case sampled == 0 && strings.Contains(line, `"event":"sample"`):
			sampled = time.Since(begun)
		}
	}
	if err := cmd.Wait(); err != nil || started == 0 {
		return fmt.Errorf("watch: started after %s: %v", started, err)
	}
	row("watch: start", started, cmd.ProcessState, fmt.Sprintf("first sample at %s", sampled.Round(time.Millisecond)))
	return nil
}

func row(what string, took time.Duration, p *os.ProcessState, more string) {
	peak := "?"
	if usage, ok := p.SysUsage().(*syscall.Rusage); ok {
		peak = fmt.Sprintf("%d MB", usage.Maxrss>>10) // KiB on Linux
	}
	cpu := p.UserTime() + p.SystemTime()
	fmt.Printf("  %-24s %9s  CPU %9s  peak %7s  %s\n", what, took.Round(time.Millisecond), cpu.Round(time.Millisecond),
		peak, more)
}

// A counter counts lines.
type counter struct{ lines int }

var _ io.Writer = (*counter)(nil)

func (c *counter) Write(p []byte) (int, error) {
	c.lines += bytes.Count(p, []byte{'\n'})
	return len(p), nil
}
