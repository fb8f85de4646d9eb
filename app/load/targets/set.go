package targets

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Options say how a set draws its requests.
type Options struct {
	Base   string      // URL for targets that are only paths
	Header http.Header // of all targets; those of a target win
	Table  *Table      // rows for templates; nil for none
	Random bool        // rows in random order; otherwise one after another, and again from the first
	Seed   uint64      // of all that is random: the same seed, the same requests
	Plain  bool        // there are no templates
}

// A Set makes requests of targets, which take turns. It is used by one goroutine at a time.
type Set struct {
	targets []compiled
	opt     Options
	draw    draw
	buf     []byte
}

// compiled is a target made ready.
type compiled struct {
	method string
	url    text
	parsed *url.URL // of a constant URL
	names  []string
	values []text
	header http.Header // of constant headers
	host   text        // instead of the URL's; empty: the URL's
	body   text
	from   *Target
}

// Compile makes targets ready and tries each once.
func Compile(ts []Target, opt Options) (*Set, error) {
	if len(ts) == 0 {
		return nil, errors.New("there are no targets")
	}
	s := &Set{opt: opt, draw: draw{random: rand.NewPCG(0, 0), table: opt.Table}}
	c := newCompiler(opt.Table, &s.draw, opt.Plain)
	for i := range ts {
		t, err := c.target(&ts[i], &opt)
		if err != nil {
			return nil, ts[i].at(err)
		}
		s.targets = append(s.targets, t)
	}
	for i := range ts {
		if _, err := s.Request(uint64(i)); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// target compiles one.
func (c *compiler) target(t *Target, opt *Options) (compiled, error) {
	if err := t.check(opt.Base); err != nil {
		return compiled{}, err
	}
	out := compiled{method: t.Method, from: t}
	source := t.URL
	if strings.HasPrefix(source, "/") {
		source = strings.TrimSuffix(opt.Base, "/") + source
	}
	var err error
	if out.url, err = c.compile("URL", source); err != nil {
		return out, err
	}
	if out.url.isConstant() {
		if out.parsed, err = parseURL(source); err != nil {
			return out, err
		}
	}
	if out.body, err = c.compile("body", string(t.Body)); err != nil {
		return out, err
	}
	return out, c.headers(&out, merged(opt.Header, t.Header))
}

// merged returns the headers of both, with own's instead of all's of the same name.
func merged(all, own http.Header) http.Header {
	h := http.Header{"User-Agent": {"casebook-load"}}
	for _, from := range []http.Header{all, own} {
		for name, values := range from {
			h[http.CanonicalHeaderKey(name)] = values
		}
	}
	return h
}

// headers compiles headers. Host is not a header for net/http.
func (c *compiler) headers(out *compiled, h http.Header) error {
	constant := true
	names := make([]string, 0, len(h))
	for name := range h {
		names = append(names, name)
	}
	slices.Sort(names) // what is random is drawn in this order
	for _, name := range names {
		for _, v := range h[name] {
			t, err := c.compile("header "+name, v)
			if err != nil {
				return err
			}
			if name == "Host" {
				out.host = t
				continue
			}
			out.names, out.values = append(out.names, name), append(out.values, t)
			constant = constant && t.isConstant()
		}
	}
	if !constant {
		return nil
	}
	out.header = make(http.Header, len(out.names))
	for i, name := range out.names {
		out.header[name] = append(out.header[name], out.values[i].constant)
	}
	return nil
}

// parseURL parses a URL that can be loaded.
func parseURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%w; want a URL such as http://127.0.0.1:8080/path", err)
	}
	switch u.Scheme {
	case "http", "https", "grpc", "grpcs":
	default:
		return nil, fmt.Errorf("the URL %s has the scheme %q: want http, https, grpc or grpcs, as in "+
			"http://127.0.0.1:8080/path", u.Redacted(), u.Scheme)
	}
	if u.Host == "" {
		return nil, fmt.Errorf("the URL %s has no host: want one such as http://127.0.0.1:8080/path", u.Redacted())
	}
	return u, nil
}

// Len returns how many targets take turns.
func (s *Set) Len() int { return len(s.targets) }

// Request makes the i-th request. Requests share the constant parts, so they must not be changed.
func (s *Set) Request(i uint64) (*http.Request, error) {
	n := uint64(len(s.targets))
	t := &s.targets[i%n]
	s.draw.of(s.opt.Seed, i)
	if rows := s.opt.Table; rows != nil {
		at := i / n // so that every target sees every row
		if s.opt.Random {
			at = s.draw.random.Uint64()
		}
		s.draw.row = rows.Rows[at%uint64(len(rows.Rows))]
	}
	req, err := s.request(t)
	if err != nil {
		return nil, t.from.at(err)
	}
	return req, nil
}

func (s *Set) request(t *compiled) (*http.Request, error) {
	u, err := s.url(t)
	if err != nil {
		return nil, err
	}
	req := &http.Request{Method: t.method, URL: u, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Host: u.Host}
	if req.Header, err = s.header(t); err != nil {
		return nil, err
	}
	host, err := s.string(&t.host)
	if err != nil {
		return nil, err
	}
	if host != "" {
		req.Host = host
	}
	return req, s.setBody(req, t)
}

func (s *Set) url(t *compiled) (*url.URL, error) {
	if t.parsed != nil {
		return t.parsed, nil
	}
	text, err := s.string(&t.url)
	if err != nil {
		return nil, err
	}
	return parseURL(text)
}

func (s *Set) header(t *compiled) (http.Header, error) {
	if t.header != nil {
		return t.header, nil
	}
	h := make(http.Header, len(t.names))
	for i, name := range t.names {
		v, err := s.string(&t.values[i])
		if err != nil {
			return nil, err
		}
		h[name] = append(h[name], v)
	}
	return h, nil
}

// setBody gives the request its body. GetBody lets it be sent again over a new connection.
func (s *Set) setBody(req *http.Request, t *compiled) error {
	body := t.from.Body
	if !t.body.isConstant() {
		var err error
		if body, err = t.body.render(nil, &s.draw); err != nil {
			return err
		}
	}
	if len(body) == 0 {
		return nil
	}
	req.ContentLength = int64(len(body))
	req.Body = io.NopCloser(bytes.NewReader(body))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	return nil
}

// string renders a text.
func (s *Set) string(t *text) (string, error) {
	if t.isConstant() {
		return t.constant, nil
	}
	out, err := t.render(s.buf[:0], &s.draw)
	if err != nil {
		return "", err
	}
	s.buf = out
	return string(out), nil
}
