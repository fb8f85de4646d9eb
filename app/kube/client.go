// Package kube is Kubernetes as a source of targets: which containers serve profiles, and how to reach one from
// outside.
//
// The problem: a team's pods already say where their profiles are, in annotations for Alloy, for Coroot or for
// Prometheus. A second list of targets would be wrong after the next deployment. The approach: list and watch pods as
// the API's documentation says (pages, bookmarks, 410 Gone), and read what is there. `Pod.Endpoints` is a pure
// function from a pod to the addresses at which its containers serve profiles; a `Mirror` keeps the answer for each
// pod, and not the pod; `Shard` says which of several replicas watches a node's pods, without a leader. From a laptop
// the API server's proxy to a pod takes the place of its address (`Proxy`).
//
// There is no client-go: it has 40 modules, and Casebook asks for pods and writes events. A token goes to the API
// server alone, never to a pod, and no redirect is followed.
//
// The limits: pods of Linux with an address; one cluster at a time; kubeconfigs with a token or a client certificate.
// Programs that a kubeconfig names for logging in are not run: kubectl proxy is.
package kube

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
	"strconv"
	"time"

	"github.com/gocasebook/casebook/internal/plain"
	"github.com/gocasebook/casebook/internal/redirect"
)

// A Client asks one API server. It is safe for concurrent use.
type Client struct {
	cluster Cluster
	http    *http.Client
	agent   string
}

const (
	dialTimeout  = 10 * time.Second
	answerWithin = time.Minute // for what is not a watch
	pingAfter    = 30 * time.Second
	maxStatus    = 64 << 10 // bytes of an answer that says why not
)

// NewClient asks nothing yet. agent is the program that asks, with its version: the API server's audit log has it.
func NewClient(c Cluster, agent string) *Client {
	t := &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: dialTimeout}).DialContext,
		TLSClientConfig:     c.TLS.Clone(),
		TLSHandshakeTimeout: dialTimeout,
		ForceAttemptHTTP2:   true,
		IdleConnTimeout:     90 * time.Second,
		// A watch is silent for minutes. Without pings a connection whose other end is gone looks the same.
		HTTP2:                  &http.HTTP2Config{SendPingTimeout: pingAfter, PingTimeout: dialTimeout},
		MaxResponseHeaderBytes: 64 << 10,
	}
	return &Client{cluster: c, agent: agent, http: &http.Client{Transport: t, CheckRedirect: redirect.Never}}
}

// Close ends idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// From says which cluster this is.
func (c *Client) From() string { return c.cluster.From }

// A StatusError is an answer of the API server that is not what was asked for.
type StatusError struct {
	Code   int
	Reason string        // such as "Forbidden", "Expired"
	Text   string        // the server's words
	After  time.Duration // of Retry-After; 0 for none
	asked  string
}

func (e *StatusError) Error() string {
	text := fmt.Sprintf("the API server answers %d to %s", e.Code, e.asked)
	if e.Text != "" {
		text += ": " + e.Text
	}
	switch e.Code {
	case http.StatusUnauthorized:
		text += "; the token or certificate is not accepted: is it of this cluster, and not expired?"
	case http.StatusForbidden:
		text += "; docs/kubernetes.md lists what Casebook needs, and its manifests grant that"
	}
	return text
}

// isExpired reports whether a version or a continuation is too old: the list has to be asked for anew.
func isExpired(err error) bool {
	var e *StatusError
	return errors.As(err, &e) && (e.Code == http.StatusGone || e.Reason == "Expired" || e.Reason == "Gone")
}

// do sends one request and returns an answer of 2xx, whose body the caller closes.
func (c *Client) do(ctx context.Context, method, path string, query url.Values, body any) (*http.Response, error) {
	var text io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		text = bytes.NewReader(data)
	}
	address := c.cluster.Server + path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, method, address, text)
	if err != nil {
		return nil, fmt.Errorf("asking the API server (%s): %w", c.cluster.From, err)
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", c.agent)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if err := c.cluster.authorize(req.Header); err != nil {
		return nil, err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, fmt.Errorf("asking the API server (%s): %w", c.cluster.From, err)
	}
	if resp.StatusCode/100 == 2 {
		return resp, nil
	}
	defer resp.Body.Close()
	return nil, statusOf(resp, method+" "+path)
}

// authorize says who asks.
func (c *Cluster) authorize(h http.Header) error {
	token := c.Token
	if c.TokenFile != "" {
		var err error
		if token, err = readToken(c.TokenFile); err != nil {
			return fmt.Errorf("the token for the API server: %w", err)
		}
	}
	if token != "" {
		h.Set("Authorization", "Bearer "+token)
	}
	return nil
}

// status is an object of the kind Status of the meta/v1 API.
type status struct {
	Code    int    `json:"code"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
	Details struct {
		RetryAfterSeconds int `json:"retryAfterSeconds"`
	} `json:"details"`
}

func (s *status) err(asked string) *StatusError {
	return &StatusError{Code: s.Code, Reason: s.Reason, Text: shorten(s.Message), asked: asked,
		After: time.Duration(s.Details.RetryAfterSeconds) * time.Second}
}

func statusOf(resp *http.Response, asked string) error {
	text, _ := io.ReadAll(io.LimitReader(resp.Body, maxStatus)) // without it the number says enough
	var s status
	if json.Unmarshal(text, &s) != nil {
		s = status{Message: string(text)}
	}
	s.Code = resp.StatusCode
	if to := redirect.Elsewhere(resp); to != "" {
		s.Message = "it points to " + to + ", and no other place is asked"
	}
	e := s.err(asked)
	if n, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && n > 0 {
		e.After = time.Duration(n) * time.Second
	}
	return e
}

// shorten makes words of a server fit for a line of a log.
func shorten(text string) string {
	const most = 300
	if len(text) > most {
		text = cut(text, most) + "…"
	}
	return plain.Text(text)
}
