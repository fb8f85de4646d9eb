package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"time"

	"github.com/gocasebook/casebook/app/prove/child"
)

// startupTime bounds the start of what a service depends on.
const startupTime = 30 * time.Second

// A needs is what the services of a row depend on: a lab.Starter.
type needs struct {
	binary  string
	dir     string // for files of servers; made when one needs it
	started []*child.Process
}

// Lab starts a service of the lab that others depend on.
func (n *needs) Lab(ctx context.Context, name string, args []string, addresses any) error {
	p, err := child.Start(child.Spec{Name: name, Args: slices.Concat([]string{n.binary, "lab", name}, args), Announces: true})
	if err != nil {
		return err
	}
	n.started = append(n.started, p)
	return p.Announced(ctx, startupTime, addresses)
}

// Redis starts a Redis server that keeps nothing.
func (n *needs) Redis(ctx context.Context) (string, error) {
	server, err := exec.LookPath("redis-server")
	if err != nil {
		return "", fmt.Errorf("redis-server is not installed: apt-get install redis-server, or make deps: %w", err)
	}
	if err := os.MkdirAll(n.dir, 0o700); err != nil {
		return "", fmt.Errorf("making a folder for Redis: %w", err)
	}
	p, err := child.Start(child.Spec{
		Name: "Redis", Dir: n.dir,
		Args: []string{server, "--port", child.PortPlace, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--daemonize", "no"},
	})
	if err != nil {
		return "", err
	}
	n.started = append(n.started, p)
	return p.Addr, p.Ready(ctx, "", startupTime)
}

// stop ends them all, the last started first.
func (n *needs) stop() error {
	var errs []error
	for _, p := range slices.Backward(n.started) {
		errs = append(errs, p.Stop())
	}
	return errors.Join(errs...)
}
