package instance

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"

	"github.com/gocasebook/casebook/internal/plain"
	"github.com/gocasebook/casebook/internal/redact"
	"github.com/gocasebook/casebook/internal/redirect"
)

// A StatusError is an answer that is not 200.
type StatusError struct {
	URL    string
	Status int
	Text   string // the beginning of the body

	Redirected string // scheme, host and port that the answer points to, where it was not followed; "" for none
}

func (e *StatusError) Error() string {
	msg := fmt.Sprintf("%s answered %d", e.URL, e.Status)
	if e.Text != "" {
		msg += ": " + e.Text
	}
	return msg + "; " + e.advice()
}

// advice says what the answer most likely means, and what to do.
func (e *StatusError) advice() string {
	switch {
	case e.Redirected != "" && strings.HasPrefix(e.URL, e.Redirected+"/"):
		return "it redirects to itself, again and again: give the URL of net/http/pprof behind that"
	case e.Redirected != "":
		return "it redirects to " + e.Redirected + ", and no other place is asked than the one given: give that URL"
	case e.Status == http.StatusNotFound:
		return "is net/http/pprof mounted there?"
	case e.Status == http.StatusUnauthorized, e.Status == http.StatusForbidden:
		return "the endpoint wants credentials, or others: --bearer-file, --header-file, --cert and --key " +
			"(instance.HTTPOptions), or http://user:password@host/"
	case e.Status == http.StatusBadRequest && strings.Contains(e.Text, "HTTP request to an HTTPS server"):
		return "it speaks TLS: use https://"
	case e.Status == http.StatusTooManyRequests:
		return "something before the service limits requests: ask the service itself, or less often (--interval)"
	case e.Status == http.StatusBadGateway, e.Status == http.StatusServiceUnavailable,
		e.Status == http.StatusGatewayTimeout:
		return "the service behind a proxy does not answer it: is it up? Better ask the service itself"
	case e.Status >= 500 && e.Status < 600:
		return "the service failed to answer; its log may say why"
	}
	return "net/http/pprof answers 200: is that its URL, and is nothing else in between?"
}

func statusError(u *url.URL, resp *http.Response) error {
	text, _ := io.ReadAll(io.LimitReader(resp.Body, 4<<10)) // a lost body loses only the explanation
	var object struct{ Message string }                     // what API servers send, that of Kubernetes among them
	if json.Unmarshal(text, &object) == nil && object.Message != "" {
		text = []byte(object.Message)
	}
	first, _, _ := strings.Cut(strings.TrimSpace(string(text[:min(len(text), 300)])), "\n")
	first = plain.Text(first) // it goes into errors, logs and terminals
	if strings.HasPrefix(first, "<") {
		first = ""
	}
	return &StatusError{URL: redact.URL(u), Status: resp.StatusCode, Text: first,
		Redirected: plain.Text(redirect.Elsewhere(resp))}
}

// An UnreachableError says that nothing answered.
type UnreachableError struct {
	URL       string
	Err       error
	Connected bool // somebody, if only the kernel, took the connection
}

// silent reports whether a request timed out: it was neither rejected nor answered.
func (e *UnreachableError) silent() bool {
	var timeout net.Error
	return errors.Is(e.Err, context.DeadlineExceeded) || errors.As(e.Err, &timeout) && timeout.Timeout()
}

func (e *UnreachableError) Unwrap() error { return e.Err }

func (e *UnreachableError) Error() string {
	switch {
	case errors.Is(e.Err, syscall.ECONNREFUSED):
		return fmt.Sprintf("%s: nothing listens there (connection refused); is the service up, and is this the "+
			"pprof port?",
			e.URL)
	case errors.Is(e.Err, context.DeadlineExceeded):
		return fmt.Sprintf("%s: no answer in time; the service may hang or be overloaded", e.URL)
	}
	var dns *net.DNSError
	if errors.As(e.Err, &dns) {
		return fmt.Sprintf("%s: the host name %q does not resolve: is it spelled right?", e.URL, dns.Name)
	}
	if text := brokenAnswer(e.Err); text != "" {
		return e.URL + ": " + text
	}
	return fmt.Sprintf("%s: %s%s", e.URL, plain.Text(e.Err.Error()), tlsHint(e.Err))
}

// brokenAnswer says what is wrong with an answer that is not whole, or no HTTP; "" for any other error. What came is
// not quoted: it may be anything, and in the words of net/http it reads as a fault of the client.
func brokenAnswer(err error) string {
	const notHTTP = "is that the port of net/http/pprof?"
	text := err.Error()
	has := func(part string) bool { return strings.Contains(text, part) }
	switch {
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, io.EOF), has("server closed idle connection"),
		has("unexpected EOF reading trailer"):
		return "it closed the connection without an answer; has the process ended, or does it want TLS (https://)?"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "the answer ends in the middle: the connection was closed; has the process ended, or has a proxy cut it?"
	case has("headers exceeded"), has("too many 1xx"):
		return "the headers of its answer are larger than those of net/http/pprof; " + notHTTP
	case has("HTTP response to HTTPS client"): // see tlsHint
		return ""
	case has("malformed"), has("Content-Length"), has("transfer encoding"), has("chunk"),
		has("transport connection broken"):
		return "its answer is no valid HTTP; " + notHTTP
	}
	return ""
}

// tlsHint says which option mends a handshake that failed.
func tlsHint(err error) string {
	const hand = "; --insecure (HTTPOptions.Insecure) accepts any"
	var (
		authority x509.UnknownAuthorityError
		host      x509.HostnameError
		invalid   x509.CertificateInvalidError
	)
	switch text := err.Error(); {
	case errors.As(err, &authority):
		return "; name the authority that signed its certificate: --ca FILE (HTTPOptions.CAFile)" + hand
	case errors.As(err, &host):
		return "; give the host by a name that its certificate has" + hand
	case errors.As(err, &invalid):
		return "; its certificate must be renewed" + hand
	case strings.Contains(text, "certificate required"), strings.Contains(text, "bad certificate"),
		strings.Contains(text, "unknown certificate authority"),
		strings.Contains(text, "remote error: tls: handshake failure"):
		return "; it requires a client certificate, or a different one: --cert FILE --key FILE (HTTPOptions.CertFile)"
	case strings.Contains(text, "HTTP response to HTTPS client"):
		return "; it does not speak TLS: use http://"
	}
	return ""
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

// A bodyReader remembers the error of the connection: what reads it may have others.
type bodyReader struct {
	r   io.Reader
	err error // nil while there is none, and at the end
}

func (b *bodyReader) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if err != io.EOF {
		b.err = err
	}
	return n, err
}

// broken is the error in words.
func (b *bodyReader) broken() error {
	if text := brokenAnswer(b.err); text != "" {
		return &brokenError{text, b.err}
	}
	return b.err
}

// A brokenError is an answer that did not come whole.
type brokenError struct {
	text string
	err  error
}

func (e *brokenError) Error() string { return e.text }

func (e *brokenError) Unwrap() error { return e.err }
