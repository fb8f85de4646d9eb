// Package stage runs one service of the lab: as a child process, under load, watched from outside and measured.
//
// The problem: a sick service shows its disease only while it works, and what is measured of it must be of that process
// alone, in stretches of time that can be compared with those of its cured form.
//
// The approach: Start runs the service's command (package child), drives open-model load at it (package load), and
// hands out the load's windows. Watch watches it through net/http/pprof as `casebook watch` does; Measure makes rounds
// of the windows and of what the process and its runtime say over the same time; Turns does so with two forms that are
// loaded in turns. A service that finds its work by itself is not loaded: its own counts of finished items make the
// windows (items.go), and its forms are measured one after the other.
//
// The limits: service, load generator and watcher share one machine, which is part of every figure. Each form is
// started once: what changes between two starts is not known.
package stage

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/gocasebook/casebook/app/child"
	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/lab/cpus"
	"github.com/gocasebook/casebook/lab/quota"
)

// A Config is a service and its load.
type Config struct {
	Name  string // for messages: "the gateway"
	Label string // of the form that it runs in: "gcache"
	// Args is the command, with {port} where it listens and {pprof} for net/http/pprof. It prints a line of JSON when
	// it listens.
	Args []string
	Env  []string // NAME=value
	// Request is the i-th request to the service at addr (host:port). Nil: the service finds its work by itself and
	// counts it at GET /stats.
	Request func(addr string, i uint64) (*http.Request, error)
	Rate    float64       // requests per second; 0: no load
	Timeout time.Duration // of a request; 0: requestTime
	// Metrics is the path of the service's page of Prometheus metrics, whose requests the watch reads; "" for none.
	Metrics string
	// Bytes is the path at which the service says how many bytes of its stream it has worked on since it started, as
	// {"bytes": N}; "" for none.
	Bytes   string
	Callers int           // how many requests may wait for an answer at a time; 0: any number
	Round   time.Duration // length of a window of the load and of a round of the measurement
	// Quota is the service's CPU quota in cores; 0 means none. It takes root.
	Quota float64
	// CPUs is what the service may use, when that is more than what this process may. Nil: the same.
	CPUs *cpus.Set
}

// startupTime bounds the time until a service says that it listens, and requestTime that of one request.
const (
	startupTime = 2 * time.Minute
	requestTime = 2 * time.Second
)

// A Stage is one service under load. Stop must be called.
type Stage struct {
	*child.Process
	cfg   Config
	spec  child.Spec
	group quota.Group // of Quota

	command string       // as a person would type it, without the quota
	client  *http.Client // for questions beside the load

	stopLoad context.CancelFunc
	loaded   sync.WaitGroup
	requests uint64 // so far; the load's, while there is one

	mu   sync.Mutex // guards what follows
	taps []chan<- load.Window
	err  error // of the load
}

// Start starts a service and, when it listens, its load.
func Start(ctx context.Context, cfg Config) (*Stage, error) {
	s := &Stage{
		cfg: cfg, spec: child.Spec{Name: cfg.Name, Args: cfg.Args, Env: cfg.Env, Announces: true},
		client: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}},
	}
	if set := cfg.CPUs; set != nil {
		s.spec.Start = func(start func() error) error { return cpus.Run(*set, start) }
	}
	s.command = s.spec.Command()
	var err error
	if s.group, err = confine(&s.spec, cfg.Quota); err != nil {
		return nil, err
	}
	if s.Process, err = child.Start(s.spec); err != nil {
		s.group.Remove()
		return nil, err
	}
	if s.Addr == "" || s.PprofAddr == "" {
		return nil, errors.Join(fmt.Errorf("the command of %s does not say where {port} and {pprof} go", cfg.Name),
			s.Process.Stop())
	}
	var where any
	if err := s.Announced(ctx, startupTime, &where); err != nil {
		return nil, errors.Join(err, s.Process.Stop())
	}
	s.Resume(ctx)
	return s, nil
}

// Variant is the service's form, for a proof.
func (s *Stage) Variant() casefile.Variant {
	return casefile.Variant{Label: s.cfg.Label, Command: s.command}
}

// Failed says whether the service or its load has ended before it should.
func (s *Stage) Failed() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.Err(); err != nil {
		return err
	}
	return s.err
}

// Stop ends the load and then the service. An error says what is left.
func (s *Stage) Stop() error {
	s.Pause()
	err := s.Process.Stop()
	s.group.Remove()
	return err
}

// ErrLimited is part of what Start returns when the machine cannot give a form what it needs.
var ErrLimited = errors.New("this machine lacks what the row needs")

// confine has a command run under a quota of some cores; 0 means none.
func confine(spec *child.Spec, cores float64) (quota.Group, error) {
	if cores == 0 {
		return quota.Group{}, nil
	}
	group, err := quota.New("lab", cores)
	if err != nil {
		return group, fmt.Errorf("%w: a quota takes root, and cgroups with CPU quotas: %w", ErrLimited, err)
	}
	spec.Args = slices.Concat([]string{"/bin/sh", "-c", group.Enter() + `exec "$0" "$@"`}, spec.Args)
	return group, nil
}
