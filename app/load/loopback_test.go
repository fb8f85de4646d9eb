package load

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"
)

// TestDialJudgesTheAddress covers a name that was fine when the URL was checked.
func TestDialJudgesTheAddress(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	for _, c := range []struct {
		name, addr string
		allow      []string
		refused    bool
	}{
		{"loopback", "127.0.0.1:" + port, nil, false},
		{"name of loopback", "localhost:" + port, nil, false},
		{"any address", "0.0.0.0:" + port, nil, true},
		{"any address, allowed", "0.0.0.0:" + port, []string{"0.0.0.0"}, false},
		{"another machine", "192.0.2.1:" + port, nil, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			conn, err := NewGuard(c.allow).Dialer(time.Second)(context.Background(), "tcp", c.addr)
			if conn != nil {
				conn.Close()
			}
			if errors.Is(err, ErrNotLoopback) != c.refused || (err == nil) == c.refused {
				t.Errorf("dial(%s) = %v, want refused %v", c.addr, err, c.refused)
			}
		})
	}
}
