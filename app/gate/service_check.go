package gate

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/child"
	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/app/prove/trial"
)

// checked returns the service with its defaults, or what is wrong with it, as far as it is known before anything is
// built. benchmarks says that benchmarks are measured too; their figures can have any name.
func (s Service) checked(limits []Limit, benchmarks bool) (*Service, error) {
	if !strings.HasPrefix(s.Package, ".") {
		return nil, fmt.Errorf("the command begins with the Go package of the server, such as ./cmd/server, which is "+
			"built at both revisions: %q is not one", s.Package)
	}
	known := prove.PairedFigures()
	for _, l := range limits {
		if !benchmarks && !slices.Contains(known, l.Figure) {
			return nil, fmt.Errorf("a service has no figure %q, which %s limits; it has %s",
				l.Figure, l, strings.Join(known, ", "))
		}
	}
	if err := s.setSlice(limits); err != nil {
		return nil, err
	}
	cfg := s.Trial
	cfg.A = child.Spec{Name: "the server", Args: append([]string{s.Package}, s.Args...), Env: s.Env}
	if err := cfg.A.Check(); err != nil {
		return nil, err
	}
	cfg.B = cfg.A
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	return &s, nil
}

// LongestSlice is how long a gate makes slices by itself; a block has twelve.
const LongestSlice = 2 * time.Second

// setSlice makes the slices so long that a block has the latency quantiles that are bounded.
func (s *Service) setSlice(limits []Limit) error {
	given := s.Trial.Slice > 0
	for _, q := range prove.LatencyQuantiles() {
		least := trial.LeastSlice(s.Trial.Rate, q.Q)
		bounded := slices.ContainsFunc(limits, func(l Limit) bool { return l.Figure == q.Name })
		switch {
		case !bounded || s.Trial.Rate <= 0 || least <= max(s.Trial.Slice, trial.DefaultSlice) && !given || given &&
			least <= s.Trial.Slice:
		case given:
			return fmt.Errorf("a block has too few requests for %s at %g a second in slices of %v: want slices of at "+
				"least %v, or a higher rate", q.Name, s.Trial.Rate, s.Trial.Slice, least)
		case least > LongestSlice:
			return fmt.Errorf("%s at %g requests a second needs slices of %v, so a block would take minutes: raise "+
				"--rate, limit %s instead, or give --slice %v", q.Name, s.Trial.Rate, least, prove.P99, least)
		default:
			s.Trial.Slice = least
		}
	}
	return nil
}

// needs says why a figure may be absent.
func needs(figure string) string {
	switch figure {
	case prove.Allocs, prove.AllocBytes, prove.GCCPU:
		return fmt.Sprintf(". For a service it needs net/http/pprof, on %s or on the port that is loaded",
			child.PprofPlace)
	case prove.CPUPerRequest, prove.RSS:
		return ". For a service it needs Linux's /proc"
	case prove.Throttled:
		return ". For a service it needs a cgroup with a CPU quota"
	}
	return ""
}
