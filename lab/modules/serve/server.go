package serve

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"time"
)

// RedisServer is Debian's redis-server on a free port of the loopback, without persistence: a Service's Backend.
func RedisServer() (addr string, stop func(), err error) {
	dir, err := os.MkdirTemp("", "modules-redis-")
	if err != nil {
		return "", nil, err
	}
	return server(dir, func(port string) *exec.Cmd {
		return exec.Command("redis-server", "--port", port, "--save", "", "--dir", dir)
	})
}

// Memcached is Debian's memcached likewise.
func Memcached() (addr string, stop func(), err error) {
	return server("", func(port string) *exec.Cmd {
		return exec.Command("memcached", "-l", "127.0.0.1", "-p", port, "-u", "nobody")
	})
}

// server starts a server that is told its port, and waits until it listens. dir is removed at the end.
func server(dir string, command func(port string) *exec.Cmd) (string, func(), error) {
	l, err := Listen()
	if err != nil {
		return "", nil, err
	}
	addr := l.Addr().String()
	_, port, _ := net.SplitHostPort(addr)
	l.Close()
	cmd := command(port)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return "", nil, fmt.Errorf("%w; it is in the Debian package of that name", err)
	}
	stop := func() {
		cmd.Process.Kill()
		cmd.Wait()
		if dir != "" {
			os.RemoveAll(dir)
		}
	}
	for range 100 {
		if c, err := net.Dial("tcp", addr); err == nil {
			c.Close()
			return addr, stop, nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	stop()
	return "", nil, errors.New(cmd.Path + " does not answer")
}
