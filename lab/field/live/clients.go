package live

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// agents are clients of the service agents: twenty that send a heartbeat each twenty seconds and stay connected,
// seventy more with the fault, and some that come anew each five seconds. They end with ctx.
func agents(ctx context.Context, address string, ill time.Duration) {
	var all sync.WaitGroup
	defer all.Wait()
	stay := func(n int) {
		for range n {
			all.Go(func() {
				for ctx.Err() == nil {
					heartbeats(ctx, address)
					pause(ctx, time.Second)
				}
			})
		}
	}
	stay(20)
	all.Go(func() {
		for ctx.Err() == nil {
			visit(ctx, "http://"+address+"/agents/z/settings")
		}
	})
	if pause(ctx, ill) {
		stay(70)
	}
}

// heartbeats sends one each twenty seconds over a connection of its own.
func heartbeats(ctx context.Context, address string) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", address)
	if err != nil {
		return
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	answers := bufio.NewReader(conn)
	for {
		if _, err := io.WriteString(conn, "POST /agents/a HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"); err != nil {
			return
		}
		resp, err := http.ReadResponse(answers, nil)
		if err != nil {
			return
		}
		io.Copy(io.Discard, resp.Body)
		if !pause(ctx, 20*time.Second) {
			return
		}
	}
}

// visit asks eight times a second for five seconds, over connections of its own.
func visit(ctx context.Context, url string) {
	client := &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	var asked sync.WaitGroup
	defer asked.Wait()
	for range 40 {
		asked.Go(func() {
			req, err := http.NewRequestWithContext(ctx, "GET", url, strings.NewReader(""))
			if err != nil {
				return
			}
			if resp, err := client.Do(req); err == nil {
				io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
		})
		if !pause(ctx, 125*time.Millisecond) {
			return
		}
	}
}

// pause says whether ctx has not ended meanwhile.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}
