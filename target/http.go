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
	"sync/atomic"
	"syscall"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// Limits on what is read from a target. A sick process may answer anything.
const (
	maxIndex   = 1 << 20   // bytes of the /debug/pprof/ page
	maxText    = 256 << 20 // bytes of heap?debug=1 that are read through to reach its end
	maxProfile = 256 << 20 // bytes of one profile
)

// HTTP is a process behind net/http/pprof. It is not safe for concurrent use, except that Capture may run beside Sample.
type HTTP struct {
	base   *url.URL // of the pprof index, with a trailing slash; may carry userinfo and query, never shown
	client *http.Client

	proc   *process // nil when the process does not run here, or is not ours to look at
	noProc string   // why proc is nil
	mem    memReader
	refind time.Time // when a search for the process may be tried again
	reset  bool      // the process was replaced since the last call of Restarted

	seen   atomic.Pointer[counts] // of the last index page; Capture reads it
	absent reasons
}

// ParseURL reads what people type for a pprof endpoint: "localhost:6060", "http://host:6060",
// "http://host/debug/pprof/heap?debug=1". The result is the URL of the pprof index.
func ParseURL(text string) (*url.URL, error) {
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	u, err := url.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%q is not a URL; want something like http://127.0.0.1:6060", redactText(text))
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("%s: scheme %q is not supported; use http or https", redact(u), u.Scheme)
	}
	if u.Hostname() == "" {
		return nil, fmt.Errorf("%q names no host; want something like http://127.0.0.1:6060", redactText(text))
	}
	const index = "/debug/pprof"
	if i := strings.Index(u.Path, index); i >= 0 {
		u.Path = u.Path[:i+len(index)] + "/"
	} else {
		u.Path = strings.TrimSuffix(u.Path, "/") + index + "/"
	}
	u.Fragment, u.RawPath = "", ""
	q := u.Query() // a token may be in the query; what belongs to one profile must not be
	for _, k := range []string{"debug", "seconds", "gc"} {
		q.Del(k)
	}
	u.RawQuery = q.Encode()
	return u, nil
}

// NewHTTP returns a target for what ParseURL accepts. It sends nothing yet.
func NewHTTP(rawURL string) (*HTTP, error) {
	u, err := ParseURL(rawURL)
	if err != nil {
		return nil, err
	}
	return &HTTP{
		base: u,
		client: &http.Client{Transport: &http.Transport{
			Proxy:               http.ProxyFromEnvironment,
			DialContext:         (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
			TLSHandshakeTimeout: 5 * time.Second,
			MaxIdleConnsPerHost: 4,
			IdleConnTimeout:     time.Minute,
			DisableCompression:  true, // profiles are gzipped already; compressing text would cost the target CPU
		}},
	}, nil
}

// URL is the index's address without userinfo and query.
func (t *HTTP) URL() string { return redact(t.base) }

// Absent says which signals the target does not give, and why, by signal name.
func (t *HTTP) Absent() map[string]string { return t.absent.all() }

// Restarted reports, once, that the process was replaced since the last call.
func (t *HTTP) Restarted() bool {
	r := t.reset
	t.reset = false
	return r
}

// Describe says which process this is. An error means that nothing answers; a target that does not run on this machine
// is described by its URL alone.
func (t *HTTP) Describe(ctx context.Context) (casefile.Target, error) {
	d := casefile.Target{Name: t.base.Host, URL: t.URL()}
	if _, err := t.index(ctx); err != nil {
		return d, err
	}
	if t.proc == nil {
		t.findProcess(ctx)
	}
	if t.proc != nil {
		t.proc.describe(&d)
	}
	return d, nil
}

// Sample fills in what can be read now. Only a target that does not answer at all is an error; what else fails is
// recorded in Absent.
func (t *HTTP) Sample(ctx context.Context, s *vitals.Sample) error {
	began := time.Now()
	c, err := t.index(ctx)
	if err != nil {
		return err
	}
	s.Set(vitals.ProbeTime, time.Since(began).Seconds())
	t.seen.Store(&c)
	if n, ok := c["goroutine"]; ok {
		s.Set(vitals.Goroutines, float64(n))
	} else {
		t.absent.set("the pprof index does not list a goroutine profile", vitals.Goroutines)
	}
	t.sampleProcess(ctx, s)
	// The threadcreate profile has a record for every thread that the runtime owns now (runtime/mprof.go walks allm), and
	// with cgo one for the thread that C may yet bring (runtime/proc.go, oneNewExtraM).
	if n, ok := c["threadcreate"]; ok && t.proc == nil {
		s.Set(vitals.Threads, float64(n))
	}
	t.sampleMemStats(ctx, s, c)
	t.absent.set("runtime/metrics has no standard endpoint; the process must watch itself for this", runtimeOnly[:]...)
	t.absent.settle(s)
	return nil
}

// runtimeOnly are the signals that only the process itself can read.
var runtimeOnly = [...]vitals.ID{
	vitals.GCAssist, vitals.GCLimiter, vitals.GoMemoryLimit, vitals.GoroutinesRunnable, vitals.GoroutinesWaiting,
	vitals.GoroutinesCreated, vitals.GoMaxProcs, vitals.CgoCalls, vitals.MutexWait, vitals.SchedLatencyP50, vitals.SchedLatencyP99,
}

// get sends one request and hands a 200 answer's body to read. what names the request in errors.
func (t *HTTP) get(ctx context.Context, name, query string, read func(io.Reader) error) error {
	u := *t.base
	u.Path += name
	if query != "" {
		if u.RawQuery != "" {
			u.RawQuery += "&"
		}
		u.RawQuery += query
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return fmt.Errorf("asking %s: %w", redact(&u), err)
	}
	resp, err := t.client.Do(req)
	if err != nil {
		return unreachable(&u, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return statusError(&u, resp)
	}
	if err := read(resp.Body); err != nil {
		return fmt.Errorf("reading %s: %w", redact(&u), err)
	}
	return nil
}

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
	return &StatusError{URL: redact(u), Status: resp.StatusCode, Text: first}
}

// An UnreachableError says that nothing answered.
type UnreachableError struct {
	URL string
	Err error
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
func unreachable(u *url.URL, err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	return &UnreachableError{URL: redact(u), Err: err}
}

// redact is a URL without userinfo and query, which may hold secrets.
func redact(u *url.URL) string {
	c := *u
	c.User, c.RawQuery, c.Fragment = nil, "", ""
	return c.String()
}

// redactText does the same for a text that is no URL.
func redactText(text string) string {
	if i := strings.LastIndex(text, "@"); i >= 0 {
		text = "…" + text[i:]
	}
	text, _, _ = strings.Cut(text, "?")
	return text
}
