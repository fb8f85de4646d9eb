// Package engine asks the databases of profiles and metrics that watch a service already: Pyroscope, Parca, and
// whatever speaks Prometheus' query API. A Target is one service (and version) in them, seen as Casebook sees a
// process: it has signals, a past, and evidence.
//
// The problem: the process that misbehaves is often out of reach (another cluster, no net/http/pprof, gone since
// Tuesday), while an engine has its profiles. But an engine keeps one value of a profile each, sums what it merges,
// and counts what thousands of processes sent. So a Target asks for minutes of one service with a bound on the nodes,
// puts the values of a profile together again, and divides by what was summed: evidence and signals are those of an
// average instance. The note of each piece of evidence says where it comes from and what was merged.
//
//	address.go     pyroscope://, parca://, prometheus:// with +https, and their parameters
//	tenant.go      whose data is asked for: what is sent, and what is shown of it
//	client.go      one request: credentials, bounds, errors in words
//	pyroscope.go   Connect: querier.v1.QuerierService
//	parca.go       grpc-gateway: parca.query.v1alpha1.QueryService
//	prometheus.go  HTTP API v1; expressions.go has what is asked for
//	capture.go     kinds of evidence from types of profiles; combine.go puts them together
//	directory.go   all services of an engine, and what CPU each uses
//	push.go        the other way: a case's profiles into Pyroscope or Parca
//
// Limits: an engine says what was, some fifteen seconds late. It has no goroutine dumps, execution traces or
// addresses; allocations since the start of a process (Parca without delta) are not evidence of a window and are left
// out. A second snapshot a moment after the first would be the same data, and is refused.
package engine

import (
	"strings"
	"time"
)

// The schemes of addresses, without what says that they are encrypted.
const (
	Pyroscope  = "pyroscope"
	Parca      = "parca"
	Prometheus = "prometheus"

	encrypted = "+https"
)

// Is reports whether a text is meant to be an engine's address.
func Is(address string) bool {
	scheme, _, ok := strings.Cut(address, "://")
	scheme = strings.TrimSuffix(strings.ToLower(scheme), encrypted)
	return ok && (scheme == Pyroscope || scheme == Parca || scheme == Prometheus)
}

// Bounds of what is asked for. The defaults of Pyroscope's UI are an hour and 16,384 nodes.
const (
	DefaultSince = 5 * time.Minute
	minSince     = 30 * time.Second
	maxSince     = time.Hour

	DefaultNodes = 16_384
	minNodes     = 256
	maxNodes     = 131_072
)

// A window is a stretch of time that is asked for.
type window struct{ from, to time.Time }

func (w window) length() time.Duration { return w.to.Sub(w.from) }

func (w window) String() string {
	return w.from.UTC().Format("2006-01-02 15:04:05") + w.to.UTC().Format(" to 15:04:05 UTC")
}
