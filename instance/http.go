package instance

import (
	"context"
	"debug/buildinfo"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"path"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/redact"
	"github.com/gocasebook/casebook/internal/room"
	"github.com/gocasebook/casebook/vitals"
)

// Limits on what is read from a target. A sick process may answer anything.
const (
	maxIndex   = 1 << 20   // bytes of the /debug/pprof/ page
	maxText    = 256 << 20 // bytes of heap?debug=1 that are read through to reach its end
	maxProfile = 64 << 20  // bytes of one profile: package stacks reads no larger file

	maxUnpacked = 128 << 20 // bytes of one profile without its compression: package stacks reads no more
)

// HTTP is a process behind net/http/pprof. It is not safe for concurrent use, except that Capture, Census, Facts and
// Absent may run concurrently with Sample.
type HTTP struct {
	// PrometheusURL is the page of metrics that is kept as evidence of the kind casefile.Prometheus; "" for none. A
	// local path such as "/metrics" is one of the host behind the pprof URL. Set it before the first capture.
	PrometheusURL string
	// TraceBytes is when an execution trace is ended, however few seconds it spans; 0 means DefaultTraceBytes. Up to
	// DefaultTraceBytes more are kept of what the runtime writes until it has stopped. Set it before the first capture.
	TraceBytes int
	// SilentAfter is from when on Describe does not wait for the answer of a process of this machine: what the kernel
	// knows of one that hangs is evidence, too. 0: it waits as long as its context lives. Set it before Describe.
	SilentAfter time.Duration

	// where the index page may be, the likeliest first; may carry userinfo and query, never shown
	candidates []*url.URL
	found      atomic.Pointer[place] // where it is; nil until then
	options    HTTPOptions
	client     *http.Client
	party      *room.Party // whose room all its answers take

	proc   atomic.Pointer[process] // nil when the process does not run here, or is not ours to look at
	noProc atomic.Pointer[string]  // why proc is nil
	mem    memReader
	gc     gcBound
	// the last reading of MemStats; nil for none
	account atomic.Pointer[dated]
	refind  time.Time           // when a search for the process may be tried again
	reset   bool                // the process was replaced since the last call of Restarted
	dead    *process            // the last one that was missed
	end     atomic.Pointer[End] // of it; nil for none

	seen     atomic.Pointer[counts] // of the last index page
	answered atomic.Int64           // when that came, in ns since 1970; 0 for never
	asked    atomic.Int64           // when one was first asked that was described without an answer
	mute     atomic.Bool            // the last sample got no answer in time
	known    latest
	absent   reasons
}

// NewHTTP returns a target for what people type: "localhost:6060", "https://host/admin/pprof", "unix:///run/app.sock".
// The index page of net/http/pprof is looked for at that address first, then at the usual ones below it. It sends
// nothing yet.
func NewHTTP(rawURL string) (*HTTP, error) { return NewHTTPWith(rawURL, HTTPOptions{}) }

// NewHTTPWith does so for a target that wants credentials. An error names every field at fault.
func NewHTTPWith(rawURL string, o HTTPOptions) (*HTTP, error) {
	u, err := parseURL(rawURL)
	if err != nil {
		return nil, err
	}
	if err := o.Check(); err != nil {
		return nil, fmt.Errorf("reaching %s: %w", redact.URL(u), err)
	}
	socket, _ := splitUnix(u)
	t := &HTTP{candidates: candidates(u), options: o, client: newClient(originOf(wire(u)), socket, o),
		party: room.NewParty()}
	t.absent.set("its requests are seen only on its own, through package middleware", requestSignals[:]...)
	t.absent.set("runtime/metrics has no standard endpoint; the process must watch itself for this", runtimeOnly[:]...)
	return t, nil
}

// base is the address of the index page as far as it is known, with a trailing slash.
func (t *HTTP) base() *url.URL {
	if p := t.found.Load(); p != nil {
		return p.dir
	}
	return newPlace(t.candidates[0]).dir
}

// URL is the index's address without userinfo and query.
func (t *HTTP) URL() string {
	if g := t.options.Gateway; g != nil && g.Shown != "" {
		return g.Shown
	}
	return redact.URL(t.base())
}

// name is what a target is called if only its address is known.
func (t *HTTP) name() string {
	u := t.base()
	if socket, _ := splitUnix(u); socket != "" {
		return strings.TrimSuffix(path.Base(socket), path.Ext(socket))
	}
	return u.Host
}

// Absent says which signals the target does not give, and why, by signal name.
func (t *HTTP) Absent() map[string]string { return t.absent.all() }

// Restarted reports once if the process was replaced since the last call.
func (t *HTTP) Restarted() bool {
	r := t.reset
	t.reset = false
	return r
}

// Describe says which process this is. An error means that nothing answers; a target that does not run on this machine
// is described by its URL alone. It waits for an answer as long as ctx lives, or until SilentAfter, and asks again
// where no connection was made. Of a process of this machine that stays silent the error says what the kernel knows of
// it.
func (t *HTTP) Describe(ctx context.Context) (casefile.Target, error) {
	if t.proc.Load() == nil {
		t.findProcess(ctx) // before the question, for what it does until the answer
	}
	waited := t.waiting()
	err := t.firstAnswer(ctx)
	d := casefile.Target{Name: t.name(), URL: t.URL()}
	if err != nil && t.asked.Load() == 0 {
		return d, waited(err)
	}
	if t.proc.Load() == nil {
		t.findProcess(ctx)
	}
	if p := t.proc.Load(); p != nil {
		p.describe(&d)
		// Not in describe, which the own process uses too: debug/buildinfo brings readers of five object formats
		// into the binary, 0.3 MB of it.
		if info, err := buildinfo.ReadFile(p.exe()); err == nil {
			describeBuild(&d, info)
		}
	}
	return d, nil
}

// setProcess says which process of this machine the target is; nil if there is none to look at, and why.
func (t *HTTP) setProcess(p *process, why string) {
	t.noProc.Store(&why)
	t.proc.Store(p)
}

// whyNoProcess says why the target's process cannot be looked at.
func (t *HTTP) whyNoProcess() string {
	if why := t.noProc.Load(); why != nil && *why != "" {
		return *why
	}
	return "its process has not been looked up yet"
}

// Sample fills in what can be read now. Only a target that does not answer is an error: then s has what the kernel
// knows about its process and for how long it has not answered, as far as that is known. Other failures are recorded in
// Absent.
func (t *HTTP) Sample(ctx context.Context, s *vitals.Sample) error {
	began := time.Now()
	c, err := t.index(ctx)
	if err != nil {
		t.sampleSilent(s, began, err)
		return err
	}
	t.mute.Store(false)
	s.Set(vitals.Unanswered, 0)
	s.Set(vitals.ProbeTime, time.Since(began).Seconds())
	if n, ok := c["goroutine"]; ok {
		s.Set(vitals.Goroutines, float64(n))
	} else {
		t.absent.set("the pprof index does not list a goroutine profile", vitals.Goroutines)
	}
	t.sampleProcess(ctx, s, began)
	// The threadcreate profile has a record for every thread that the runtime owns now (runtime/mprof.go walks allm),
	// and with cgo one for the thread that C may yet bring (runtime/proc.go, oneNewExtraM).
	if n, ok := c["threadcreate"]; ok && t.proc.Load() == nil {
		s.Set(vitals.Threads, float64(n))
	}
	t.sampleMemStats(ctx, s, c)
	t.gc.apply(s)
	t.known.keep(s)
	t.absent.settle(s)
	return nil
}

// runtimeOnly are the signals that only the process itself can read.
var runtimeOnly = [...]vitals.ID{
	vitals.GCAssist, vitals.GCLimiter, vitals.GoMemoryLimit, vitals.GoroutinesRunnable, vitals.GoroutinesWaiting,
	vitals.GoroutinesCreated, vitals.GoMaxProcs, vitals.CgoCalls, vitals.MutexWait, vitals.SchedLatencyP50,
	vitals.SchedLatencyP99,
}

// get sends one request to net/http/pprof and hands a 200 answer's body to read. name and query are relative to its
// index.
func (t *HTTP) get(ctx context.Context, name, query string, read func(io.Reader) error) error {
	u := *t.base()
	u.Path += name
	if query != "" {
		if u.RawQuery != "" {
			u.RawQuery += "&"
		}
		u.RawQuery += query
	}
	return getURL(ctx, t.client, &u, read)
}

// getURL sends one request and hands a 200 answer's body to read.
func getURL(ctx context.Context, client *http.Client, u *url.URL, read func(io.Reader) error) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, wire(u).String(), nil)
	if err != nil {
		return fmt.Errorf("asking %s: %w", redact.URL(u), err)
	}
	connected := false
	trace := &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected = true }}
	resp, err := client.Do(req.WithContext(httptrace.WithClientTrace(ctx, trace)))
	if err != nil {
		return unreachable(u, err, connected)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return statusError(u, resp)
	}
	body := bodyReader{r: resp.Body}
	if err := read(&body); err != nil {
		if ctx.Err() != nil { // it began to answer and went on too slowly
			return unreachable(u, ctx.Err(), true)
		}
		if body.err != nil {
			err = body.broken()
		}
		return fmt.Errorf("reading %s: %w", redact.URL(u), err)
	}
	return nil
}
