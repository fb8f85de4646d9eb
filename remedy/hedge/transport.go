package hedge

import (
	"context"
	"errors"
	"io"
	"net/http"
)

// A Transport is an http.RoundTripper that hedges requests which may be sent twice. It covers the time until the
// response's header has come. An answer of 429 or 5xx does not beat one that may still come.
//
// The policy learns by method and host unless Key says otherwise.
type Transport struct {
	// Policy is required.
	Policy *Policy
	// Base sends the requests; nil is http.DefaultTransport. It must return soon after a request's context ends, as
	// http.Transport does.
	Base http.RoundTripper
	// Key names the kind of a request, for requests to one host that differ in how long they take. It must not return
	// something that differs from request to request, such as a path with an id. "" is the default, method and host.
	Key func(*http.Request) string
}

var errNoPolicy = errors.New("hedge: Transport has no Policy; make one with hedge.New")

// RoundTrip sends a request, twice if it is late and may be. The request must not be changed before the response's body
// is closed, as http.RoundTripper asks.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if t.Policy == nil {
		closeBody(req)
		return nil, errNoPolicy
	}
	if !repeatable(req) {
		return t.base().RoundTrip(req)
	}
	p := t.policy(req)
	if p.shared.cfg.Detach { // the attempts may outlive this call, and so the caller's right to leave the request alone
		req = req.Clone(req.Context())
	}
	call := Call[*http.Response]{Run: t.sender(req), Release: release, Failed: failed}
	resp, cancel, err := call.run(req.Context(), p)
	switch {
	case cancel == nil:
	case err != nil || resp == nil || resp.Body == nil:
		cancel()
	default:
		resp.Body = &body{ReadCloser: resp.Body, cancel: cancel}
	}
	return resp, err
}

// CloseIdleConnections closes those of Base, which is what http.Client.CloseIdleConnections looks for.
func (t *Transport) CloseIdleConnections() {
	if c, ok := t.base().(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

func (t *Transport) base() http.RoundTripper {
	if t.Base != nil {
		return t.Base
	}
	return http.DefaultTransport
}

func (t *Transport) policy(req *http.Request) *Policy {
	if t.Key != nil {
		if key := t.Key(req); key != "" {
			return t.Policy.of(name{key, ""})
		}
	}
	return t.Policy.of(name{req.Method, req.URL.Host})
}

// sender makes the attempts: the request itself, and as a hedge a copy with a body of its own.
func (t *Transport) sender(req *http.Request) func(context.Context) (*http.Response, error) {
	return func(ctx context.Context) (*http.Response, error) {
		if Attempt(ctx) == Attempt(req.Context()) {
			return t.base().RoundTrip(req.WithContext(ctx))
		}
		again := req.Clone(ctx)
		if req.GetBody != nil {
			b, err := req.GetBody()
			if err != nil {
				return nil, err
			}
			again.Body = b
		}
		return t.base().RoundTrip(again)
	}
}

// repeatable says whether a request may be sent twice, and can be.
func repeatable(req *http.Request) bool {
	if req.URL == nil || req.Header["Upgrade"] != nil { // a response of 101 is a connection
		return false
	}
	if req.Body != nil && req.Body != http.NoBody && req.GetBody == nil {
		return false
	}
	if m := markOf(req.Context()); m.hedge || m.idempotent == no {
		return false
	} else if m.idempotent == yes {
		return true
	}
	switch req.Method {
	case "", http.MethodGet, http.MethodHead, http.MethodOptions:
		return true
	}
	return req.Header["Idempotency-Key"] != nil || req.Header["X-Idempotency-Key"] != nil
}

// failed says which responses are not answers: this server cannot give one now, another may.
func failed(resp *http.Response, err error) bool {
	return err != nil || resp == nil || resp.StatusCode >= 500 || resp.StatusCode == http.StatusTooManyRequests
}

// release closes a response that no caller reads. Its request has been cancelled by then, so there is nothing to drain:
// HTTP/2 resets the stream, HTTP/1 closes the connection.
func release(resp *http.Response) {
	if resp != nil && resp.Body != nil {
		resp.Body.Close()
	}
}

func closeBody(req *http.Request) {
	if req.Body != nil {
		req.Body.Close()
	}
}

// A body ends the context of its request once it has been read or closed.
type body struct {
	io.ReadCloser
	cancel context.CancelFunc
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		b.cancel()
	}
	return n, err
}

func (b *body) Close() error {
	err := b.ReadCloser.Close()
	b.cancel()
	return err
}
