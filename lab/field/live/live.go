// Package live builds, starts and loads the services of lab/unseen.
//
// The problem: what Casebook says of a recorded case says nothing of the minutes before it: whether a rule trips, how
// soon, and with which evidence. The approach: the programs of public reports, which others wrote down with their truth
// before anything looked at them, are rows of a table with their load; they run here, sick and repaired. The limits:
// what they need besides themselves (an index, a Redis, a provider) is a stand-in in a process of its own.
package live

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/gocasebook/casebook/app/child"
	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/lab/trial"
)

// startTime bounds how long a service may take to listen on a busy machine.
const startTime = 60 * time.Second

// A Builder builds programs of lab/unseen.
type Builder struct {
	Unseen string // the folder lab/unseen
	Dir    string // where programs and extracted sources go; another run in the same folder builds what has changed
}

// Build builds the programs of a row, as it was reported or repaired.
func (b *Builder) Build(ctx context.Context, r *Row, fixed bool) error {
	source, flags, err := b.source(r.Module)
	if err != nil {
		return err
	}
	programs := []string{r.Name}
	if r.Back != "" {
		programs = append(programs, strings.Fields(r.Back)[0])
	}
	for _, program := range programs {
		out := b.program(r.Module, program, fixed)
		cmd := exec.CommandContext(ctx, "go", "build", "-tags", tags(fixed), "-o", out, "./"+program)
		cmd.Dir, cmd.Env = source, append(os.Environ(), "GOWORK=off", flags)
		if text, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("building %s: %w\n%s", program, err, text)
		}
	}
	return nil
}

func tags(fixed bool) string {
	if fixed {
		return "fixed"
	}
	return ""
}

func (b *Builder) program(module, name string, fixed bool) string {
	return filepath.Join(b.Dir, module, tags(fixed)+"-"+name)
}

// source is the folder of a module, and what go is told of it: an archive is extracted, and has no go.sum.
func (b *Builder) source(module string) (dir, flags string, err error) {
	archive := filepath.Join(b.Unseen, module+".txtar")
	if _, err := os.Stat(archive); err != nil {
		return filepath.Join(b.Unseen, module), "GOFLAGS=", nil
	}
	dir, flags = filepath.Join(b.Dir, module, "src"), "GOFLAGS=-mod=mod"
	a, err := txtar.ParseFile(archive)
	if err != nil {
		return "", "", err
	}
	for _, f := range a.Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return "", "", err
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			return "", "", err
		}
	}
	return dir, flags, nil
}

// A Running is a service that runs, and what it needs. Stop must be called.
type Running struct {
	Addr string // host:port of the service, and of its pprof page

	row     *Row
	dir     string
	places  *strings.Replacer
	back    *child.Process
	process *child.Process
}

// Start starts the service of a row, as it was reported or repaired, and waits until it listens.
func (b *Builder) Start(ctx context.Context, r *Row, fixed bool) (s *Running, err error) {
	s = &Running{row: r}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Stop())
		}
	}()
	if s.dir, err = os.MkdirTemp(b.Dir, r.Name+"-*"); err != nil {
		return s, err
	}
	repaired := ""
	if fixed && modules[r.Module].flag && r.Sort != Nothing { // of a healthy one there is no other form
		repaired = "-fixed"
	}
	own := "127.0.0.1:" + child.PortPlace
	places := []string{"{a}", own, "{c}", Free(), "{d}", Free(), "{dir}", s.dir, "{fixed}", repaired, "{b}"}
	m, peer := modules[r.Module], Free()
	if r.Back != "" {
		name, args, _ := strings.Cut(r.Back, " ")
		s.places = strings.NewReplacer(append(places, own)...)
		if s.back, err = s.begin(b.program(r.Module, name, fixed), args, m.backEnv); err != nil {
			return s, err
		}
		if err = s.back.Ready(ctx, "", startTime); err != nil {
			return s, err
		}
		peer = s.back.Addr
	}
	s.places = strings.NewReplacer(append(places, peer)...)
	args := m.args + " " + r.Args
	if m.flag {
		args += " {fixed}"
	}
	if s.process, err = s.begin(b.program(r.Module, r.Name, fixed), args, m.env); err != nil {
		return s, err
	}
	s.Addr = s.process.Addr
	return s, s.process.Ready(ctx, "", startTime)
}

func (s *Running) begin(program, args string, env []string) (*child.Process, error) {
	spec := child.Spec{Name: filepath.Base(program), Dir: s.dir, Args: []string{program},
		Env: []string{"TMPDIR=" + s.dir}}
	spec.Args = append(spec.Args, strings.Fields(s.places.Replace(args))...)
	for _, e := range env {
		spec.Env = append(spec.Env, s.places.Replace(e))
	}
	return child.Start(spec)
}

// Drive sends the row's load until ctx ends, for so long at most: its healthy traffic from now on, and what makes it
// ill after a while.
func (s *Running) Drive(ctx context.Context, ill, length time.Duration) ([]load.Result, error) {
	if s.row.Clients != nil {
		var clients sync.WaitGroup
		defer clients.Wait()
		clients.Go(func() { s.row.Clients(ctx, s.places.Replace("{c}"), ill) })
	}
	return trial.Drive(ctx, s.Addr, append(s.filled(s.row.Healthy, 0), s.filled(s.row.Ill, ill)...), length)
}

// filled are loads with the places of their addresses filled.
func (s *Running) filled(loads []trial.Load, begin time.Duration) (all []trial.Load) {
	for _, l := range loads {
		target := l.Targets[0]
		target.URL = s.places.Replace(target.URL)
		l.From, l.Targets = trial.Duration(begin), []trial.Target{target}
		all = append(all, l)
	}
	return all
}

// Stop ends the service and what it needs.
func (s *Running) Stop() error {
	var errs []error
	for _, p := range []*child.Process{s.process, s.back} {
		if p != nil {
			errs = append(errs, p.Stop())
		}
	}
	return errors.Join(append(errs, os.RemoveAll(s.dir))...)
}

// Free is an address of this machine that nobody listens at, and that this process has not given out. Its port is
// below those of outgoing connections, and below those that package child gives out.
func Free() string {
	for {
		address := fmt.Sprintf("127.0.0.1:%d", 12_000+(int64(os.Getpid())*41+taken.Add(1))%8000)
		if l, err := net.Listen("tcp", address); err == nil {
			l.Close()
			return address
		}
	}
}

var taken atomic.Int64 // ports that were given out
