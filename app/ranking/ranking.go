// Package ranking says once an hour which findings cost most CPU in all services.
//
// The problem: a case shows what is wrong where somebody looked. What costs a company most is often in a service that
// never raised an alarm. The approach: an engine of profiles has all services already, so that each is judged once an
// hour by the detectors that judge cases, and a finding's share of the CPU is multiplied by the cores that the service
// uses. The store has a row for each service and is the queue: servers that share it share the work, and a service is
// judged once, whichever server takes it.
//
//	ranking.go   workers that take turns
//	engine.go    the services of Pyroscope or Parca
//	cases.go     the services that have cases in the store
//	findings.go  what a finding costs
//
// Limits: only findings about CPU are ranked: of memory and latency nobody knows what they cost in cores. The cores of
// two findings of a service may be the same ones, so that they must not be added up. Five minutes of an hour are looked
// at, of the CPU profile alone: kinds that need a heap profile or vitals are not ranked, and of a program that was
// installed from the module cache nobody knows which module is its own. A finding is the same one as before if service,
// kind and function are; a function with a new name is a new one.
package ranking

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gocasebook/casebook/app/store"
)

// A Source has services whose CPU can be judged.
type Source interface {
	// String names it, the same in every process that has it, and shows no secret.
	String() string
	// Services lists its services.
	Services(ctx context.Context) ([]string, error)
	// Judge says what is wrong in one of them. The Turn of the answer need not be set.
	Judge(ctx context.Context, t store.Turn) (store.Judged, error)
}

// A Config says what is ranked.
type Config struct {
	Store   *store.Store
	Sources []Source
	// Workers is how many services are judged at once. Zero means DefaultWorkers.
	Workers int
	// Log gets what an operator should know. Nil means nothing is logged.
	Log *slog.Logger
}

// A Ranker judges services when their turn has come.
type Ranker struct {
	cfg     Config
	log     *slog.Logger
	holder  string
	sources map[string]Source
	names   []string
}

const (
	// DefaultWorkers is enough for ten thousand services an hour if an engine takes 1.4 s for each; most take less.
	DefaultWorkers = 4
	maxWorkers     = 64

	batch    = 16               // turns that are taken and kept in one transaction
	hold     = time.Hour        // an engine may take half a minute for each of four requests of each of a batch
	pause    = 15 * time.Second // between looks at an empty queue: a round is an hour
	saveTime = time.Minute
)

// New checks a configuration. It starts nothing.
func New(cfg Config) (*Ranker, error) {
	var errs []error
	if cfg.Store == nil {
		errs = append(errs, errors.New("field Store is nil; it has the turns and what was found"))
	}
	if cfg.Workers < 0 || cfg.Workers > maxWorkers {
		errs = append(errs, fmt.Errorf("field Workers is %d; want 0 to %d", cfg.Workers, maxWorkers))
	}
	host, _ := os.Hostname()
	r := &Ranker{cfg: cfg, log: cfg.Log, sources: make(map[string]Source),
		holder: fmt.Sprintf("%s/%d/%s", host, os.Getpid(), rand.Text())}
	for _, s := range cfg.Sources {
		name := s.String()
		if r.sources[name] != nil {
			errs = append(errs, fmt.Errorf("%s is there twice: host, tenant, service and labels tell engines apart, and "+
				"tokens do not", name))
		}
		r.sources[name] = s
		r.names = append(r.names, name)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("ranking: %w", err)
	}
	if r.cfg.Workers == 0 {
		r.cfg.Workers = DefaultWorkers
	}
	if r.log == nil {
		r.log = slog.New(slog.DiscardHandler)
	}
	return r, nil
}

// Run judges what is due until ctx ends.
func (r *Ranker) Run(ctx context.Context) {
	round := r.Round
	for ctx.Err() == nil {
		_, err := round(ctx)
		if err == nil {
			round = r.due // the sources are known by now
		} else if ctx.Err() == nil {
			r.log.Warn("the ranking cannot go on; it is tried again", "error", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}

// Round judges all that is due now, and returns how many services were judged, well or not.
func (r *Ranker) Round(ctx context.Context) (judged int, err error) {
	if err := r.cfg.Store.AddSources(ctx, r.names...); err != nil {
		return 0, err
	}
	return r.due(ctx)
}

// due is Round for sources that the store knows.
func (r *Ranker) due(ctx context.Context) (judged int, err error) {
	var n atomic.Int64
	if err := r.next(ctx, &n); err != nil { // a source that is listed first has work for all
		return 0, unlessNone(err)
	}
	errs := make([]error, r.cfg.Workers)
	var workers sync.WaitGroup
	for i := range r.cfg.Workers {
		workers.Go(func() {
			for errs[i] == nil && ctx.Err() == nil {
				errs[i] = r.next(ctx, &n)
			}
			errs[i] = unlessNone(errs[i])
		})
	}
	workers.Wait()
	return int(n.Load()), errors.Join(errs...)
}

// unlessNone is nil if no turn is due.
func unlessNone(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}

// next takes a batch of turns. ErrNotFound says that none is due.
func (r *Ranker) next(ctx context.Context, n *atomic.Int64) error {
	turns, err := r.cfg.Store.TakeTurns(ctx, r.holder, r.names, batch, hold)
	if err != nil {
		return err
	}
	judged := make([]store.Judged, 0, len(turns))
	for _, t := range turns {
		if t.Service == "" {
			r.list(ctx, t)
			continue
		}
		judged = append(judged, r.judge(ctx, t))
	}
	if ctx.Err() != nil {
		return nil // what failed, failed because of that; others take the turns when the hold is over
	}
	if err := r.keep(ctx, judged); err != nil {
		return err
	}
	n.Add(int64(len(judged)))
	return nil
}

func (r *Ranker) keep(ctx context.Context, judged []store.Judged) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), saveTime)
	defer cancel()
	return r.cfg.Store.KeepJudged(ctx, judged)
}

// list ends the turn of a source.
func (r *Ranker) list(ctx context.Context, t store.Turn) {
	services, err := r.sources[t.Source].Services(ctx)
	if err == nil {
		err = r.cfg.Store.Listed(ctx, t, services)
	}
	if err == nil || ctx.Err() != nil {
		return
	}
	r.log.Warn("the services of a source of the ranking are not known", "source", t.Source, "error", err)
	if err := r.keep(ctx, []store.Judged{{Turn: t, Failure: err}}); err != nil {
		r.log.Warn("the ranking cannot keep that", "error", err)
	}
}

func (r *Ranker) judge(ctx context.Context, t store.Turn) store.Judged {
	j, err := r.sources[t.Source].Judge(ctx, t)
	if err != nil {
		r.log.Debug("a service cannot be judged", "source", t.Source, "service", t.Service, "error", err)
	}
	j.Turn, j.Failure = t, err
	return j
}
