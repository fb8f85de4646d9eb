package phones

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/gocasebook/casebook/lab/serve"
)

// A Kind says whose number an answer holds.
type Kind string

// The kinds, in the order in which they are tried.
const (
	Anonymous    Kind = "anonymous"     // hides the user; connected by the user, for cars and homes
	CallTracking Kind = "call-tracking" // stands for the real number and counts calls
	Real         Kind = "real"          // the seller's own
)

// An Answer is the number that a buyer may see.
type Answer struct {
	Phone string `json:"phone"` // "+79161234567"
	Kind  Kind   `json:"kind"`
}

// A Gateway answers GET /phone. It is a http.Handler. New starts nothing; Close ends what the caches run.
type Gateway struct {
	config   Config
	set      Set
	syncing  places // of /sync
	tracking places // of /tracked
	caches   caches
	client   *client
	metrics  *metrics
	warm     warmState
	stopping atomic.Bool // set once, at the start of the graceful stop: /readyz says no
	mux      *http.ServeMux
}

// New makes a gateway. Its call-tracking set holds the users 1 to c.TrackingUsers.
func New(c Config) (*Gateway, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	set, err := filledSet(c)
	if err != nil {
		return nil, err
	}
	caches, err := newCaches(c.Cache, c.Cached, c.CacheSize, c.CacheTTL)
	if err != nil {
		return nil, err
	}
	g := &Gateway{config: c, set: set, syncing: make(places, maxSyncing), tracking: make(places, maxTracking),
		caches: caches}
	g.warm.goal = int64(c.Warm)
	g.metrics = newMetrics(g)
	g.client = newClient(c, g.metrics)
	g.mux = g.routes()
	return g, nil
}

// filledSet is the call-tracking set that the gateway starts with.
func filledSet(c Config) (Set, error) {
	set, err := newSet(c.Set, c.Apply)
	if err != nil {
		return nil, err
	}
	users := make(map[uint64]bool, c.TrackingUsers)
	for user := range uint64(c.TrackingUsers) {
		users[user+1] = true
	}
	if _, _, err := set.Apply(users); err != nil {
		return nil, fmt.Errorf("filling the call-tracking set: %w", err)
	}
	return set, nil
}

// Close ends what the gateway runs in the background. No request may follow.
func (g *Gateway) Close() {
	g.client.Close()
	g.caches.Close()
}

func (g *Gateway) routes() *http.ServeMux {
	users := http.NewServeMux()
	users.HandleFunc("GET /phone", g.servePhone)
	users.HandleFunc("GET /tracked", g.serveTracked)
	users.HandleFunc("POST /sync", g.serveSync)
	mux := http.NewServeMux()
	mux.Handle("/", serve.Requests(g.metrics.registry, users))
	mux.HandleFunc("GET /healthz", serve.Health)
	mux.HandleFunc("GET /readyz", g.serveReady)
	mux.Handle("GET /metrics", g.metrics.handler())
	return mux
}

func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) { g.mux.ServeHTTP(w, r) }

func (g *Gateway) servePhone(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	outcome := g.answerPhone(w, r)
	g.metrics.requestDone(outcome, time.Since(start))
}

// answerPhone answers one request and says how it went.
func (g *Gateway) answerPhone(w http.ResponseWriter, r *http.Request) outcome {
	q, err := parseQuery(r.URL.Query())
	if err != nil {
		writeError(w, http.StatusBadRequest, errorReply{Error: err.Error(), Field: fieldOf(err)})
		return badRequest
	}
	phone, kind, err := g.decide(r.Context(), q)
	if err != nil {
		return g.answerError(w, r, err)
	}
	serve.WriteJSON(w, http.StatusOK, Answer{phone.String(), kind})
	return outcomeOf(kind)
}

// decide picks the number: anonymous, else call-tracking, else real. When the anonymous check fails so does the
// request: the real number of a user who hides it must not be shown by accident. Whether a number is anonymous is asked
// each time, because users switch it at will; the other two change rarely and are cached.
func (g *Gateway) decide(ctx context.Context, q query) (Phone, Kind, error) {
	if q.Category.anonymous {
		phone, connected, err := g.client.anonymousPhone(ctx, q.User)
		if err != nil {
			return 0, "", err
		}
		if connected {
			return phone, Anonymous, nil
		}
	}
	if g.set.Has(q.User) {
		phone, err := g.trackingPhone(ctx, q.Phone)
		return phone, CallTracking, err
	}
	phone, err := g.realPhone(ctx, q.User, q.Item)
	return phone, Real, err
}

// trackingPhone gives the call-tracking number for a real one, from the cache or from the upstream.
func (g *Gateway) trackingPhone(ctx context.Context, real Phone) (Phone, error) {
	phone, hit := g.caches.tracking.Get(trackingKey(real))
	g.metrics.trackingCache.lookup(hit)
	if hit {
		return phone, nil
	}
	phone, err := g.client.trackingPhone(ctx, real)
	if err != nil {
		return 0, err
	}
	g.caches.tracking.Set(trackingKey(real), phone)
	return phone, nil
}

// realPhone gives the seller's own number, from the cache or from the upstream.
func (g *Gateway) realPhone(ctx context.Context, user, item uint64) (Phone, error) {
	k := realKey{user, item}
	phone, hit := g.caches.real.Get(k)
	g.metrics.realCache.lookup(hit)
	if hit {
		return phone, nil
	}
	phone, err := g.client.realPhone(ctx, user, item)
	if err != nil {
		return 0, err
	}
	g.caches.real.Set(k, phone)
	return phone, nil
}

// answerError answers a request that an upstream failed. When the buyer has gone there is nobody to answer.
func (g *Gateway) answerError(w http.ResponseWriter, r *http.Request, err error) outcome {
	if r.Context().Err() != nil {
		return canceled
	}
	var failed *upstreamError
	if !errors.As(err, &failed) {
		writeError(w, http.StatusInternalServerError, errorReply{Error: err.Error()})
		return internalError
	}
	writeError(w, failed.Status, errorReply{Error: err.Error(), Upstream: failed.Upstream})
	switch failed.Status {
	case http.StatusNotFound:
		return notFound
	case http.StatusGatewayTimeout:
		return upstreamTimeout
	}
	return upstreamFailed
}
