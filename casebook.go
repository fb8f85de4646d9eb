// Package casebook watches a Go process, keeps the evidence the moment it misbehaves, and says what is wrong.
//
// A Watch samples one target's signals (package vitals), lets rules judge them (package rule), and when a rule trips
// opens a case (package casefile): it keeps the recordings from before, captures profiles within a budget, writes them to
// disk, has them diagnosed (package diagnose) and reports them (package reporter). Sampling and capturing are separate
// goroutines, so that nothing slow ever delays a sample.
//
// A service that watches itself needs one line in main:
//
//	stop, err := casebook.Start(casebook.Config{Dir: "/var/lib/casebook"})
//	…
//	defer stop()
//
// From outside, the target is the net/http/pprof of another process:
//
//	t, err := instance.NewHTTP("http://127.0.0.1:6060")
//	w, err := casebook.New(casebook.Config{Target: t, Dir: "cases"})
//	err = w.Run(ctx)
//
// For one that requires a token or a client certificate use instance.NewHTTPWith.
//
// A Watch is a guest: it does not panic, does not print, and Run returns only when everything it started has ended.
//
// Limits: one target per Watch; one case at a time. A rule that trips while a case is being taken belongs to the same
// incident and is recorded in that case.
package casebook

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/internal/budget"
	"github.com/gocasebook/casebook/internal/own"
	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

// A Target is a process under watch. instance.HTTP and instance.Self are targets.
//
// A target of your own that wraps one of these, to count or to rename, has a method Unwrap() Target that returns what
// it wraps, or embeds *instance.Self or *instance.HTTP. What a target can do beside these methods is looked for in it
// first and then in what it wraps: Census, Facts, ForceGC, Ended, Fate, Standing, Past, and InProcess, by which
// instance.Self says that it is the calling process. Prompt, which counts in the outermost only, says that Sample needs
// no deadline. A wrapper without Unwrap is watched by what is below alone, without CPU windows, flight recorder and
// black box. These read the calling process themselves and not by way of Capture; a wrapper that does not want them has
// an InProcess that is false.
type Target interface {
	// Describe says which process it is. An error means that it cannot be reached.
	Describe(ctx context.Context) (casefile.Target, error)
	// Sample fills in the signals that can be read now. An error means that the target did not answer. A sample that
	// nevertheless has the signal unanswered is judged with what else it has.
	Sample(ctx context.Context, s *vitals.Sample) error
	// Capture takes one artefact. It may run concurrently with Sample and other captures.
	Capture(ctx context.Context, kind string, d time.Duration) (instance.Profile, error)
	// Absent says why signals are missing, by name. It may run concurrently with Sample.
	Absent() map[string]string
	// Restarted reports once if the process was replaced since the last call.
	Restarted() bool
}

// A Watch watches one target. Make it with New; its methods are safe for concurrent use.
type Watch struct {
	cfg     Config
	layers  []Target // cfg.Target and what it wraps
	self    bool     // it is the process that Casebook runs in
	catalog *vitals.Catalog
	jobs    chan *job     // to the capture worker; holds one, and is empty while current is nil
	retick  chan struct{} // holds one: the interval was changed

	mu       sync.Mutex // guards what follows
	settings Settings
	engine   *rule.Engine
	history  *vitals.History
	last     vitals.Sample
	target   casefile.Target
	ledger   *budget.Ledger
	session  *session // of the current Run; nil if there is none
	past     *session // of the Run before, for Status
	status   Status
	current  *job // the case being taken; nil when the worker is free
}

// ErrRunning says that Run was called while another Run was still running.
var ErrRunning = errors.New("casebook: this Watch is already running")

// New checks the configuration. It starts nothing.
func New(cfg Config) (*Watch, error) {
	if cfg.Target == nil {
		cfg.Target = instance.NewSelf()
	}
	w := &Watch{jobs: make(chan *job, 1), retick: make(chan struct{}, 1), last: vitals.NewSample(time.Time{})}
	if err := w.know(cfg.Target); err != nil {
		return nil, fmt.Errorf("casebook: %w", err)
	}
	cfg = cfg.withDefaults(w.self)
	catalog, err := sourceCatalog(cfg.Sources)
	if err != nil {
		err = fmt.Errorf("field Sources: %w", err)
	}
	if cfg.HeapDumpAtEnd != "" && !w.self {
		err = errors.Join(err, errors.New("field HeapDumpAtEnd is set for another process: only it can dump its heap"))
	}
	if err := errors.Join(cfg.validate(), err); err != nil {
		return nil, fmt.Errorf("casebook: %w", err)
	}
	w.cfg, w.catalog, w.ledger = cfg, catalog, budget.New(budget.Limits(cfg.Budget), budget.State{}, time.Now())
	if err := w.Set(Settings{Rules: cfg.Rules, Interval: cfg.Interval}); err != nil {
		return nil, err
	}
	return w, nil
}

// Start watches in the background until stop is called, which waits until everything has ended: the one line for a
// service's main. It fails when the target does not answer or the directory cannot hold cases; then nothing is watched.
// When the watch ends on its own later, the log, the event Stopped and what stop returns say so. Called by a function
// that the watch calls, such as OnEvent, stop ends the watch and does not wait.
func Start(cfg Config) (stop func() error, err error) {
	w, err := New(cfg)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	s, err := w.prepare(ctx)
	if err != nil {
		cancel()
		return nil, err
	}
	done := make(chan error, 1)
	own.Go(func() { done <- w.watch(ctx, s) })
	wait := sync.OnceValue(func() error { return <-done })
	return func() error {
		cancel()
		if insideHost() {
			return nil
		}
		return wait()
	}, nil
}
