package feature

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/gocasebook/casebook/lab/serve"
	"github.com/gocasebook/casebook/remedy/hedge"
)

// The values of -call: how the compute tier is asked.
const (
	callSingle = "single" // one call, whatever it takes
	callHedged = "hedged" // a second one to another replica when the first is late (remedy/hedge)
)

var callNames = []string{callSingle, callHedged}

// maxAnswerBytes bounds what is read of an answer: ten times what the largest takes.
const maxAnswerBytes = 256 << 10

// A client calls the compute tier.
type client struct {
	http     *http.Client
	timeout  time.Duration // of one call, a hedge among it
	replicas []string      // base URLs
	turn     atomic.Uint64
	policy   *hedge.Policy // nil for single calls
}

func newClient(c Config) (*client, error) {
	cl := &client{timeout: c.Timeout, replicas: c.replicas(), http: &http.Client{
		// the tiers know each other
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DialContext:         (&net.Dialer{Timeout: c.Timeout}).DialContext,
			MaxIdleConnsPerHost: c.MaxInFlight, // all of what may be under way; another would be dialled for each burst
			MaxIdleConns:        2 * c.MaxInFlight,
			IdleConnTimeout:     90 * time.Second,
			DisableCompression:  true, // within one data centre, CPU is more expensive than bytes
		},
	}}
	if c.Call == callHedged {
		var err error
		if cl.policy, err = hedge.New(hedge.Config{}); err != nil {
			return nil, fmt.Errorf("making the hedging policy: %w", err)
		}
	}
	return cl, nil
}

// Close closes the idle connections.
func (c *client) Close() { c.http.CloseIdleConnections() }

// hedged is what hedging did so far.
func (c *client) hedged() hedge.Stats {
	if c.policy == nil {
		return hedge.Stats{}
	}
	return c.policy.Stats()
}

// groups asks for groups of a user. The answer is appended to buf.
func (c *client) groups(ctx context.Context, user uint64, names string, buf []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	path := "/groups?user=" + strconv.FormatUint(user, 10) + "&names=" + names
	first := c.turn.Add(1)
	if c.policy == nil {
		return c.get(ctx, c.replica(first)+path, buf)
	}
	// Two attempts must not write to one buffer: the hedge gets one of its own.
	return hedge.Do(ctx, c.policy, func(ctx context.Context) ([]byte, error) {
		attempt := hedge.Attempt(ctx)
		if attempt > 0 {
			return c.get(ctx, c.replica(first+uint64(attempt))+path, nil)
		}
		return c.get(ctx, c.replica(first)+path, buf)
	})
}

func (c *client) replica(turn uint64) string { return c.replicas[turn%uint64(len(c.replicas))] }

// get does one GET and appends the body of a 200. The body is read to its end, so that the connection is used again.
func (c *client) get(ctx context.Context, url string, buf []byte) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return buf, fmt.Errorf("making the request: %w", err)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return buf, err
	}
	defer resp.Body.Close()
	body, err := appendAll(buf, resp.Body, maxAnswerBytes)
	if err != nil {
		return body, fmt.Errorf("reading the answer: %w", err)
	}
	if resp.StatusCode != http.StatusOK {
		return body, serve.AnsweredError(resp.StatusCode)
	}
	return body, nil
}

// appendAll is io.ReadAll into a buffer that is there, of limit bytes at the most.
func appendAll(b []byte, r io.Reader, limit int) ([]byte, error) {
	for len(b) < limit {
		if len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if err == io.EOF {
			return b, nil
		}
		if err != nil {
			return b, err
		}
	}
	return b, fmt.Errorf("it is over %d bytes", limit)
}

// statusOf maps the error of a call to what the API tier answers: 503 when the compute tier is overloaded, else what
// serve.UpstreamStatus says.
func statusOf(err error) int {
	if errors.Is(err, serve.AnsweredError(http.StatusServiceUnavailable)) {
		return http.StatusServiceUnavailable
	}
	return serve.UpstreamStatus(err)
}
