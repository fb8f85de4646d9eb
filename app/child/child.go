// Package child runs a server as a child process for as long as it is measured.
//
// The problem: programs that start processes to measure them leave some behind: after Ctrl-C, after a crash, or when
// the server has its own children. And if a server does not start, its last output has the reason, but it is lost.
//
// The approach: each server has its own process group, which is ended as a whole, first by SIGTERM. On Linux the kernel
// kills the server when we are killed (PR_SET_PDEATHSIG). The command has places for free ports, {port} and {pprof}, so
// that two servers can run at once. The end of a server's output is kept for error messages.
//
// The limits: a server that leaves its process group (setsid) escapes; Stop notices that if its port still answers, and
// reports it. The kernel kills only the server itself, not the processes that it started.
package child

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Places in a command and in its environment that are filled when it is started.
const (
	PortPlace  = "{port}"
	PprofPlace = "{pprof}"
)

// graceTime is how long a server may take to stop after SIGTERM, before SIGKILL.
const graceTime = 5 * time.Second

// A Spec says what to start.
type Spec struct {
	Name string   // for messages: "A"
	Args []string // the command and its arguments, with places for ports
	Env  []string // added to our own environment: NAME=value, with places for ports
	Dir  string   // where it runs; empty: where we do
	// Announces says that the server prints where it listens as its first line, in JSON: Announced reads it. The
	// command may then do without PortPlace.
	Announces bool
	// Row is how many ports {port} is the first of, for servers that count on from theirs; 0 is one.
	Row int
	// Asks is the server that {port} leads to: this process is its load, and gets no port of its own.
	Asks *Process
	// Start, when it is not nil, calls start on a thread that is as the server's first is to be: a process inherits the
	// CPUs that the thread may use which starts it.
	Start func(start func() error) error
}

// Check reports errors in a spec before anything is started.
func (s *Spec) Check() error {
	if len(s.Args) == 0 {
		return fmt.Errorf("the command of %s is empty", s.Name)
	}
	if len(s.Args) > 1 && s.Args[0] == "go" && s.Args[1] == "run" {
		return fmt.Errorf("the command of %s is `go run`, which starts the server as another process and cannot be "+
			"measured: build it first, or let --rev and --against build it", s.Name)
	}
	for _, e := range s.Env {
		if name, _, ok := strings.Cut(e, "="); !ok || name == "" {
			return fmt.Errorf("the environment of %s has %q: want NAME=value", s.Name, e)
		}
	}
	if !s.Announces && !s.has(PortPlace) {
		return fmt.Errorf("the command of %s does not say where its port goes: both servers run at once, so write %s "+
			"where "+
			"the port belongs, for instance: ./server -addr 127.0.0.1:%s", s.Name, PortPlace, PortPlace)
	}
	return nil
}

// has says whether a place occurs in the command or its environment.
func (s *Spec) has(place string) bool {
	return strings.Contains(strings.Join(slices.Concat(s.Env, s.Args), " "), place)
}

// Command returns the spec as a person would type it.
func (s *Spec) Command() string { return Join(append(append([]string(nil), s.Env...), s.Args...)) }

// A Process is a server that was started. Stop must be called.
type Process struct {
	Name string
	Addr string // 127.0.0.1:PORT; empty when the command has no {port}
	// PprofAddr is where {pprof} is; empty when the command has no such place.
	PprofAddr string
	Started   time.Time

	lease  *lease
	cmd    *exec.Cmd
	output Tail
	first  *firstLine
	ended  chan struct{} // closed when it has ended
}

// Start starts a server. It does not wait until the server is ready.
func Start(s Spec) (*Process, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	leased, err := leasePorts(max(s.Row, 1) + 1)
	if err != nil {
		return nil, fmt.Errorf("starting %s: %w", s.Name, err)
	}
	port, pprof := leased.ports[0], leased.ports[len(leased.ports)-1]
	if s.Asks != nil {
		port = s.Asks.lease.ports[0]
	}
	fill := strings.NewReplacer(PortPlace, fmt.Sprint(port), PprofPlace, fmt.Sprint(pprof))
	args := make([]string, len(s.Args))
	for i, a := range s.Args {
		args[i] = fill.Replace(a)
	}
	p := &Process{Name: s.Name, lease: leased, first: newFirstLine(), ended: make(chan struct{})}
	if s.has(PortPlace) && s.Asks == nil {
		p.Addr = fmt.Sprintf("127.0.0.1:%d", port)
	}
	if s.has(PprofPlace) {
		p.PprofAddr = fmt.Sprintf("127.0.0.1:%d", pprof)
	}
	p.cmd = exec.Command(args[0], args[1:]...)
	p.cmd.Dir = s.Dir
	p.cmd.Env = os.Environ()
	for _, e := range s.Env {
		p.cmd.Env = append(p.cmd.Env, fill.Replace(e))
	}
	p.cmd.Stdout, p.cmd.Stderr = &p.output, &p.output
	if s.Announces {
		p.cmd.Stdout = io.MultiWriter(&p.output, p.first)
	}
	// A grandchild that keeps the output open must not keep Wait from returning.
	p.cmd.WaitDelay = time.Second
	p.cmd.SysProcAttr = attributes()
	p.Started = time.Now()
	started := make(chan error, 1)
	go p.run(s.Start, started)
	if err := <-started; err != nil {
		leased.release()
		return nil, fmt.Errorf("starting %s (%s): %w", s.Name, Join(args), err)
	}
	return p, nil
}

// run starts the server and waits for its end, on one thread: the kernel kills a child when the thread that started it
// ends (PR_SET_PDEATHSIG), and Go may end threads that nobody holds.
func (p *Process) run(start func(func() error) error, started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer close(p.ended)
	if start == nil {
		start = func(start func() error) error { return start() }
	}
	err := start(p.cmd.Start)
	started <- err
	if err == nil {
		_ = p.cmd.Wait() // how it ended is in ProcessState
	}
}

// PID returns the server's process.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Err says why the server is not there any more; nil while it is.
func (p *Process) Err() error {
	select {
	case <-p.ended:
		return p.failure("ended by itself: " + p.cmd.ProcessState.String())
	default:
		return nil
	}
}

// failure returns an error with the server's last words.
func (p *Process) failure(text string) error {
	if last := p.output.last(); last != "" {
		return fmt.Errorf("%s %s; its last output:\n%s", p.Name, text, last)
	}
	return fmt.Errorf("%s %s; it printed nothing", p.Name, text)
}

// Failure returns an error about the server with the end of what it wrote.
func (p *Process) Failure(text string) error { return p.failure(text) }

// Stop ends the server and whatever is in its process group, and waits for that. An error says what is left.
func (p *Process) Stop() error {
	_ = terminate(p.cmd.Process) // it may have ended already
	grace := time.NewTimer(graceTime)
	defer grace.Stop()
	select {
	case <-p.ended:
	case <-grace.C:
	}
	_ = kill(p.cmd.Process) // the rest of the group, also when the server itself has ended
	<-p.ended
	defer p.lease.release()
	return p.released()
}

// released waits until the server's ports are free. A killed process may hold them for a moment longer.
func (p *Process) released() error {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	for _, addr := range []string{p.Addr, p.PprofAddr} {
		if addr == "" {
			continue
		}
		if err := awaitClosed(ctx, addr); err != nil {
			return p.failure(fmt.Sprintf("has ended, but %s still answers: it left a process behind that uses the "+
				"port (a daemon?); find it with: ss -ltnp", addr))
		}
	}
	return nil
}

// errStillOpen says that a port did not close in time.
var errStillOpen = errors.New("still open")
