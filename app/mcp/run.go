package mcp

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/gocasebook/casebook/app/child"
)

// Bounds of runs.
const (
	mostRuns   = 16
	mostOutput = 32 << 20 // of standard output; the result of a long proof has 1 MB
	mostTail   = 4 << 10  // of standard error
	grace      = 30 * time.Second
)

// States of a run.
const (
	running  = "running"
	finished = "finished" // it came to its end; its exit code says how
	stopped  = "stopped"  // by somebody, or by its limit
	failed   = "failed"   // it could not be started, or ended without a result
)

// A run is a plan that is executed. Its fields but mu's are set before it starts.
type run struct {
	id    string
	plan  Plan
	began time.Time
	stop  context.CancelFunc
	done  chan struct{} // closed when what is below is final
	out   child.Head
	errs  tail

	mu    sync.Mutex // guards what is below
	state string
	code  int
	took  time.Duration
	err   error
}

// start executes a plan: its words, in its folder, and nothing else. One run at a time, because a measurement beside a
// build measures the build.
func (d *desk) start(p Plan) (*run, error) {
	r, ctx, err := d.begin(p)
	if err != nil {
		return nil, err
	}
	d.log.Info("run", "run", r.id, "command", p.Command, "dir", p.Dir)
	go r.run(ctx)
	return r, nil
}

// begin notes a run that is about to start; close waits for it from then on.
func (d *desk) begin(p Plan) (*run, context.Context, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, nil, errors.New("the server is closing")
	}
	for _, r := range d.runs {
		if !r.ended() {
			return nil, nil, fmt.Errorf("run %s (%s) is under way, and one runs at a time; get_run waits for it or stops it, "+
				"then plan again", r.id, r.plan.Action)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(p.Limit*float64(time.Second)))
	r := &run{id: rand.Text(), plan: p, began: time.Now(), stop: cancel, done: make(chan struct{}), state: running,
		out: child.Head{Most: mostOutput}, errs: tail{most: mostTail}}
	if d.runs = append(d.runs, r); len(d.runs) > mostRuns {
		d.runs = d.runs[1:]
	}
	return r, ctx, nil
}

// run waits for the command. It is interrupted first, so that it can stop what it started and print what it has.
func (r *run) run(ctx context.Context) {
	defer r.stop()
	cmd := exec.CommandContext(ctx, r.plan.Argv[0], r.plan.Argv[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = r.plan.Dir, &r.out, &r.errs
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = grace
	err := cmd.Run()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state, r.took = finished, time.Since(r.began)
	var exit *exec.ExitError
	switch {
	case cmd.ProcessState == nil:
		r.state, r.err = failed, err
	case ctx.Err() != nil:
		r.state = stopped
	case err != nil && !errors.As(err, &exit):
		r.state, r.err = failed, err
	}
	if cmd.ProcessState != nil {
		r.code = cmd.ProcessState.ExitCode()
	}
	close(r.done)
}

func (r *run) ended() bool {
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}

// find returns a run.
func (d *desk) find(id string) (*run, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, r := range d.runs {
		if r.id == strings.TrimSpace(id) {
			return r, nil
		}
	}
	return nil, fmt.Errorf("there is no run %.40q; execute names it, and the latest %d are kept", id, mostRuns)
}

// close stops what runs and waits for its end.
func (d *desk) close() {
	d.mu.Lock()
	d.closed = true
	runs := d.runs
	d.plans = make(map[string]Plan)
	d.mu.Unlock()
	for _, r := range runs {
		r.stop()
		<-r.done
	}
}

// A tail keeps the last bytes, and may be read while it is written.
type tail struct {
	mu   sync.Mutex // guards data
	data []byte
	most int
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, p...)
	if n := len(t.data) - t.most; n > 0 {
		t.data = append(t.data[:0], t.data[n:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.data)
}

// result is what the command printed, as its --json documents it; of capture the last event that has a diagnosis. nil
// if there is none.
func (r *run) result() (any, error) {
	if r.out.Over() {
		return nil, fmt.Errorf("the command printed more than %d MiB", mostOutput>>20)
	}
	data := bytes.TrimSpace(r.out.Bytes())
	if len(data) == 0 {
		return nil, nil
	}
	if r.plan.Action != Capture {
		return readTree(data)
	}
	var last any
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		var head struct {
			Diagnosis json.RawMessage `json:"diagnosis"`
		}
		if json.Unmarshal(line, &head) == nil && head.Diagnosis != nil {
			last, _ = readTree(line) // it could be read just now
		}
	}
	return last, nil
}
