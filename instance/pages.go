package instance

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/redact"
	"github.com/gocasebook/casebook/internal/room"
)

// pagePatience is how long a page of numbers may take: they are made for being read often.
const pagePatience = 10 * time.Second

// sibling is the address of another page of the host that serves pprof, with the same credentials.
func (t *HTTP) sibling(path string) *url.URL {
	_, page := splitUnix(t.base())
	prefix, std := strings.CutSuffix(page, stdIndex)
	if !std { // an index page elsewhere says nothing of where the others are
		prefix = ""
	}
	return at(t.base(), prefix+path)
}

// captureExpvar takes what package expvar publishes, as JSON. The command line is left out: it may hold secrets.
func (t *HTTP) captureExpvar(ctx context.Context) (Profile, error) {
	u := t.sibling("/debug/vars")
	p, err := capturePage(ctx, t.client, t.party, casefile.Metrics, u)
	if err != nil {
		return p, err
	}
	if waited := parsing.Do(ctx, func() { p.Data, err = withoutCommandLine(p.Data, u) }); waited != nil {
		return p, waited
	}
	return p, err
}

func withoutCommandLine(page []byte, u *url.URL) ([]byte, error) {
	var vars map[string]json.RawMessage
	if err := json.Unmarshal(page, &vars); err != nil {
		return nil, fmt.Errorf("reading %s: want one JSON object, as package expvar writes it: %w", redact.URL(u), err)
	}
	delete(vars, "cmdline")
	if len(vars) == 0 {
		return nil, &EmptyError{fmt.Sprintf("%s publishes nothing but the command line, which is not kept",
			redact.URL(u))}
	}
	return json.MarshalIndent(vars, "", " ")
}

// capturePrometheus takes a page of metrics as it is.
func (t *HTTP) capturePrometheus(ctx context.Context) (Profile, error) {
	if t.PrometheusURL == "" {
		return Profile{Kind: casefile.Prometheus}, errNoPage
	}
	u, err := pageURL(t.PrometheusURL, t.base())
	if err != nil {
		return Profile{Kind: casefile.Prometheus}, err
	}
	client := t.clientFor(u)
	if client != t.client {
		defer client.CloseIdleConnections()
	}
	return capturePage(ctx, client, t.party, casefile.Prometheus, u)
}

var errNoPage = &EmptyError{"no page of Prometheus metrics is configured"}

// clientFor is the client that asks a page which somebody named: with the target's credentials where they may go.
func (t *HTTP) clientFor(u *url.URL) *http.Client {
	own, page := originOf(wire(t.base())), originOf(wire(u))
	mine, _ := splitUnix(t.base())
	socket, _ := splitUnix(u)
	switch {
	case own == page && mine == socket:
		return t.client
	case own.covers(page) && mine == "" && socket == "" && t.options.Gateway == nil:
		return newClient(page, "", t.options)
	}
	return newClient(page, socket, HTTPOptions{Allow: t.options.Allow})
}

// PageClient is for another page of numbers: a path such as "/metrics" is one of the target's host, and so are URLs of
// the same host with another port; these are asked with the target's credentials, others without. It returns the client
// and the URL to ask it for, which of a Unix domain socket is one of localhost that this client alone takes to the
// socket.
func (t *HTTP) PageClient(rawURL string) (*http.Client, string, error) {
	u, err := pageURL(rawURL, t.base())
	if err != nil {
		return nil, "", err
	}
	return t.clientFor(u), wire(u).String(), nil
}

// pageURL is a page's address: an http, https or unix URL, or a path on the host of base, which may be nil.
func pageURL(rawURL string, base *url.URL) (*url.URL, error) {
	u, err := url.Parse(rawURL)
	if err != nil {
		return nil, fmt.Errorf("%q is not a URL; want something like http://127.0.0.1:9090/metrics",
			redact.Text(rawURL))
	}
	if base != nil && !u.IsAbs() && u.Host == "" {
		page := at(base, slashedFront(u.Path))
		if u.RawQuery != "" { // otherwise that of base: a token
			page.RawQuery = u.RawQuery
		}
		return page, nil
	}
	if u.Scheme == unixScheme {
		return parseURL(rawURL)
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return nil,
			fmt.Errorf("%s is not an http or https URL with a host; want something like http://127.0.0.1:9090/metrics",
				redact.URL(u))
	}
	return u, nil
}

func slashedFront(page string) string { return "/" + strings.TrimPrefix(page, "/") }

// capturePage fills a Profile from a page that the target may lack.
func capturePage(ctx context.Context, client *http.Client, party *room.Party, kind string, u *url.URL) (Profile,
	error) {
	p, err := fetchWith(ctx, party, answer{kind, largest(kind)}, 0, pagePatience,
		func(ctx context.Context, read func(io.Reader) error) error { return getURL(ctx, client, u, read) })
	var status *StatusError
	if errors.As(err, &status) && status.Status == http.StatusNotFound {
		return p, &EmptyError{fmt.Sprintf("%s answered 404: the target has no such page", status.URL)}
	}
	p.Data = bytes.TrimSpace(p.Data)
	return p, err
}
