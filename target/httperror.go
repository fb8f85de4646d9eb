package target

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"

	"github.com/gocasebook/casebook/internal/redact"
)

// A StatusError is an answer that is not 200.
type StatusError struct {
	URL    string
	Status int
	Text   string // the beginning of the body
}

func (e *StatusError) Error() string {
	msg := fmt.Sprintf("%s answered %d", e.URL, e.Status)
	if e.Text != "" {
		msg += ": " + e.Text
	}
	switch e.Status {
	case http.StatusNotFound:
		msg += "; is net/http/pprof mounted there?"
	case http.StatusUnauthorized, http.StatusForbidden:
		msg += "; the endpoint wants credentials: put them into the URL (http://user:password@host/)"
	}
	return msg
}

func statusError(u *url.URL, resp *http.Response) error {
	text, _ := io.ReadAll(io.LimitReader(resp.Body, 300)) // a lost body loses only the explanation
	first, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	if strings.HasPrefix(first, "<") {
		first = ""
	}
	return &StatusError{URL: redact.URL(u), Status: resp.StatusCode, Text: first}
}

// An UnreachableError says that nothing answered.
type UnreachableError struct {
	URL       string
	Err       error
	Connected bool // somebody, if only the kernel, took the connection
}

// silent reports whether a request ran out of time: nobody refused it, and nobody answered.
func (e *UnreachableError) silent() bool {
	var timeout net.Error
	return errors.Is(e.Err, context.DeadlineExceeded) || errors.As(e.Err, &timeout) && timeout.Timeout()
}

func (e *UnreachableError) Unwrap() error { return e.Err }

func (e *UnreachableError) Error() string {
	switch {
	case errors.Is(e.Err, syscall.ECONNREFUSED):
		return fmt.Sprintf("%s: nothing listens there (connection refused); is the service up, and is this the pprof port?", e.URL)
	case errors.Is(e.Err, context.DeadlineExceeded):
		return fmt.Sprintf("%s: no answer in time; the service may hang or be overloaded", e.URL)
	}
	var dns *net.DNSError
	if errors.As(e.Err, &dns) {
		return fmt.Sprintf("%s: the host name %q does not resolve", e.URL, dns.Name)
	}
	return fmt.Sprintf("%s: %v", e.URL, e.Err)
}

// unreachable keeps the cause of a failed request and drops http.Client's wrapping, which repeats the URL with its
// query.
func unreachable(u *url.URL, err error, connected bool) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	return &UnreachableError{URL: redact.URL(u), Err: err, Connected: connected}
}
