package prometheus

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gocasebook/casebook/internal/plain"
	"github.com/gocasebook/casebook/internal/redact"
	"github.com/gocasebook/casebook/internal/redirect"
	"github.com/gocasebook/casebook/internal/room"
)

// maxPage bounds a page, unpacked. A sick process may answer anything.
const maxPage = 32 << 20

// A page is what was answered.
type page struct {
	body        []byte
	cut         bool // there was more than maxPage
	openMetrics bool // otherwise the text format 0.0.4
	at          time.Time
}

func newClient() *http.Client {
	return &http.Client{CheckRedirect: redirect.SameHost, Transport: &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: DefaultTimeout}).DialContext,
		TLSHandshakeTimeout: DefaultTimeout,
		MaxIdleConnsPerHost: 2,
		IdleConnTimeout:     time.Minute,
	}}
}

func parseURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return nil, fmt.Errorf("%q is not an http or https URL with a host; want one such as "+
			"http://127.0.0.1:9090/metrics", redact.Text(text))
	}
	return u, nil
}

// fetch asks for the page and hands it to use, which must not keep its body. It prefers the simpler format, and asks
// for no compression, which would cost the target more CPU than the page itself; what comes packed is unpacked.
func (s *Scraper) fetch(ctx context.Context, use func(page) error) error {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url.String(), nil)
	if err != nil {
		return fmt.Errorf("reading %s: %w", redact.URL(s.url), redact.Cause(err))
	}
	req.Header.Set("Accept", "text/plain;version=0.0.4,application/openmetrics-text;version=1.0.0;q=0.5,*/*;q=0.1")
	req.Header.Set("Accept-Encoding", "identity")
	resp, err := s.client.Do(req)
	if err != nil {
		return s.unreachable(err)
	}
	defer resp.Body.Close()
	p := page{at: time.Now()}
	if resp.StatusCode != http.StatusOK {
		return s.refused(resp)
	}
	var used error
	if p.openMetrics, err = format(resp.Header.Get("Content-Type")); err == nil {
		err = p.readBody(resp, s.party, func() { used = use(p) })
	}
	if err != nil {
		return fmt.Errorf("reading %s: %w", redact.URL(s.url), s.explain(err))
	}
	return used
}

// format detects the format from the content type, and refuses anything but a text page of metrics.
func format(contentType string) (openMetrics bool, err error) {
	kind, _, err := mime.ParseMediaType(contentType)
	switch {
	case err != nil: // missing or malformed: Prometheus, too, takes it for text
		return false, nil
	case kind == "text/html":
		return false, errHTML
	case kind == "application/vnd.google.protobuf", kind == "application/json":
		return false, fmt.Errorf("the answer is of type %s, not a text page of metrics", kind)
	}
	return kind == "application/openmetrics-text", nil
}

var errHTML = errors.New("the answer is an HTML page; is this the URL of the metrics, and is there no login in front " +
	"of it?")

// bodies are those of the pages that are being read.
var bodies room.Buffers

// readBody calls use while there is a body.
func (p *page) readBody(resp *http.Response, party *room.Party, use func()) error {
	var in io.Reader = resp.Body
	if strings.EqualFold(resp.Header.Get("Content-Encoding"), "gzip") {
		zr, err := gzip.NewReader(in)
		if err != nil {
			return fmt.Errorf("unpacking: %w", err)
		}
		in = zr
	}
	return party.Use(&bodies, io.LimitReader(in, maxPage+1), maxPage+1, func(body []byte) error {
		if start := bytes.TrimSpace(body[:min(len(body), 512)]); len(start) > 0 && start[0] == '<' {
			return errHTML
		}
		if p.cut = len(body) > maxPage; p.cut {
			body = body[:maxPage]
		}
		p.body = body
		use()
		return nil
	})
}

// wholeLines returns a page up to its last end of line.
func wholeLines(body []byte) []byte { return body[:bytes.LastIndexByte(body, '\n')+1] }

func (s *Scraper) unreachable(err error) error {
	return fmt.Errorf("%s does not answer: %w; is the process running, and is this its metrics page?",
		redact.URL(s.url), s.explain(err))
}

func (s *Scraper) refused(resp *http.Response) error {
	next := "is this the metrics page?"
	if to := redirect.Elsewhere(resp); to != "" {
		next = "it redirects to " + to + ", and no other place is asked than the one given: give that URL"
	}
	if resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden {
		next = "it wants credentials: put them into the URL, http://user:password@host/metrics"
	}
	return fmt.Errorf("%s answered %s; %s", redact.URL(s.url), plain.Text(resp.Status), plain.Text(next))
}

// explain says in words that time ran out, and takes the URL, with its secrets, out of an error.
func (s *Scraper) explain(err error) error {
	err = redact.Cause(err)
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("no complete answer within %s: %w", s.timeout, err)
	}
	return err
}
