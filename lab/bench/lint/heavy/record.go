package heavy

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/child"
	"github.com/gocasebook/casebook/internal/archive"
)

// guest is what is added to a main package: net/http/pprof on a port of its own, and the two profiles that are off by
// default.
const guest = `package main

import (
	"net/http"
	_ "net/http/pprof"
	"os"
	"runtime"
)

func init() {
	runtime.SetMutexProfileFraction(5)
	runtime.SetBlockProfileRate(50_000)
	go http.ListenAndServe(os.Getenv("HEAVY_PPROF"), nil)
}
`

// guestFile is its name. No release has it.
const guestFile = "heavy_pprof.go"

// A Recorder builds, loads and records services.
type Recorder struct {
	Sources  string // the folder of the sources: one for each service, by its name
	Casebook string
	Warm     time.Duration // of load before the capture
	Profile  time.Duration // how long the CPU is profiled
	Out      io.Writer
}

// Packages lists what a program of a module is built of, of its own module.
func Packages(ctx context.Context, src, mainDir, module string) ([]string, error) {
	out, err := goCommand(ctx, src, "list", "-deps", "-f", "{{if .Module}}{{if eq .Module.Path \""+module+
		"\"}}{{.ImportPath}}{{end}}{{end}}", mainDir)
	return strings.Fields(out), err
}

func goCommand(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod -buildvcs=false")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, &stderr)
	}
	return string(out), nil
}

// Record records one service, whose sources are in the recorder's folder.
func (r *Recorder) Record(ctx context.Context, s Service) error {
	src := filepath.Join(r.Sources, s.Name)
	bin := filepath.Join(r.Sources, s.Name+".bin")
	if err := s.build(ctx, src, bin); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "heavy-"+s.Name+"-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	p, on, end, err := s.start(r, bin, dir)
	if err != nil {
		return err
	}
	defer end()
	if err := p.Ready(ctx, s.Ready, time.Minute); err != nil {
		return err
	}
	return r.play(ctx, s, on, p)
}

// Complete writes what a release's sources miss.
func (s Service) Complete(src string) error {
	for name, content := range s.Missing {
		file := filepath.Join(src, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(content), 0o644)); err != nil {
			return err
		}
	}
	return nil
}

func (s Service) build(ctx context.Context, src, bin string) error {
	if err := s.Complete(src); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(src, s.Main, guestFile), []byte(guest), 0o644); err != nil {
		return err
	}
	_, err := goCommand(ctx, src, "build", "-o", bin, "./"+s.Main)
	return err
}

// start starts a service in a folder.
func (s Service) start(r *Recorder, bin, dir string) (p *child.Process, on Target, end func(), err error) {
	other, err := freePort()
	if err != nil {
		return nil, on, nil, err
	}
	places := strings.NewReplacer("{dir}", dir, "{other}", other, "{sources}", r.Sources)
	for name, content := range s.Config {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(places.Replace(content)), 0o644); err != nil {
			return nil, on, nil, err
		}
	}
	env := []string{"HEAVY_PPROF=127.0.0.1:{pprof}"}
	for _, e := range s.Env {
		env = append(env, places.Replace(e))
	}
	if s.OnOther {
		env = append(env, "HEAVY_PORT={port}") // package child wants a place for it
	}
	stop := func() {}
	if s.Prepare != nil {
		more, e, err := s.Prepare(dir)
		if err != nil {
			return nil, on, nil, err
		}
		env, stop = append(env, more...), e
	}
	if err := s.first(bin, dir, env); err != nil {
		stop()
		return nil, on, nil, err
	}
	args := []string{bin}
	for _, a := range s.Args {
		args = append(args, places.Replace(a))
	}
	if p, err = child.Start(child.Spec{Name: s.Name, Args: args, Env: env, Dir: dir}); err != nil {
		stop()
		return nil, on, nil, err
	}
	if s.OnOther {
		p.Addr = "127.0.0.1:" + other
	}
	on = Target{Addr: p.Addr, Other: "127.0.0.1:" + other, Dir: dir, Seen: &Count{}}
	return p, on, func() { p.Stop(); stop() }, nil
}

// first runs what has to be run before the service. net/http/pprof has no place to listen then.
func (s Service) first(bin, dir string, env []string) error {
	for _, args := range s.First {
		cmd := exec.Command(bin, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s %s: %w\n%s", s.Name, strings.Join(args, " "), err, out)
		}
	}
	return nil
}

// play loads a service and records it in the meantime.
func (r *Recorder) play(ctx context.Context, s Service, on Target, p *child.Process) error {
	load, stop := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- s.Load(load, on) }()
	defer stop()
	select {
	case <-time.After(r.Warm):
	case err := <-done:
		return fmt.Errorf("loading %s: %w", s.Name, errors.Join(err, p.Err()))
	}
	cases := filepath.Join(on.Dir, "cases")
	cmd := exec.CommandContext(ctx, r.Casebook, "capture", "--dir", cases, "--kinds", "heap,mutex,block,cpu", "--profile",
		r.Profile.String(), "--budget", "cpu=-1,bytes=-1,pause=-1,longest=-1", "http://"+p.PprofAddr)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		err = nil // it has findings
	}
	stop()
	err = errors.Join(err, <-done)
	fmt.Fprintf(r.Out, "%s: %s\n", s.Name, on.Seen)
	if err != nil {
		return fmt.Errorf("recording %s: %w\n%s", s.Name, err, out)
	}
	return r.keep(cases, s.Name)
}

// keep writes the profiles of the one case of a folder into evidence/cases.
func (r *Recorder) keep(cases, name string) error {
	found, err := filepath.Glob(filepath.Join(cases, "*", "*", "*.pb.gz"))
	if err != nil {
		return err
	}
	more, err := filepath.Glob(filepath.Join(cases, "*", "*.pb.gz"))
	if err != nil || len(found)+len(more) == 0 {
		return errors.Join(err, fmt.Errorf("the case in %s has no profiles", cases))
	}
	files := make(archive.Files)
	for _, f := range append(found, more...) {
		if files[filepath.Base(f)], err = os.ReadFile(f); err != nil {
			return err
		}
	}
	set, err := archive.Find()
	if err == nil {
		_, err = set.Put("lint/"+name, files)
	}
	return err
}

// freePort finds a port that nobody listens at now.
func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	return port, errors.Join(err, l.Close())
}

// send sends a request and reads the answer.
func send(ctx context.Context, client *http.Client, base string, q request) (status int, body []byte, err error) {
	req, err := http.NewRequestWithContext(ctx, q.method, base+q.path, strings.NewReader(q.body))
	if err != nil {
		return 0, nil, err
	}
	for k, v := range q.header {
		req.Header.Set(k, v)
	}
	res, err := client.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer res.Body.Close()
	body, err = io.ReadAll(res.Body)
	return res.StatusCode, body, err
}
