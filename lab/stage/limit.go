package stage

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/load/limit"
)

// A step of the search for a limit: a service in overload shows that within a second.
const (
	limitStep   = 2 * time.Second
	limitWarmup = time.Second
	limitFinest = 0.1
)

// Limit searches the highest rate at which the service meets an objective ("p90 < 50ms, errors < 1%"), as casebook load
// --find-limit does. It begins at a quarter of the load's rate. The load must be paused.
func (s *Stage) Limit(ctx context.Context, objective string) (limit.Report, error) {
	o, err := limit.ParseObjective(objective)
	if err != nil {
		return limit.Report{}, err
	}
	return limit.Search(ctx, limit.Config{
		Objective: o, Start: s.cfg.Rate / 4, Max: 20 * s.cfg.Rate, Resolution: limitFinest, Step: limitStep,
		Measure: s.apart(s.cfg.Request),
	})
}

// apart measures loads beside the stage's own, each for itself.
func (s *Stage) apart(request Request) func(context.Context, float64, time.Duration) (limit.Figures, error) {
	cfg := load.Config{
		Timeout: cmp.Or(s.cfg.Timeout, requestTime), MaxInFlight: s.cfg.Callers,
		Request: func(i uint64) (*http.Request, error) { return request(s.Addr, i) },
	}
	return limit.Measure(cfg, load.RandomArrivals, 1, limitWarmup)
}

// A Request makes the i-th request to the service at addr (host:port).
type Request = func(addr string, i uint64) (*http.Request, error)

// Fixed measures the service for d under a load of so many requests per second, which arrive at random as those of many
// users do; request nil: of the stage's. The load must be paused.
func (s *Stage) Fixed(ctx context.Context, perSecond float64, d time.Duration, request Request) (limit.Figures, error) {
	if request == nil {
		request = s.cfg.Request
	}
	return s.apart(request)(ctx, perSecond, d)
}

// ResumeAt is Resume with a load of another rate.
func (s *Stage) ResumeAt(ctx context.Context, perSecond float64) {
	s.cfg.Rate = perSecond
	s.Resume(ctx)
}
