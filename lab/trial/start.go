package trial

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/gocasebook/casebook/app/child"
)

// startTime bounds how long a service may take to listen on a busy machine.
const startTime = 60 * time.Second

// backendProgram is the folder of the program that stands for the services behind.
const backendProgram = "backend"

// Build builds the programs of the services, and the one behind them, into dir, from the source in the current module.
func Build(ctx context.Context, dir string, services []Service) error {
	args := []string{"build", "-ldflags=-w", "-o", dir + string(filepath.Separator)} // nobody debugs them
	for _, name := range append([]string{backendProgram}, names(services)...) {
		args = append(args, "github.com/gocasebook/casebook/lab/trial/"+name)
	}
	if out, err := exec.CommandContext(ctx, "go", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("building the services: %w\n%s", err, out)
	}
	return nil
}

func names(services []Service) []string {
	var all []string
	for _, s := range services {
		all = append(all, s.Name)
	}
	return all
}

// A Running is a service that runs, and the one behind it. Stop must be called.
type Running struct {
	Service Service
	Addr    string // host:port of the service
	Debug   string // host:port of net/http/pprof
	Started time.Time

	dir     string
	backend *child.Process
	process *child.Process
}

// Start starts a service whose program is in dir, and waits until it listens.
func Start(ctx context.Context, dir string, s Service) (*Running, error) {
	args := append([]string{filepath.Join(dir, backendProgram),
		"-addr", "127.0.0.1:" + child.PortPlace, "-db", "127.0.0.1:" + child.PprofPlace}, s.Backend.flags()...)
	backend, err := child.Start(child.Spec{Name: s.Name + "'s backend", Args: args})
	if err != nil {
		return nil, err
	}
	r := &Running{Service: s, Started: time.Now(), dir: dir, backend: backend}
	if err := r.backend.Ready(ctx, "", startTime); err != nil {
		return nil, errors.Join(err, r.Stop())
	}
	if err := r.start(ctx, "127.0.0.1:"+child.PortPlace, "127.0.0.1:"+child.PprofPlace); err != nil {
		return nil, errors.Join(err, r.Stop())
	}
	r.Addr, r.Debug = r.process.Addr, r.process.PprofAddr
	return r, nil
}

// flags are the backend's.
func (b Backend) flags() []string {
	flags := []string{"-after", time.Duration(b.After).String(), "-then-latency", time.Duration(b.ThenLatency).String(),
		"-then-fail", fmt.Sprint(b.ThenFail)}
	if b.Latency > 0 {
		flags = append(flags, "-latency", time.Duration(b.Latency).String())
	}
	if b.Size > 0 {
		flags = append(flags, "-size", strconv.Itoa(b.Size))
	}
	return flags
}

func (r *Running) start(ctx context.Context, addr, debug string) (err error) {
	r.process, err = child.Start(child.Spec{
		// Announces: ports are not places when it is started anew
		Name: r.Service.Name, Env: r.Service.Env, Announces: true,
		Args: []string{filepath.Join(r.dir, r.Service.Name), "-addr", addr, "-debug", debug,
			"-backend", "http://" + r.backend.Addr,
			"-db", "postgres://trial@" + r.backend.PprofAddr +
				"/trial?sslmode=disable&default_query_exec_mode=simple_protocol"},
	})
	if err != nil || r.process.Addr == "" {
		return err
	}
	return r.process.Ready(ctx, "", startTime)
}

// Restart stops the service and starts it anew on the ports that it had.
func (r *Running) Restart(ctx context.Context) error {
	if err := r.process.Stop(); err != nil {
		return fmt.Errorf("restarting: %w", err)
	}
	if err := r.start(ctx, r.Addr, r.Debug); err != nil {
		return err
	}
	return r.listening(ctx)
}

// listening waits until the service accepts connections on the ports that it was started anew on.
func (r *Running) listening(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	for {
		conn, err := new(net.Dialer).DialContext(ctx, "tcp", r.Addr)
		if err == nil {
			return conn.Close()
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			return fmt.Errorf("%s does not listen: %w", r.Service.Name, err)
		}
	}
}

// Err says why the service is not there any more; nil while it is.
func (r *Running) Err() error { return r.process.Err() }

// PID is the service's process.
func (r *Running) PID() int { return r.process.PID() }

// Stop ends the service and the one behind it.
func (r *Running) Stop() error {
	var errs []error
	for _, p := range []*child.Process{r.process, r.backend} {
		if p != nil {
			errs = append(errs, p.Stop())
		}
	}
	return errors.Join(errs...)
}
