package demo

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/gocasebook/casebook/app/child"
	"github.com/gocasebook/casebook/lab/phones"
	"github.com/gocasebook/casebook/lab/stage"
)

// upstreamAddresses is what the upstreams print when they listen.
type upstreamAddresses struct{ Items, Users, Tracking string }

// The made-up world of the gateway's requests.
const (
	users = 1_000_000
	seed  = 1
)

// items is a little more than the cache holds, so that most requests find a warm entry and some push one out.
func (d *demo) items() int { return d.Entries + d.Entries/20 }

// startupTime bounds the time until the upstreams say where they listen.
const startupTime = 30 * time.Second

func (d *demo) startUpstreams(ctx context.Context) (*child.Process, error) {
	p, err := child.Start(child.Spec{Name: "the upstreams", Args: []string{d.Binary, "upstreams"}, Announces: true})
	if err != nil {
		return nil, err
	}
	if err := p.Announced(ctx, startupTime, &d.upstreams); err != nil {
		return nil, errors.Join(err, p.Stop())
	}
	return p, nil
}

// round is the length of a window of load; a block of the proof is three turns of three windows, and a verdict needs
// minBlocks.
const (
	round     = time.Second
	blockTime = 9 * round
	minBlocks = 4
)

// callers is how many requests wait for an answer at a time: the memory of any number of them that wait while the
// collector marks would use the limit up.
const callers = 100

// startStage starts a gateway with a cache. The load begins when Resume is called.
func (d *demo) startStage(ctx context.Context, cache string) (*stage.Stage, error) {
	url := phones.Requests(seed, users, d.items(), "")
	s, err := stage.Start(ctx, stage.Config{
		Name: "the gateway", Label: cache,
		Args: []string{
			d.Binary, "phones", "-listen", "127.0.0.1:" + child.PortPlace, "-pprof", "127.0.0.1:" + child.PprofPlace,
			"-cache", cache, "-set", "map",
			"-cache-size", strconv.Itoa(d.Entries), "-warm", strconv.Itoa(d.Entries),
			"-users", strconv.Itoa(users), "-items", strconv.Itoa(d.items()),
			"-items-url", "http://" + d.upstreams.Items,
			"-users-url", "http://" + d.upstreams.Users,
			"-tracking-url", "http://" + d.upstreams.Tracking,
		},
		Env: []string{"GOMEMLIMIT=" + d.Memory, "GOGC=100", "GOMAXPROCS=1"},
		Request: func(addr string, i uint64) (*http.Request, error) {
			return http.NewRequest(http.MethodGet, "http://"+addr+url(i), nil)
		},
		Rate: d.Rate, Callers: callers, Round: round,
	})
	if err == nil {
		s.Pause()
	}
	return s, err
}

// warmTime bounds the filling of the caches.
const warmTime = 3 * time.Minute

// readiness is the gateway's answer at /readyz.
type readiness struct {
	Ready        bool
	Warmed, Goal int64
}

// awaitReady waits until the gateway's caches are full, telling progress, which may be nil, how far they are.
func awaitReady(ctx context.Context, s *stage.Stage, progress func(readiness)) error {
	return s.Await(ctx, "/readyz", warmTime, func(body []byte) {
		var r readiness
		if progress != nil && json.Unmarshal(body, &r) == nil {
			progress(r)
		}
	})
}
