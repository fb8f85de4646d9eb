package middleware

import (
	"bytes"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"github.com/gocasebook/casebook/internal/redact"
)

// SampleConfig says which requests a Sample keeps. The zero value keeps the path, query and a few harmless headers of one
// of a hundred requests, the last 1,000 of them.
type SampleConfig struct {
	Every  int      // one of so many requests is kept, chosen at random; 0 means 100
	Most   int      // that are kept, the latest; 0 means 1,000, and 10,000 is the most
	Header []string // names of headers that are kept besides Accept, Accept-Language, Content-Type and User-Agent
	Body   int      // bytes of a body that are kept; 0 keeps none, 64 KiB is the most. Of a longer body nothing is kept
	// Keep, if not nil, is asked for each request that would be kept. It must be safe for concurrent use.
	Keep func(*http.Request) bool
}

// Bounds of a Sample.
const (
	defaultEvery = 100
	defaultMost  = 1_000
	maxMost      = 10_000
	maxBody      = 64 << 10
	maxTarget    = 4 << 10 // bytes of path and query: a longer one is not kept
)

// A Sample keeps some of the requests that a service gets, so that a load can be made of them (casebook replay). Secrets
// are not kept: parameters whose names say so (token, password, session …) have the value "redacted", other headers
// than those of SampleConfig are not looked at. Bodies are kept as they are, if at all.
//
// A request that is not kept pays 20 ns, one that is kept 0.6 µs (BenchmarkSample). Make it with NewSample; it is
// safe for concurrent use.
type Sample struct {
	cfg SampleConfig

	mu   sync.Mutex // guards what follows; held for a copy of a pointer
	ring []*sampled
	next int
}

// A sampled is one request, as a line of JSON that targets of a load may be.
type sampled struct {
	Time   time.Time   `json:"time"`
	Method string      `json:"method"`
	URL    string      `json:"url"` // path and query
	Host   string      `json:"host"`
	Header http.Header `json:"header"`
	Body   []byte      `json:"body,omitempty"`
	Whole  bool        `json:"whole"` // it had no body, or Body is all of it
}

// NewSample returns a sample without requests. It starts nothing.
func NewSample(cfg SampleConfig) *Sample {
	cfg.Every = within(cfg.Every, defaultEvery, 1<<30)
	cfg.Most = within(cfg.Most, defaultMost, maxMost)
	cfg.Body = min(max(cfg.Body, 0), maxBody)
	cfg.Header = append([]string{"Accept", "Accept-Language", "Content-Type", "User-Agent"}, cfg.Header...)
	return &Sample{cfg: cfg, ring: make([]*sampled, 0, cfg.Most)}
}

// within is a setting between 1 and most; what is not set is the default.
func within(v, otherwise, most int) int {
	if v <= 0 {
		v = otherwise
	}
	return min(v, most)
}

// Handler returns a handler that calls next and keeps some of its requests. A nil next is http.DefaultServeMux.
func (s *Sample) Handler(next http.Handler) http.Handler {
	if next == nil {
		next = http.DefaultServeMux
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if rand.IntN(s.cfg.Every) != 0 || len(r.RequestURI) > maxTarget || s.cfg.Keep != nil && !s.cfg.Keep(r) {
			next.ServeHTTP(w, r)
			return
		}
		kept := s.sampled(r)
		body := s.copyOf(r)
		defer func() { // a handler that panics got a request, too
			kept.finish(body)
			s.add(kept)
		}()
		next.ServeHTTP(w, r)
	})
}

func (s *Sample) sampled(r *http.Request) *sampled {
	kept := &sampled{Time: time.Now().UTC(), Method: r.Method, Host: r.Host, Header: make(http.Header)}
	kept.URL, _ = redact.Target(r.URL.RequestURI())
	for _, name := range s.cfg.Header {
		if values := r.Header.Values(name); len(values) > 0 {
			kept.Header[http.CanonicalHeaderKey(name)] = append([]string(nil), values...)
		}
	}
	return kept
}

// copyOf has the body copied while the handler reads it; nil if there is none.
func (s *Sample) copyOf(r *http.Request) *bodyCopy {
	if r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	c := &bodyCopy{ReadCloser: r.Body, room: s.cfg.Body}
	r.Body = c
	return c
}

// finish takes the body that was read.
func (k *sampled) finish(c *bodyCopy) {
	if c == nil {
		k.Whole = true
		return
	}
	if body, ok := c.whole(); ok {
		k.Body, k.Whole = body, true
	}
}

func (s *Sample) add(k *sampled) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.ring) < cap(s.ring) {
		s.ring = append(s.ring, k)
		return
	}
	s.ring[s.next] = k
	s.next = (s.next + 1) % len(s.ring)
}

// ServeHTTP writes the requests that are kept, the oldest first, as lines of JSON, which casebook replay reads. It shows
// what callers asked for: mount it beside net/http/pprof, where only operators can reach it.
func (s *Sample) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "the sample of requests is read by GET", http.StatusMethodNotAllowed)
		return
	}
	s.mu.Lock()
	all := append(append(make([]*sampled, 0, len(s.ring)), s.ring[s.next:]...), s.ring[:s.next]...)
	s.mu.Unlock()
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, k := range all {
		if enc.Encode(k) != nil {
			return // the reader has gone
		}
	}
}

// A bodyCopy keeps what is read of a body, up to a number of bytes. A proxy's transport may go on reading when the
// handler has returned, so there is a lock.
type bodyCopy struct {
	io.ReadCloser
	room int

	mu    sync.Mutex // guards what follows
	kept  bytes.Buffer
	long  bool // there is more than room
	ended bool // all of it was read
}

func (c *bodyCopy) Read(b []byte) (int, error) {
	n, err := c.ReadCloser.Read(b)
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.long:
	case n > c.room-c.kept.Len():
		c.long, c.kept = true, bytes.Buffer{}
	default:
		c.kept.Write(b[:n])
	}
	if err == io.EOF {
		c.ended = true
	}
	return n, err
}

// whole is the body, if all of it was read and kept.
func (c *bodyCopy) whole() ([]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return bytes.Clone(c.kept.Bytes()), c.ended && !c.long
}
