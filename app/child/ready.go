package child

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/gocasebook/casebook/internal/redirect"
)

// Ready waits until the server accepts connections and, when path is not empty, answers GET path with a status below
// 400. It fails when the server ends, or is not ready within limit.
func (p *Process) Ready(ctx context.Context, path string, limit time.Duration) error {
	asking := ctx // without the limit: report what is wrong, not that the limit passed meanwhile
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("not ready within %v", limit))
	defer cancel()
	client := &http.Client{Timeout: askTime, Transport: &http.Transport{DisableKeepAlives: true},
		CheckRedirect: redirect.Never}
	last := "it was not asked"
	var dead error
	err := poll(ctx, func() bool {
		if dead = p.Err(); dead != nil {
			return true
		}
		last = p.ask(asking, client, path)
		return last == ""
	})
	switch {
	case dead != nil:
		return dead
	case err == nil:
		return nil
	case ctx.Err() == context.DeadlineExceeded:
		return p.failure(fmt.Sprintf("was not ready within %v (%s). Does the command listen on 127.0.0.1:%s? "+
			"--ready-timeout gives it more time", limit, last, PortPlace))
	}
	return context.Cause(ctx)
}

// askTime bounds one question whether a server is ready.
const askTime = 2 * time.Second

// ask is "" when the server is ready, otherwise why not.
func (p *Process) ask(ctx context.Context, client *http.Client, path string) string {
	if path == "" {
		conn, err := (&net.Dialer{Timeout: askTime}).DialContext(ctx, "tcp", p.Addr)
		if err != nil {
			return err.Error()
		}
		conn.Close() // only whether it answers matters
		return ""
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.Addr+path, nil)
	if err != nil {
		return err.Error()
	}
	resp, err := client.Do(req)
	if err != nil {
		return err.Error()
	}
	defer resp.Body.Close()                        // only its status matters
	_, _ = io.CopyN(io.Discard, resp.Body, 64<<10) // likewise
	if resp.StatusCode >= http.StatusBadRequest {
		return "GET " + path + " answers " + resp.Status
	}
	return ""
}
