// Package load sends HTTP requests on a schedule and measures how long the answers took.
//
// The problem: a load tool that waits for an answer before it sends the next request slows down together with its
// target. It sends little while the target hangs, and so it misses most of the waits that real callers would have had
// (coordinated omission). Here the arrivals follow a schedule that does not depend on the target (an open model), and a
// latency counts from the time the request was due, not from the time it was sent: if a request had to wait because the
// generator or the target was late, that wait counts.
//
// The approach: one goroutine walks the schedule (Pace) and hands each arrival to an idle worker, or starts one, up to
// Config.MaxInFlight. A worker sends the request over its own connection (wire.go), reads the body to its end and
// records the outcome. Latencies go into HDR histograms with 3 significant digits. The alternative was vegeta's
// library; it stamps a request when a worker takes it, not when it was due (lib/attack.go, hit).
//
// HTTP/2 uses net/http. Other protocols are calls that the caller builds (Config.Call; package rpc has gRPC).
// ParseSchedule reads a schedule, and File stores the result of a run.
//
// The limits: on Linux the Go runtime rounds short sleeps of an idle process up to 1 ms, so arrivals are sent up to
// about 1 ms late, and their latency includes that. Sleeping in the kernel instead would be 10 times as exact but take
// twice the CPU, which on a small machine comes from the target. Result.Lag has the distribution, and Result.Limited
// says if the lag, or a lack of files or ports, was large enough to spoil the figures.
package load

import (
	"context"
	"crypto/tls"
	"fmt"
	"net/http"
	"time"
)

// Defaults and bounds of Config.
const (
	defaultTimeout     = 10 * time.Second
	defaultWindow      = time.Second
	defaultMaxInFlight = 4096      // about 100 MB of connections and stacks at the worst
	maxInFlight        = 1 << 16   // ports of one source address
	MaxRate            = 1e6       // above what one process can send
	maxTimeout         = time.Hour // bounds the histogram
	minWindow          = 10 * time.Millisecond
	maxDuration        = 7 * 24 * time.Hour
)

// A Protocol is what a run speaks.
type Protocol string

// The protocols of HTTP.
const (
	// Auto is HTTP/1.1 for http URLs, and what the server prefers for https ones.
	Auto  Protocol = ""
	HTTP1 Protocol = "http/1.1"
	HTTP2 Protocol = "http/2" // by TLS; for http URLs by prior knowledge (h2c)
)

// A Call performs one request of another protocol. Many run at a time. ctx ends after Config.Timeout, and with the run;
// Classify tells these apart.
type Call func(ctx context.Context) Outcome

// A Config describes one run. Rate or Pace, Duration, and Request or Call are required.
type Config struct {
	// Rate is the constant arrival rate in requests per second, evenly spaced. It excludes Pace.
	Rate float64
	// Pace is the schedule of the arrivals; nil means Constant(Rate).
	Pace Pace
	// Duration is how long arrivals are sent. The answers still due then are waited for, at most Timeout.
	Duration time.Duration
	// Request builds the i-th request, from 0. It is called by one goroutine, in order, before the request is due to
	// leave, so it must not block; the request's own context is replaced. An error ends the run.
	Request func(i uint64) (*http.Request, error)
	// Call builds the i-th request of a protocol that is not HTTP, as Request does. It excludes Request, Client,
	// Protocol, TLS and Connections. It is the caller's to refuse targets that are not loopback: see Guard.
	Call func(i uint64) (Call, error)
	// MaxErrors ends the run when more requests than that have failed. 0 means no limit.
	MaxErrors uint64
	// MaxErrorShare ends the run when more than that share (0–1) of at least 100 outcomes failed. 0 means no limit.
	MaxErrorShare float64
	// MaxInFlight bounds the requests that wait for an answer. Default 4096. Arrivals beyond it are not sent and
	// counted as Errors.Shed.
	MaxInFlight int
	// Timeout is how long one request may take, with its body. Default 10 s.
	Timeout time.Duration
	// Protocol is what our own transport speaks. It excludes Client.
	Protocol Protocol
	// TLS is how our own transport encrypts https; nil means the system's roots. It excludes Client.
	TLS *tls.Config
	// Connections is over how many connections HTTP/2 requests are shared out. Default 1, as clients do. It excludes
	// Client; HTTP/1.1 has one connection a request in flight.
	Connections int
	// Client sends the requests; nil means our own transport with keep-alive, without proxy and compression.
	// Redirects are not followed: the redirect is the answer.
	Client *http.Client
	// AllowHosts names the hosts other than loopback that may be loaded.
	AllowHosts []string
	// Window is how often OnWindow is called. Default 1 s. The run is cut into round(Duration/Window) windows, of which
	// the last also counts the answers that came after the sending ended.
	Window time.Duration
	// OnWindow gets the figures of each window when it ends, in order, from one goroutine. It may keep what it gets. A
	// slow OnWindow makes the next window longer; it does not delay requests.
	OnWindow func(Window)
	// OnDone gets each request that was sent when it ends: its intended start since the start of the run, its latency
	// from then, and how it ended. Calls come one at a time, and delay everything else while they last: keep and
	// return.
	OnDone func(at, latency time.Duration, c Class)
}

// Run sends the load and returns what came of it. When ctx ends it stops at once, abandons what is in flight and
// returns the figures so far together with an error that wraps ctx's. Every goroutine of Run has ended when it returns;
// net/http's own, one pair a connection, end as the closing of the connections reaches them.
func Run(ctx context.Context, cfg Config) (Result, error) {
	cfg, err := cfg.checked()
	if err != nil {
		return Result{}, fmt.Errorf("load: %w", err)
	}
	g := newGenerator(cfg)
	defer g.closeIdle()
	res, err := g.run(ctx)
	if err != nil {
		return res, fmt.Errorf("load: %w", err)
	}
	return res, nil
}
