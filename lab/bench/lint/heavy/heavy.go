// Package heavy puts services of other people under load and records what they do, so that what lint ranks first can be
// judged on profiles that have their own code in them.
//
// The problem: a profile of half a minute of light load has hardly a sample in the service's own code. The approach: a
// release from the module proxy is built as it is, with one file beside its main that serves net/http/pprof and switches
// the mutex and block profiles on; several kinds of clients ask it as fast as it answers; `casebook capture` records it.
//
// The limits: the load is ours. It was written before lint was run on any of them, by the same person who judged the
// lines.
package heavy

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
)

// A Service is a release, with how it is started and loaded.
type Service struct {
	Name    string
	Module  string
	Version string
	Main    string   // the main package's folder in the module
	Args    []string // with {port}, {other} (a port more), {dir} and {sources}
	Env     []string // likewise
	// OnOther is true for services that have their port from a file of Config: it is {other}.
	OnOther bool
	Ready   string // the path that answers when it is ready; "": it listens
	// Prepare starts what the service needs and adds to its environment; end stops it. nil: it needs nothing.
	Prepare func(dir string) (env []string, end func(), err error)
	// First are commands of the program that are run before it serves, for instance to make its tables.
	First [][]string
	// Missing are files that a release from the proxy does not have, for instance web pages that are built by npm.
	Missing map[string]string
	Config  map[string]string // files of {dir}
	// Unseen is true for services that were judged before anything was tuned with them. All but those of the last round
	// (from godis on) have been learned from since.
	Unseen bool
	Load   func(ctx context.Context, on Target) error // until ctx ends
}

// A Target is where a service listens.
type Target struct {
	Addr  string // of {port}
	Other string // of {other}
	Dir   string
	Seen  *Count
}

// A Count is what clients saw.
type Count struct{ ok, failed atomic.Int64 }

// Is counts an answer.
func (c *Count) Is(ok bool) {
	if ok {
		c.ok.Add(1)
	} else {
		c.failed.Add(1)
	}
}

func (c *Count) String() string {
	return fmt.Sprintf("%d answers, %d failed", c.ok.Load(), c.failed.Load())
}

// All lists the services: those that were judged and learned from, then the unseen ones.
func All() []Service {
	return []Service{nats(), nodeExporter(), miniflux(), mochi(), pkgsite(), statsd(), blackbox(),
		mailpit(), gotify(), tusd(), gobgp(), alertmanager(),
		oauth2Proxy(), pocketbase(), centrifugo(), stdiscosrv(),
		opa(), victoriaLogs(), ferretdb(), gubernator(), smokescreen(), dendrite(),
		goaws(), gofakes3(), pebble(), openfga(),
		inbucket(), benthos(), goMySQL(), goWorkflows(), hydra(), cayley(),
		localKMS(), perses(), crane(), jaeger(),
		godis(), imapMem(), hound(), remark42(), graphqlGo()}
}

// together runs clients until ctx ends, and returns the first error that says that a client cannot work at all.
func together(ctx context.Context, clients ...func(context.Context) error) error {
	var wg sync.WaitGroup
	var once sync.Once
	var first error
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for _, c := range clients {
		wg.Go(func() {
			if err := c(ctx); err != nil && ctx.Err() == nil {
				once.Do(func() { first = err; cancel() })
			}
		})
	}
	wg.Wait()
	return first
}

// times makes n clients of one; each knows its number.
func times(n int, client func(ctx context.Context, i int) error) []func(context.Context) error {
	out := make([]func(context.Context) error, n)
	for i := range out {
		out[i] = func(ctx context.Context) error { return client(ctx, i) }
	}
	return out
}

// A request is what an HTTP client asks next.
type request struct {
	method, path, body string
	header             map[string]string
}

// browser is an HTTP client that asks one thing after the other.
func browser(on Target, base string, next func(r *rand.Rand) request) func(context.Context, int) error {
	return func(ctx context.Context, i int) error {
		r := rand.New(rand.NewPCG(uint64(i), 7))
		client := &http.Client{Transport: &http.Transport{}}
		defer client.CloseIdleConnections()
		for ctx.Err() == nil {
			status, _, err := send(ctx, client, base, next(r))
			if ctx.Err() != nil {
				return nil
			}
			on.Seen.Is(err == nil && status < 400)
		}
		return nil
	}
}

func get(path string) request { return request{method: http.MethodGet, path: path} }

func post(path, body string) request {
	return request{method: http.MethodPost, path: path, body: body,
		header: map[string]string{"Content-Type": "application/json"}}
}

// words make texts.
var words = []string{"budget", "river", "election", "kernel", "release", "storage", "garden", "transfer", "galaxy",
	"market",
	"compiler", "latency", "museum", "orchestra", "vaccine", "railway", "protocol", "harbour", "coffee", "glacier", "the",
	"of", "and", "a", "in", "for", "with", "new", "über", "café", "100%", "C++", "don't"}

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// text is n words.
func text(r *rand.Rand, n int) string {
	var b []byte
	for i := range n {
		if i > 0 {
			b = append(b, ' ')
		}
		b = append(b, pick(r, words)...)
	}
	return string(b)
}
