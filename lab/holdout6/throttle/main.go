// Throttle is a gateway's rate limiter: it says yes or no to each call of a tenant.
package main

import (
	"encoding/json"
	"log"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"go.uber.org/zap"

	"github.com/gocasebook/casebook/lab/holdout6/internal/drive"
)

type api struct {
	limits *limiter
	log    *zap.Logger
}

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	logger, err := newLogger()
	if err != nil {
		log.Fatal(err)
	}
	defer logger.Sync()
	a := &api{limits: newLimiter(20, 40), log: logger}
	r := chi.NewRouter()
	r.Use(middleware.RequestID, middleware.RealIP, middleware.Recoverer)
	r.Mount("/debug", middleware.Profiler())
	r.Post("/v1/check", a.check)
	r.Get("/v1/tenants/{tenant}", a.tenant)
	srv := &http.Server{Addr: p.Main(), Handler: r, ReadHeaderTimeout: 5 * time.Second}
	log.Fatal(srv.ListenAndServe())
}

// newLogger is the company's logger, with the file and line of what went wrong.
func newLogger() (*zap.Logger, error) {
	cfg := zap.NewProductionConfig()
	cfg.OutputPaths = []string{"/dev/null"}
	cfg.Sampling = nil // each refusal may be asked for
	return cfg.Build(zap.AddCaller(), zap.AddStacktrace(zap.WarnLevel))
}

type question struct {
	Tenant string `json:"tenant"`
	Calls  []call `json:"calls"`
}

type call struct {
	Route  string `json:"route"`
	Weight int    `json:"weight"`
}

// check answers for a batch of a proxy's calls.
func (a *api) check(w http.ResponseWriter, r *http.Request) {
	var q question
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	verdicts := make([]bool, len(q.Calls))
	for i, c := range q.Calls {
		verdicts[i] = a.allow(r, q.Tenant, c)
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"allow": verdicts})
}

func (a *api) allow(r *http.Request, tenant string, c call) bool {
	ok, left := a.limits.take(tenant, c.Weight, time.Now())
	if !ok {
		a.log.Warn("rate limited", zap.String("tenant", tenant), zap.String("route", c.Route),
			zap.Float64("left", left), zap.String("request", middleware.GetReqID(r.Context())))
	}
	return ok
}

func (a *api) tenant(w http.ResponseWriter, r *http.Request) {
	json.NewEncoder(w).Encode(map[string]float64{"left": a.limits.left(chi.URLParam(r, "tenant"))})
}

func load(p drive.Ports) {
	var q question
	for i := range 32 {
		q.Calls = append(q.Calls, call{Route: "/orders", Weight: 1 + i%3})
	}
	drive.Load{Rate: 420}.Run(func(i int) *http.Request {
		q := q
		q.Tenant = []string{"acme", "globex", "initech", "hooli"}[i%4]
		text, _ := json.Marshal(q)
		return drive.Send(http.MethodPost, p.Main(), "/v1/check", string(text))
	})
}
