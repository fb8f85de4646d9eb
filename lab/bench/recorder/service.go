package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/prove"
)

// A service is a child process, as its parent sees it.
type service struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
	addr  string
	usage *prove.Sampler
}

func startService(ctx context.Context, mode string) (*service, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	s := &service{cmd: exec.CommandContext(ctx, self, childArg, mode)}
	s.cmd.Stderr = os.Stderr
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	s.out = bufio.NewReader(out)
	if s.addr, err = s.line(); err == nil {
		s.usage, err = prove.NewSampler(s.cmd.Process.Pid)
	}
	if err != nil {
		s.stop()
		return nil, fmt.Errorf("starting the service %s: %w", mode, err)
	}
	return s, nil
}

// line is what the child says next.
func (s *service) line() (string, error) {
	l, err := s.out.ReadString('\n')
	return strings.TrimSpace(l), err
}

// turn saturates the service.
func (s *service) turn(ctx context.Context, d time.Duration) (l load, err error) {
	if _, err = s.usage.Next(); err != nil {
		return l, err
	}
	if l.answers, err = saturate(ctx, s.addr, d); err != nil {
		return l, err
	}
	used, err := s.usage.Next()
	if err != nil {
		return l, err
	}
	l.cpu = used.CPUSeconds
	if _, err := fmt.Fprintln(s.in, "mode"); err != nil {
		return l, err
	}
	mode, err := s.line()
	if mode == "on" || mode == "armed" {
		l.recorded = 1
	}
	return l, err
}

// stop ends the child by ending its input.
func (s *service) stop() {
	_ = s.in.Close()
	timer := time.AfterFunc(10*time.Second, func() { _ = s.cmd.Process.Kill() })
	defer timer.Stop()
	_ = s.cmd.Wait() // its own words are on standard error
}
