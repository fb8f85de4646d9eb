package feature

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/gocasebook/casebook/lab/serve"
)

// A Compute is the compute tier: GET /groups?user=…&names=…. It is a http.Handler.
type Compute struct {
	config   ComputeConfig
	local    localCache
	shared   *shared // nil without Redis
	origin   *origin
	lifetime lifetime
	pauses   pauses
	flights  singleflight.Group // one load a user, however many ask
	loading  sync.WaitGroup     // who waits for one
	door     door
	metrics  *computeMetrics
	warm     warmState
	stopping atomic.Bool
	buffers  sync.Pool // of *[]byte, for answers
	log      *slog.Logger
	mux      *http.ServeMux
}

// NewCompute makes a compute tier. It starts nothing; Close ends what it holds.
func NewCompute(c ComputeConfig, log *slog.Logger) (*Compute, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	local, err := newLocalCache(c.Cache, c.CacheGroups)
	if err != nil {
		return nil, err
	}
	s := &Compute{config: c, local: local, log: log, door: newDoor(c.MaxInFlight),
		origin:   newOrigin(c.Events, c.OriginSlots, c.Timeout),
		lifetime: lifetime{c.Expiry, c.Period}, pauses: pauses{share: c.PauseShare, mean: c.PauseMean}}
	s.warm.goal = int64(c.Warm)
	s.metrics = newComputeMetrics(s)
	if c.Redis != "" {
		s.shared = newShared(c.Redis, c.RedisTimeout, s.metrics.redisErrors.Inc)
	}
	s.mux = http.NewServeMux()
	s.mux.Handle("GET /groups", serve.Requests(s.metrics.registry, http.HandlerFunc(s.serveGroups)))
	s.mux.HandleFunc("GET /healthz", serve.Health)
	s.mux.HandleFunc("GET /readyz", s.serveReady)
	s.mux.Handle("GET /metrics", s.metrics.handler())
	return s, nil
}

// Close waits for the loads under way, and closes the connections to Redis and the cache. No request may follow.
func (s *Compute) Close() error {
	s.loading.Wait()
	s.local.Close()
	if s.shared == nil {
		return nil
	}
	return s.shared.Close()
}

func (s *Compute) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

func (s *Compute) serveGroups(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	outcome := s.door.pass(w, r, s.answer)
	s.metrics.done(outcome, time.Since(start))
}

func (s *Compute) answer(w http.ResponseWriter, r *http.Request) outcome {
	values := r.URL.Query()
	user, err := parseUser(values.Get("user"))
	if err != nil {
		return badInput(w, "user", err)
	}
	names, err := parseGroups(values.Get("names"))
	if err != nil {
		return badInput(w, "names", err)
	}
	ctx, cancel := context.WithTimeout(r.Context(), s.config.Timeout)
	defer cancel()
	if err := s.pauses.next(ctx); err != nil {
		return s.failed(w, r, err)
	}
	buf := s.buffer()
	defer s.buffers.Put(buf)
	if *buf, err = s.join(ctx, (*buf)[:0], user, names); err != nil {
		return s.failed(w, r, err)
	}
	writeBytes(w, *buf)
	return ok
}

func (s *Compute) buffer() *[]byte {
	if b, ok := s.buffers.Get().(*[]byte); ok {
		return b
	}
	b := make([]byte, 0, len(groupNames)*groupBytes)
	return &b
}

// failed answers a request that could not be answered in time. When the caller has gone there is nobody to answer.
func (s *Compute) failed(w http.ResponseWriter, r *http.Request, err error) outcome {
	switch {
	case r.Context().Err() != nil:
		return canceled
	case errors.Is(err, errBusy):
		return refuse(w, err.Error())
	case errors.Is(err, context.DeadlineExceeded):
		serve.WriteJSON(w, http.StatusGatewayTimeout,
			errorReply{Error: fmt.Sprintf("not done within -timeout, %v", s.config.Timeout)})
		return timedOut
	}
	s.log.Error("answering", "err", err)
	serve.WriteJSON(w, http.StatusInternalServerError, errorReply{Error: err.Error()})
	return internalError
}

// parseUser reads an id of a user: a whole number from 1 to 2⁵³−1 without leading zeros, so that one id has one
// spelling.
func parseUser(s string) (uint64, error) {
	id, err := strconv.ParseUint(s, 10, 64)
	if err != nil || s[0] == '0' || id > maxUser {
		return 0, fmt.Errorf("want a whole number from 1 to %d", uint64(maxUser))
	}
	return id, nil
}
