package phones

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/gocasebook/casebook/lab/serve"
)

// maxAnswerBytes bounds what is read of an upstream's answer.
const maxAnswerBytes = 64 << 10

// The upstreams, by the names that errors and metrics use.
const (
	itemsUpstream    = "items"    // real phones of listings
	usersUpstream    = "users"    // anonymous numbers connected to users
	trackingUpstream = "tracking" // call-tracking numbers
)

// An upstreamError says which upstream failed and how. Status is what the gateway answers.
type upstreamError struct {
	Upstream string
	Status   int // 404, 502 or 504
	Err      error
}

func (e *upstreamError) Error() string { return fmt.Sprintf("the %s service: %v", e.Upstream, e.Err) }
func (e *upstreamError) Unwrap() error { return e.Err }

// A client calls the three upstreams.
type client struct {
	http    *http.Client
	timeout time.Duration // of one call, all of it
	urls    map[string]string
	metrics *metrics
}

func newClient(c Config, m *metrics) *client {
	transport := &http.Transport{
		DialContext:         (&net.Dialer{Timeout: c.Timeout}).DialContext,
		MaxIdleConnsPerHost: 256, // of each upstream: the calls of 1,500 req/s at p99 keep about 60 busy
		IdleConnTimeout:     90 * time.Second,
		DisableCompression:  true, // answers are some hundred bytes
	}
	return &client{
		http:    &http.Client{Transport: transport, CheckRedirect: noRedirect},
		timeout: c.Timeout,
		urls: map[string]string{itemsUpstream: c.ItemsURL, usersUpstream: c.UsersURL,
			trackingUpstream: c.TrackingURL},
		metrics: m,
	}
}

// noRedirect makes a redirect the answer: an upstream has no business sending the gateway elsewhere.
func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// Close closes the idle connections.
func (c *client) Close() { c.http.CloseIdleConnections() }

// realPhone asks the item service for the seller's real phone.
func (c *client) realPhone(ctx context.Context, user, item uint64) (Phone, error) {
	var answer itemAnswer
	path := "/items/" + strconv.FormatUint(item, 10) + "/phone?user=" + strconv.FormatUint(user, 10)
	if err := c.get(ctx, itemsUpstream, path, &answer); err != nil {
		return 0, err
	}
	return checkPhone(itemsUpstream, answer.Phone)
}

// anonymousPhone asks the user service whether the user has an anonymous number connected, and for the number.
func (c *client) anonymousPhone(ctx context.Context, user uint64) (phone Phone, connected bool, err error) {
	var answer connectionAnswer
	if err := c.get(ctx, usersUpstream, "/users/"+strconv.FormatUint(user, 10)+"/connection", &answer); err != nil {
		return 0, false, err
	}
	if !answer.Connected {
		return 0, false, nil
	}
	phone, err = checkPhone(usersUpstream, answer.Phone)
	return phone, err == nil, err
}

// trackingPhone asks the call-tracking service for the number that stands for a real one.
func (c *client) trackingPhone(ctx context.Context, real Phone) (Phone, error) {
	var answer trackingAnswer
	if err := c.get(ctx, trackingUpstream, "/tracking?phone="+real.Digits(), &answer); err != nil {
		return 0, err
	}
	return checkPhone(trackingUpstream, answer.Tracking)
}

// checkPhone reads the phone of an answer. An upstream that answers with none is broken.
func checkPhone(upstream, digits string) (Phone, error) {
	phone, err := ParsePhone(digits)
	if err != nil {
		return 0, &upstreamError{upstream, http.StatusBadGateway, fmt.Errorf("its phone %.32q: %w", digits, err)}
	}
	return phone, nil
}

// get calls an upstream and decodes its JSON answer. Its error is an *upstreamError. A call that failed because the
// buyer has gone does not count: it says nothing of the upstream.
func (c *client) get(ctx context.Context, upstream, path string, answer any) error {
	limited, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	start := time.Now()
	err := c.call(limited, c.urls[upstream]+path, answer)
	if ctx.Err() == nil {
		c.metrics.upstreamDone(upstream, time.Since(start), err)
	}
	if err == nil {
		return nil
	}
	return &upstreamError{upstream, statusOf(err), err}
}

// call does one GET and decodes a 200. The body is read to its end, so that the connection is used again.
func (c *client) call(ctx context.Context, url string, answer any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return fmt.Errorf("making the request: %w", err)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswerBytes+1))
	if err != nil {
		return fmt.Errorf("reading the answer: %w", err)
	}
	if len(body) > maxAnswerBytes {
		return fmt.Errorf("the answer is over %d bytes", maxAnswerBytes)
	}
	if resp.StatusCode != http.StatusOK {
		return serve.AnsweredError(resp.StatusCode)
	}
	if err := json.Unmarshal(body, answer); err != nil {
		return fmt.Errorf("decoding the answer: %w", err)
	}
	return nil
}

// statusOf maps the error of a call to what the gateway answers: 404 for something the upstream does not know, else
// what serve.UpstreamStatus says.
func statusOf(err error) int {
	if errors.Is(err, serve.AnsweredError(http.StatusNotFound)) {
		return http.StatusNotFound
	}
	return serve.UpstreamStatus(err)
}
