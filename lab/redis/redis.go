// Package redis runs a real Redis server beside the services of the lab that need one.
//
// The problem: what a service does when Redis is slow, gone or back again only Redis shows. The approach: Debian's
// redis-server as a child process on a free loopback port, without persistence, that ends with its owner (package
// app/child). The limits: one server, no cluster and no replica; its memory is bounded to 256 MB, and it refuses
// writes beyond that.
package redis

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/child"
)

// readyTime bounds the start, which takes some tens of milliseconds; a machine at its limit may need longer.
const readyTime = 20 * time.Second

// A Server is a running Redis server.
type Server struct {
	Addr string // host:port

	dir     string
	process *child.Process
}

// Start starts a server that keeps whatever it writes in dir, and waits until it answers. Stop must be called.
func Start(ctx context.Context, dir string) (*Server, error) {
	s := &Server{dir: dir}
	return s, s.start(ctx, child.PortPlace)
}

// Restart starts a stopped server again at the address that it had, empty.
func (s *Server) Restart(ctx context.Context) error {
	_, port, _ := strings.Cut(s.Addr, ":")
	return s.start(ctx, port)
}

func (s *Server) start(ctx context.Context, port string) error {
	binary, err := exec.LookPath("redis-server")
	if err != nil {
		return errors.New("redis-server is not installed: apt-get install redis-server, or make deps")
	}
	// Announces: the first start has a place for a port, a restart has the port itself. Redis announces nothing; nobody
	// asks for it.
	p, err := child.Start(child.Spec{Name: "Redis", Dir: s.dir, Announces: true,
		Args: []string{binary, "--port", port, "--bind", "127.0.0.1",
			"--save", "", "--appendonly", "no", "--maxmemory", "256mb", "--maxmemory-policy", "noeviction",
			"--loglevel",
			"warning"}})
	if err != nil {
		return fmt.Errorf("starting Redis: %w", err)
	}
	if p.Addr == "" { // a port that was given is no place for one
		p.Addr = s.Addr
	}
	if err := p.Ready(ctx, "", readyTime); err != nil {
		return errors.Join(fmt.Errorf("waiting for Redis: %w", err), p.Stop())
	}
	s.process, s.Addr = p, p.Addr
	return nil
}

// PID is the server's process.
func (s *Server) PID() int { return s.process.PID() }

// Stop ends the server. It may be started again.
func (s *Server) Stop() error { return s.process.Stop() }
