// Package grafana shows cases in a Grafana: an annotation for each, with a link to its page.
//
// The problem: who looks at a dashboard sees the spike, and does not know that its case is there. The approach: the
// HTTP API of annotations (https://grafana.com/docs/grafana/latest/developers/http_api/annotations/), as a work of the
// store's jobs, so that a Grafana that is away gets its annotations later. An organization's annotation has tags, and
// dashboards show those of the tag casebook. One that is there already is not made again: a process may have died
// between the answer and the end of its job.
//
// The limits: an annotation is written once. What a case gets later, such as a proof, is on its page.
package grafana

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/redirect"
)

// A Config says where a Grafana is.
type Config struct {
	URL   string // of the Grafana, such as https://grafana.example.org
	Token string // of a service account that may write annotations
	Pages string // address of this server, as readers reach it, for the links
}

// A Client writes annotations.
type Client struct {
	base   *url.URL
	token  string
	pages  string
	client *http.Client
}

const (
	askTime   = 15 * time.Second
	maxAnswer = 1 << 20 // bytes
	tag       = "casebook"
)

// New checks a configuration. It sends nothing.
func New(cfg Config) (*Client, error) {
	base, err := address("URL", cfg.URL)
	if err != nil {
		return nil, err
	}
	pages, err := address("Pages", cfg.Pages)
	if err != nil {
		return nil, err
	}
	if cfg.Token == "" {
		return nil, errors.New("field Token is empty; Grafana gives one for a service account")
	}
	return &Client{base: base, token: cfg.Token, pages: strings.TrimSuffix(pages.String(), "/"),
		client: &http.Client{Timeout: askTime, CheckRedirect: redirect.Never}}, nil
}

func address(field, text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.RawQuery != "" {
		return nil, fmt.Errorf("field %s must be an http or https address without user and query, such as "+
			"https://grafana.example.org", field)
	}
	return u, nil
}

// errNotDiagnosed lets the job wait for the detectors.
var errNotDiagnosed = errors.New("the case has no diagnosis yet")

// Annotate is the casework.Work that makes the annotation of a case.
func (c *Client) Annotate(ctx context.Context, s *store.Store, id string) error {
	found, err := s.Case(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return nil // removed
	}
	if err != nil {
		return err
	}
	if len(found.Findings)+len(found.Undecided) == 0 && found.Picture == nil && time.Since(found.Opened) < time.Hour {
		return errNotDiagnosed
	}
	there, err := c.has(ctx, id)
	if err != nil || there {
		return err
	}
	return c.ask(ctx, http.MethodPost, "/api/annotations", nil, c.annotation(&found), nil)
}

func (c *Client) annotation(of *casefile.Case) annotation {
	a := annotation{Time: of.Opened.UnixMilli(), Tags: []string{tag, caseTag(of.ID), of.Trigger.Rule, of.Target.Name}}
	if !of.Closed.IsZero() && of.Closed.After(of.Opened) {
		a.End = of.Closed.UnixMilli()
	}
	text := cmp.Or(of.Unexplained(), of.Trigger.Text)
	if len(of.Findings) > 0 {
		text = fmt.Sprintf("%s (%d)", of.Findings[0].Title, of.Findings[0].Score)
	}
	a.Text = fmt.Sprintf(`%s: %s <a href="%s/cases/%s">case</a>`, escape(of.Target.Name), escape(text), c.pages, of.ID)
	return a
}

// escape makes a text of it: names in a case come from other processes, and Grafana's cleaning is not ours to trust.
var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")

func escape(s string) string { return escapes.Replace(s) }

func caseTag(id string) string { return "case:" + id }

// has reports whether the annotation of a case is there.
func (c *Client) has(ctx context.Context, id string) (bool, error) {
	var list []struct {
		ID int64 `json:"id"`
	}
	q := url.Values{"tags": {caseTag(id)}, "limit": {"1"}}
	err := c.ask(ctx, http.MethodGet, "/api/annotations", q, nil, &list)
	return len(list) > 0, err
}

func (c *Client) ask(ctx context.Context, method, path string, q url.Values, body, answer any) error {
	u := *c.base
	u.Path = strings.TrimSuffix(u.Path, "/") + path
	u.RawQuery = q.Encode()
	var data []byte
	if body != nil {
		var err error
		if data, err = json.Marshal(body); err != nil {
			return fmt.Errorf("writing an annotation: %w", err)
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, u.String(), bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("asking Grafana: %w", err)
	}
	req.Header.Set("Authorization", "Bearer "+c.token)
	req.Header.Set("Content-Type", "application/json")
	resp, err := c.client.Do(req)
	if err != nil {
		return fmt.Errorf("asking Grafana: %w", err)
	}
	defer resp.Body.Close()
	data, err = io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("grafana answered %s to %s %s%s", resp.Status, method, path, advice(resp.StatusCode))
	}
	if err == nil && answer != nil {
		err = json.Unmarshal(data, answer)
	}
	if err != nil {
		return fmt.Errorf("reading Grafana's answer: %w", err)
	}
	return nil
}

func advice(code int) string {
	switch code {
	case http.StatusUnauthorized, http.StatusForbidden:
		return ": its token needs a service account with annotations:read and annotations:create"
	case http.StatusNotFound:
		return ": is that the address of Grafana itself, with its path if it has one?"
	}
	return ""
}
