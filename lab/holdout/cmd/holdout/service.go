package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/gocasebook/casebook/lab/quota"
)

// A process is a service or its load. It is ended by stop, or when ctx ends.
type process struct {
	cmd    *exec.Cmd
	stderr bytes.Buffer
	done   chan struct{}
}

func start(ctx context.Context, env []string, bin string, args ...string) (*process, error) {
	p := &process{cmd: exec.CommandContext(ctx, bin, args...), done: make(chan struct{})}
	p.cmd.Env = append(os.Environ(), env...)
	p.cmd.Stderr = &p.stderr
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting %s: %w", filepath.Base(bin), err)
	}
	go func() {
		defer close(p.done)
		p.cmd.Wait() // it is killed: its exit code says nothing
	}()
	return p, nil
}

func (p *process) stop() {
	p.cmd.Process.Kill() // fails if it has ended: as wanted
	<-p.done
}

// died is what a process that ended by itself has said.
func (p *process) died() error {
	select {
	case <-p.done:
		return fmt.Errorf("%s ended: %s", filepath.Base(p.cmd.Path), bytes.TrimSpace(p.stderr.Bytes()))
	default:
		return nil
	}
}

// await waits until the service answers on its pprof port.
func (p *process) await(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, 30*time.Second, errors.New("no answer from "+url+" within 30 s"))
	defer cancel()
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/debug/pprof/cmdline", nil)
		if err != nil {
			return err
		}
		if res, err := http.DefaultClient.Do(req); err == nil {
			return res.Body.Close()
		}
		if err := p.died(); err != nil {
			return err
		}
		if err := sleep(ctx, 50*time.Millisecond); err != nil {
			return err
		}
	}
}

// build compiles a package without the paths of this machine in it. from is the folder to build in; where it is a
// module of its own, the workspace is left out.
func build(ctx context.Context, dir, from, pkg, name string) (string, error) {
	bin, err := filepath.Abs(filepath.Join(dir, name))
	if err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-o", bin, pkg)
	cmd.Dir = from
	if _, err := os.Stat(filepath.Join(from, "go.mod")); err == nil && from != "" {
		cmd.Env = append(os.Environ(), "GOWORK=off")
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building %s: %w\n%s", pkg, err, out)
	}
	return bin, nil
}

// underLoad runs fn while the service serves and its loads load.
func (o *options) underLoad(ctx context.Context, bin string, e expectation, fn func(url string) error) error {
	port := strconv.Itoa(o.port)
	url := "http://127.0.0.1:" + port
	service, free, err := e.start(ctx, bin, append([]string{"-port", port}, e.Args...)...)
	if err != nil {
		return err
	}
	defer free()
	defer service.stop()
	if err := service.await(ctx, url); err != nil {
		return err
	}
	var loads []*process
	for range max(e.Loads, 1) {
		load, err := start(ctx, nil, bin, append([]string{"-load", "-port", port}, e.Args...)...)
		if err != nil {
			return err
		}
		defer load.stop()
		loads = append(loads, load)
	}
	if err := sleep(ctx, o.warm); err != nil {
		return err
	}
	err = errors.Join(fn(url), service.died())
	for _, load := range loads {
		err = errors.Join(err, load.died())
	}
	return err
}

// start runs the service, in a cgroup of its own if it has a quota. A shell goes into it and becomes the service, which
// reads its quota when it starts.
func (e expectation) start(ctx context.Context, bin string, args ...string) (p *process, free func(), err error) {
	if e.Quota == 0 {
		p, err = start(ctx, e.Env, bin, args...)
		return p, func() {}, err
	}
	group, err := quota.New(e.Name, e.Quota)
	if err != nil {
		return nil, nil, err
	}
	p, err = start(ctx, e.Env, "/bin/sh", append([]string{"-c", group.Enter() + `exec "$0" "$@"`, bin}, args...)...)
	if err != nil {
		group.Remove()
	}
	return p, group.Remove, err
}

// sleep waits, unless ctx ends first.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(d):
		return nil
	}
}

// scratch is the folder to work in: the one to keep, or one that goes. Services are killed, and remove nothing: what
// they leave in the system's temporary folder goes in any case.
func (o *options) scratch() (dir string, remove func(), err error) {
	goes, err := os.MkdirTemp("", "casebook-holdout-")
	if err == nil {
		err = os.Setenv("TMPDIR", goes)
	}
	if o.out != "" {
		return o.out, func() { os.RemoveAll(goes) }, errors.Join(err, os.MkdirAll(o.out, 0o755))
	}
	return goes, func() { os.RemoveAll(goes) }, err
}
