package target

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
)

// pagePatience is how long a page of numbers may take: they are made for being read often.
const pagePatience = 10 * time.Second

// sibling is the address of another page of the host that serves pprof, with the same credentials.
func (t *HTTP) sibling(path string) *url.URL {
	u := *t.base
	u.Path = strings.TrimSuffix(u.Path, "/debug/pprof/") + path
	return &u
}

// captureExpvar takes what package expvar publishes, as JSON. The command line is left out: it may hold secrets.
func (t *HTTP) captureExpvar(ctx context.Context) (Profile, error) {
	u := t.sibling("/debug/vars")
	p, err := capturePage(ctx, t.client, casefile.Metrics, u)
	if err != nil {
		return p, err
	}
	var vars map[string]json.RawMessage
	if err := json.Unmarshal(p.Data, &vars); err != nil {
		return p, fmt.Errorf("reading %s: want one JSON object, as package expvar writes it: %w", redact.URL(u), err)
	}
	delete(vars, "cmdline")
	if len(vars) == 0 {
		return p, &EmptyError{fmt.Sprintf("%s publishes nothing but the command line, which is not kept", redact.URL(u))}
	}
	p.Data, err = json.MarshalIndent(vars, "", " ")
	return p, err
}

func (t *HTTP) capturePrometheus(ctx context.Context) (Profile, error) {
	return capturePrometheus(ctx, t.client, t.PrometheusURL, t.base)
}

// capturePrometheus takes a page of metrics as it is. rawURL is an http(s) URL, or a path on the host of base.
func capturePrometheus(ctx context.Context, client *http.Client, rawURL string, base *url.URL) (Profile, error) {
	if rawURL == "" {
		return Profile{Kind: casefile.Prometheus}, &EmptyError{"no page of Prometheus metrics is configured"}
	}
	u, err := pageURL(rawURL, base)
	if err != nil {
		return Profile{Kind: casefile.Prometheus}, err
	}
	return capturePage(ctx, client, casefile.Prometheus, u)
}

func pageURL(rawURL string, base *url.URL) (*url.URL, error) {
	u, err := url.Parse(rawURL)
	if err != nil {
		return nil, fmt.Errorf("%q is not a URL; want something like http://127.0.0.1:9090/metrics", redact.Text(rawURL))
	}
	if base != nil && !u.IsAbs() && u.Host == "" {
		query := u.RawQuery
		if u = base.ResolveReference(u); query == "" {
			u.RawQuery = base.RawQuery // a token
		}
		u.User = base.User
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return nil, fmt.Errorf("%s is no http or https URL of a host; want something like http://127.0.0.1:9090/metrics", redact.URL(u))
	}
	return u, nil
}

// capturePage fills a Profile from a page that the target may lack.
func capturePage(ctx context.Context, client *http.Client, kind string, u *url.URL) (Profile, error) {
	p, err := fetchWith(ctx, kind, 0, pagePatience, func(ctx context.Context, read func(io.Reader) error) error {
		return getURL(ctx, client, u, read)
	})
	var status *StatusError
	if errors.As(err, &status) && status.Status == http.StatusNotFound {
		return p, &EmptyError{fmt.Sprintf("%s answered 404: the target has no such page", status.URL)}
	}
	p.Data = bytes.TrimSpace(p.Data)
	return p, err
}
