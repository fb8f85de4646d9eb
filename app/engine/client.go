package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/internal/plain"
	"github.com/gocasebook/casebook/internal/redact"
	"github.com/gocasebook/casebook/internal/redirect"
	"github.com/gocasebook/casebook/internal/room"
)

// Bounds of one request.
const (
	patience   = 30 * time.Second
	maxJSON    = 16 << 20 // bytes of lists and numbers
	maxProfile = 64 << 20 // bytes of a profile: package stacks reads no larger file
	maxRefusal = 4 << 10
)

// A client asks one engine.
type client struct {
	base  *url.URL
	http  *http.Client
	party *room.Party
}

// newClient takes the credentials to the engine's host and nowhere else. It sends nothing.
func newClient(a *Address, access instance.HTTPOptions) (*client, error) {
	a.identify(access)
	if err := a.checkMark(); err != nil {
		return nil, err
	}
	access = a.own(access)
	process, err := instance.NewHTTPWith(a.Base.String(), access)
	if err != nil {
		return nil, err
	}
	c, _, err := process.PageClient(a.Base.String())
	if err != nil {
		return nil, err
	}
	return &client{a.Base, c, room.NewParty()}, nil
}

// A request is what is sent: to a path below the base, with a query or a body.
type request struct {
	path  string
	query url.Values
	kind  string // of the body and, where it is JSON or protobuf, of the answer
	body  []byte // nil: GET
	most  int64  // bytes of the answer
}

const (
	typeJSON  = "application/json"
	typeProto = "application/proto"
	typeForm  = "application/x-www-form-urlencoded"
)

// do sends a request and returns the whole answer. Its room is given back when the collector frees it.
func (c *client) do(ctx context.Context, r request) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	u := *c.base
	u.Path += r.path
	u.RawQuery = r.query.Encode()
	method := http.MethodGet
	if r.body != nil {
		method = http.MethodPost
	}
	req, err := http.NewRequestWithContext(ctx, method, u.String(), bytes.NewReader(r.body))
	if err != nil {
		return nil, fmt.Errorf("asking %s: %w", redact.URL(&u), redact.Cause(err))
	}
	if r.kind != "" {
		req.Header.Set("Content-Type", r.kind)
	}
	if strings.HasPrefix(r.kind, typeJSON) || r.kind == typeProto {
		req.Header.Set("Connect-Protocol-Version", "1") // connectrpc.com/docs/protocol; others ignore it
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, unreachable(&u, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, refused(&u, resp)
	}
	data, _, err := c.party.ReadAll(resp.Body, r.most)
	switch {
	case errors.Is(err, room.ErrTooLarge):
		return nil, fmt.Errorf("%s: the answer is larger than %d MiB; ask for less: since=1m, nodes=4096, or one pod "+
			"by label=pod=NAME", redact.URL(&u), r.most>>20)
	case err != nil:
		return nil, fmt.Errorf("reading %s: %w", redact.URL(&u), timedOut(redact.Cause(err)))
	}
	return data, nil
}

// ask sends JSON, or with in == nil nothing, and decodes the JSON of the answer.
func (c *client) ask(ctx context.Context, r request, in, out any) error {
	r.most = maxJSON
	if in != nil {
		body, err := json.Marshal(in)
		if err != nil {
			return fmt.Errorf("encoding the request: %w", err)
		}
		r.kind, r.body = typeJSON, body
	}
	data, err := c.do(ctx, r)
	if err != nil {
		return err
	}
	return c.decode(r.path, data, out)
}

func (c *client) decode(path string, data []byte, out any) error {
	err := json.Unmarshal(data, out)
	if err == nil {
		return nil
	}
	at := c.base.JoinPath(path)
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("<")) {
		return fmt.Errorf("%s answered with an HTML page; is there a login before it, or is it another program's port?",
			redact.URL(at))
	}
	return fmt.Errorf("the answer of %s is not what the engine's API says: %w", redact.URL(at), err)
}

// A RefusedError is an answer that is not 200.
type RefusedError struct {
	URL    string
	Status int
	Text   string // what the engine says
	Next   string
}

// Error says what was answered, and what to do.
func (e *RefusedError) Error() string {
	msg := fmt.Sprintf("%s answered %d", e.URL, e.Status)
	if e.Text != "" {
		msg += ": " + e.Text
	}
	if e.Next != "" {
		msg += "; " + e.Next
	}
	return msg
}

func refused(u *url.URL, resp *http.Response) error {
	data, _ := io.ReadAll(io.LimitReader(resp.Body, maxRefusal)) // a lost body loses only the explanation
	e := &RefusedError{URL: redact.URL(u), Status: resp.StatusCode, Text: said(data)}
	switch to := redirect.Elsewhere(resp); {
	case to != "":
		e.Next = "it redirects to " + plain.Text(to) + ", and no other place is asked than the one given: give that"
	default:
		e.Next = advice(e.Status, e.Text)
	}
	return e
}

// said is the message of an engine's error: {"code":"…","message":"…"} of Connect and grpc-gateway, {"error":"…"} of
// Prometheus, or a line of text.
func said(data []byte) string {
	var answer struct{ Message, Error string }
	text := strings.TrimSpace(string(data))
	if json.Unmarshal(data, &answer) == nil && answer.Message+answer.Error != "" {
		text = answer.Message
		if text == "" {
			text = answer.Error
		}
	}
	if strings.HasPrefix(text, "<") {
		return ""
	}
	first, _, _ := strings.Cut(text, "\n")
	const most = 300
	return plain.Text(first[:min(len(first), most)])
}

func advice(status int, text string) string {
	switch {
	case status == http.StatusUnauthorized && strings.Contains(text, "org id"):
		return "it has several tenants: add tenant=NAME to the address"
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return "it wants credentials, or others: --bearer-file, --bearer-env, --basic-file, --header-file, or a " +
			"tenant=NAME"
	case status == http.StatusNotFound, status == http.StatusMethodNotAllowed:
		return "is that the engine's address, and the path before its API right?"
	case status == http.StatusTooManyRequests:
		return "it limits requests: ask for less (since=1m), or less often"
	case status == http.StatusBadRequest, status == http.StatusUnprocessableEntity:
		return "it is another version of the engine, or a limit of its configuration"
	case status >= 500:
		return "the engine failed to answer; its log may say why, and since=1m asks it for less"
	}
	return ""
}

func unreachable(u *url.URL, err error) error {
	next := "is the engine running, and is that its address?"
	if strings.Contains(err.Error(), "HTTP response to HTTPS client") {
		next = "it does not speak TLS: leave " + encrypted + " out of the address"
	}
	if strings.Contains(err.Error(), "certificate") {
		next = "--ca FILE names the authority that signed its certificate, --cert FILE that of a client"
	}
	return fmt.Errorf("%s does not answer: %w; %s", redact.URL(u), timedOut(redact.Cause(err)), next)
}

// timedOut says in words that time ran out.
func timedOut(err error) error {
	var timeout net.Error
	if errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout() {
		return fmt.Errorf("no complete answer in time (%s at most): %w", patience, err)
	}
	return err
}
