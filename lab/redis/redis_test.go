//go:build unix

package redis

import (
	"bufio"
	"errors"
	"net"
	"os"
	"strings"
	"testing"
	"time"
)

// ask sends one inline command on its own connection and returns the first line of the answer.
func ask(addr, command string, limit time.Duration) (string, error) {
	conn, err := net.DialTimeout("tcp", addr, limit)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(limit)); err != nil {
		return "", err
	}
	if _, err := conn.Write([]byte(command + "\r\n")); err != nil {
		return "", err
	}
	line, err := bufio.NewReader(conn).ReadString('\n')
	return strings.TrimSpace(line), err
}

func TestServer(t *testing.T) {
	s, err := Start(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Stop() }()
	addr := s.Addr
	want := func(when, command, want string) {
		t.Helper()
		if got, err := ask(addr, command, time.Minute); got != want || err != nil {
			t.Errorf("%s: %s = %q, %v; want %q", when, command, got, err, want)
		}
	}
	want("started", "SET a 1", "+OK")
	if err := s.Freeze(); err != nil {
		t.Fatal(err)
	}
	if got, err := ask(addr, "PING", 50*time.Millisecond); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("frozen: %q, %v; want no answer", got, err)
	}
	if err := s.Thaw(); err != nil {
		t.Fatal(err)
	}
	want("thawed", "EXISTS a", ":1")
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	if got, err := ask(addr, "PING", time.Second); err == nil {
		t.Errorf("stopped: %q, want no connection", got)
	}
	if err := s.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	want("restarted at the same address", "EXISTS a", ":0")
}

func TestNotInstalled(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := Start(t.Context(), t.TempDir()); err == nil ||
		!strings.Contains(err.Error(), "apt-get install redis-server") {
		t.Errorf("without redis-server: %v; want how to install it", err)
	}
}
