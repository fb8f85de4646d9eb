package demo

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/gocasebook/casebook/app/prove/child"
)

// A process is a child that is a service. It prints its addresses as one line of JSON when it listens.
type process struct {
	cmd    *exec.Cmd
	name   string
	errors child.Tail
	ended  chan struct{} // closed when it has ended
}

// startupTime bounds the time until a child says where it listens.
const startupTime = 30 * time.Second

// graceTime is how long a child may take to stop after SIGTERM, before SIGKILL.
const graceTime = 8 * time.Second

// start runs binary with args and decodes the line of addresses it prints into addresses.
func start(ctx context.Context, name, binary string, args, env []string, addresses any) (*process, error) {
	p := &process{cmd: exec.Command(binary, args...), name: name, ended: make(chan struct{})}
	p.cmd.Env = append(os.Environ(), env...)
	p.cmd.Stderr = &p.errors
	p.cmd.SysProcAttr = childAttributes()
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("starting %s: %w", name, err)
	}
	started := make(chan error, 1)
	lines := make(chan string, 1)
	go p.run(started, stdout, lines)
	if err := <-started; err != nil {
		return nil, fmt.Errorf("starting %s: %w", name, err)
	}
	timeout := time.NewTimer(startupTime)
	defer timeout.Stop()
	select {
	case line := <-lines:
		if err := json.Unmarshal([]byte(line), addresses); err == nil {
			return p, nil
		}
		err = fmt.Errorf("%s did not start: %s", name, p.why())
	case <-timeout.C:
		err = fmt.Errorf("%s did not say within %s where it listens", name, startupTime)
	case <-ctx.Done():
		err = ctx.Err()
	}
	p.stop()
	return nil, err
}

// run starts the child and waits for its end, on one thread: the kernel ends a child with the thread that started it
// (PR_SET_PDEATHSIG), and Go may end threads that nobody holds.
func (p *process) run(started chan<- error, stdout io.Reader, lines chan<- string) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.cmd.Start()
	started <- err
	if err != nil {
		close(p.ended)
		return
	}
	r := bufio.NewReader(stdout)
	line, _ := r.ReadString('\n') // an error shows as a line that is no JSON
	lines <- line
	_, _ = io.Copy(io.Discard, r)
	_ = p.cmd.Wait() // how it ended is in ProcessState
	close(p.ended)
}

// stop ends the child, gracefully if it can, and waits until it has.
func (p *process) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // it may have ended already
	grace := time.NewTimer(graceTime)
	defer grace.Stop()
	select {
	case <-p.ended:
		return
	case <-grace.C:
		_ = p.cmd.Process.Kill()
		<-p.ended
	}
}

// failed says why the child is not there any more; nil while it is.
func (p *process) failed() error {
	select {
	case <-p.ended:
		return fmt.Errorf("%s ended by itself: %s", p.name, p.why())
	default:
		return nil
	}
}

// why is the exit status and the last words of a child.
func (p *process) why() string {
	select {
	case <-p.ended:
	case <-time.After(time.Second): // it closed its output; its end is near
	}
	text := "it still runs"
	if st := p.cmd.ProcessState; st != nil {
		text = st.String()
	}
	if last := lastWords(&p.errors); last != "" {
		text += ": " + last
	}
	return text
}

// lastWords is the line with which the Go runtime ended a program, or else the last two lines: the second may only point to
// the help.
func lastWords(t *child.Tail) string {
	lines, crashed := t.Last(2)
	if crashed {
		return lines[0]
	}
	return strings.Join(lines, "; ")
}
