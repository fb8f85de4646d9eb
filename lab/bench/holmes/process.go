package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/gocasebook/casebook/app/prove"
)

// A process is a child, as its parent sees it.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	events chan event // closed when the child has ended
	addr   string
	usage  *prove.Sampler
}

// startChild starts a service with a watcher inside, and waits until it serves.
func startChild(ctx context.Context, w, dir string, r role) (*process, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, exe, childArg, "-watcher", w, "-dir", dir, fmt.Sprintf("-spikes=%t", r.spikes),
		fmt.Sprintf("-stock=%d", r.stock))
	if r.spikes {
		ownSession(cmd)
	}
	cmd.Stderr = os.Stderr
	p := &process{cmd: cmd, events: make(chan event, 4096)}
	if p.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	if r.spikes {
		urgent(cmd.Process.Pid)
	}
	go p.read(out) // ends with the child
	e, err := p.await(ctx, evReady, 30*time.Second)
	if err == nil {
		p.addr = e.Text
		p.usage, err = prove.NewSampler(cmd.Process.Pid)
	}
	if err != nil {
		p.stop()
		return nil, fmt.Errorf("starting a service with %s: %w", w, err)
	}
	return p, nil
}

func (p *process) read(out io.Reader) {
	defer close(p.events)
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			continue // holmes prints to stdout
		}
		p.events <- e
	}
}

// await waits for an event of a kind, and drops those before it.
func (p *process) await(ctx context.Context, kind string, patience time.Duration) (event, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		select {
		case e, ok := <-p.events:
			switch {
			case !ok:
				return event{}, fmt.Errorf("the service ended before %q", kind)
			case e.Kind == kind:
				return e, nil
			case e.Kind == evError:
				return e, fmt.Errorf("the service says: %s", e.Text)
			}
		case <-ctx.Done():
			return event{}, fmt.Errorf("waiting for %q: %w", kind, ctx.Err())
		}
	}
}

func (p *process) ask(format string, args ...any) error {
	_, err := fmt.Fprintf(p.in, format+"\n", args...)
	return err
}

// stop ends the child by ending its input, and by force when that takes too long.
func (p *process) stop() {
	_ = p.in.Close()
	timer := time.AfterFunc(15*time.Second, func() { _ = p.cmd.Process.Kill() })
	defer timer.Stop()
	for range p.events { // until the child has closed its output
	}
	_ = p.cmd.Wait() // its own error was told as an event
}
