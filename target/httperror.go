package target

import (
	"context"
	"crypto/x509"
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
	switch e.Status {
	case http.StatusNotFound:
		msg += "; is net/http/pprof mounted there?"
	case http.StatusUnauthorized, http.StatusForbidden:
		msg += "; the endpoint wants credentials, or others: --bearer-file, --header-file, --cert and --key (target.HTTPOptions), or http://user:password@host/"
	case http.StatusBadRequest:
		if strings.Contains(e.Text, "HTTP request to an HTTPS server") {
			msg += "; it speaks TLS: use https://"
		}
	}
	if e.Redirected != "" {
		msg += "; it redirects to " + e.Redirected + ", and no other place is asked than the one given: give that URL"
	}
	return msg
}

func statusError(u *url.URL, resp *http.Response) error {
	text, _ := io.ReadAll(io.LimitReader(resp.Body, 300)) // a lost body loses only the explanation
	first, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	first = plain.Text(first) // it goes into errors, logs and terminals
	if strings.HasPrefix(first, "<") {
		first = ""
	}
	return &StatusError{URL: redact.URL(u), Status: resp.StatusCode, Text: first, Redirected: plain.Text(redirect.Elsewhere(resp))}
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
	return fmt.Sprintf("%s: %v%s", e.URL, e.Err, tlsHint(e.Err))
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
		strings.Contains(text, "unknown certificate authority"), strings.Contains(text, "remote error: tls: handshake failure"):
		return "; it wants a certificate of its clients, or another one: --cert FILE --key FILE (HTTPOptions.CertFile)"
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
