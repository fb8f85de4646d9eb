package feature

import (
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/gocasebook/casebook/lab/serve"
)

// An API is the API tier: GET /features?user=…&model=…. It is a http.Handler.
type API struct {
	config   Config
	plans    map[string]*plan
	client   *client
	door     door
	work     sync.Pool // of *work
	metrics  metrics
	stopping atomic.Bool
	mux      *http.ServeMux
}

// work is the memory of one request.
type work struct {
	answer []byte // of the compute tier
	vector []float64
	reply  []byte
}

// NewAPI makes an API tier. It starts nothing.
func NewAPI(c Config) (*API, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	cl, err := newClient(c)
	if err != nil {
		return nil, err
	}
	a := &API{config: c, plans: plans(), client: cl, door: newDoor(c.MaxInFlight), metrics: newMetrics("feature")}
	a.metrics.registry.MustRegister(
		prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "feature_hedges_total",
			Help: "Second calls of the compute tier."},
			func() float64 { return float64(a.client.hedged().Hedged) }),
		prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "feature_hedges_won_total",
			Help: "Second calls whose answer was taken."},
			func() float64 { return float64(a.client.hedged().Won) }))
	a.mux = http.NewServeMux()
	a.mux.Handle("GET /features", serve.Requests(a.metrics.registry, http.HandlerFunc(a.serveFeatures)))
	a.mux.HandleFunc("GET /healthz", serve.Health)
	a.mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		stopping := a.stopping.Load()
		serve.WriteReady(w, !stopping, readyReply{Ready: !stopping, Stopping: stopping})
	})
	a.mux.Handle("GET /metrics", a.metrics.handler())
	return a, nil
}

// Close closes the idle connections. No request may follow.
func (a *API) Close() { a.client.Close() }

func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.mux.ServeHTTP(w, r) }

func (a *API) serveFeatures(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	outcome := a.door.pass(w, r, a.answer)
	a.metrics.done(outcome, time.Since(start))
}

func (a *API) answer(w http.ResponseWriter, r *http.Request) outcome {
	values := r.URL.Query()
	user, err := parseUser(values.Get("user"))
	if err != nil {
		return badInput(w, "user", err)
	}
	p := a.plans[values.Get("model")]
	if p == nil {
		return badInput(w, "model", errUnknownModel)
	}
	m := a.take()
	defer a.work.Put(m)
	m.answer, err = a.client.groups(r.Context(), user, p.names, m.answer[:0])
	if err != nil {
		return failed(w, r, err)
	}
	m.vector = sized(m.vector, len(p.model.Features))
	if err := p.read(a.config.Decode, m.answer, m.vector); err != nil {
		return failed(w, r, err)
	}
	m.reply = appendVector(m.reply[:0], p.model.Name, user, m.vector)
	writeBytes(w, m.reply)
	return ok
}

func (a *API) take() *work {
	if m, ok := a.work.Get().(*work); ok {
		return m
	}
	return &work{answer: make([]byte, 0, len(groupNames)*groupBytes)}
}

// sized is v with room for n numbers.
func sized(v []float64, n int) []float64 {
	if cap(v) < n {
		return make([]float64, n)
	}
	return v[:n]
}

// failed answers a request that the compute tier failed. When the caller has gone there is nobody to answer.
func failed(w http.ResponseWriter, r *http.Request, err error) outcome {
	if r.Context().Err() != nil {
		return canceled
	}
	status := statusOf(err)
	serve.WriteJSON(w, status, errorReply{Error: "the compute tier: " + err.Error(), Upstream: "compute"})
	switch status {
	case http.StatusServiceUnavailable:
		return refused
	case http.StatusGatewayTimeout:
		return timedOut
	}
	return upstreamFailed
}

// appendVector writes {"model":"ranking","user":7,"values":[…]}.
func appendVector(b []byte, model string, user uint64, vector []float64) []byte {
	b = append(b, `{"model":"`...)
	b = append(b, model...)
	b = append(b, `","user":`...)
	b = strconv.AppendUint(b, user, 10)
	b = append(b, `,"values":[`...)
	for i, v := range vector {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendFloat(b, v, 'f', -1, 64)
	}
	return append(b, "]}"...)
}
