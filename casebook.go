// Package casebook watches a Go process, keeps the evidence the moment it misbehaves, and says what is wrong.
//
// A Watch samples one target's signals (package vitals), lets rules judge them (package rule), and when a rule trips
// opens a case (package casefile): it captures profiles, writes them to disk, and has them diagnosed (package
// diagnose). Sampling and capturing are separate goroutines, so that nothing slow ever delays a sample.
//
//	t, err := target.NewHTTP("http://127.0.0.1:6060")
//	w, err := casebook.New(casebook.Config{Target: t, Dir: "cases"})
//	err = w.Run(ctx)
//
// A Watch is a guest: it does not panic, does not print, and Run returns only when everything it started has ended.
//
// Limits: one target a Watch; one case at a time. A rule that trips while a case is being taken belongs to the same
// incident and is recorded in that case.
package casebook

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/target"
	"github.com/gocasebook/casebook/vitals"
)

// A Target is a process under watch. target.HTTP and target.Self are targets.
type Target interface {
	// Describe says which process it is. An error means that it cannot be reached.
	Describe(ctx context.Context) (casefile.Target, error)
	// Sample fills in the signals that can be read now. An error means that nothing could be.
	Sample(ctx context.Context, s *vitals.Sample) error
	// Capture takes one artefact. It may run beside Sample and beside other captures.
	Capture(ctx context.Context, kind string, d time.Duration) (target.Profile, error)
	// Absent says why signals are missing, by name. It may run beside Sample.
	Absent() map[string]string
	// Restarted reports, once, that the process was replaced since the last call.
	Restarted() bool
}

// Config says what to watch and how. Its zero value watches the calling process.
type Config struct {
	// Target is the process under watch. Nil means the calling process.
	Target Target
	// Dir is where cases are kept. Empty means DefaultDir in the working directory.
	Dir string
	// Retention bounds what Dir keeps: the oldest cases are removed at the start and after each case. Its zero value
	// means 1 GiB, 30 days and 200 cases; casefile.KeepAll() removes nothing.
	Retention casefile.Retention
	// Rules say when to open a case. Empty means rule.Default().
	Rules []rule.Rule
	// Interval is the time between samples, 100 ms or more. Zero means DefaultInterval.
	Interval time.Duration
	// History is how much of the past is kept for rules and cases. Zero means DefaultHistory; a rule that looks back
	// further makes it longer.
	History time.Duration
	// ProfileFor is how long CPU, mutex and block profiles of a case run, 1 s or more. Zero means DefaultProfileFor.
	ProfileFor time.Duration
	// Logger is told of trips, cases and errors. Nil discards.
	Logger *slog.Logger
	// OnEvent is called for everything that happens, from Casebook's own goroutines, one call at a time. It must
	// return quickly; a panic in it is recovered. Nil is allowed.
	OnEvent func(Event)
	// Tool is recorded in the cases as their writer, for instance "casebook v0.1.0".
	Tool string
}

// Defaults of Config's zero fields.
const (
	DefaultDir        = "casebook-cases"
	DefaultInterval   = time.Second
	DefaultHistory    = 10 * time.Minute
	DefaultProfileFor = 10 * time.Second

	minInterval   = 100 * time.Millisecond
	maxInterval   = time.Minute
	maxHistory    = 100_000 // samples, 22 MB
	maxProfileFor = 5 * time.Minute
)

// withDefaults fills in zero fields and checks the rest; the error names every field at fault.
func (c Config) withDefaults() (Config, error) {
	if c.Target == nil {
		c.Target = target.NewSelf()
	}
	if c.Dir == "" {
		c.Dir = DefaultDir
	}
	if len(c.Rules) == 0 {
		c.Rules = rule.Default()
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	c.Interval = orDefault(c.Interval, DefaultInterval)
	c.History = orDefault(c.History, DefaultHistory)
	c.ProfileFor = orDefault(c.ProfileFor, DefaultProfileFor)
	invalid := rule.Validate(c.Rules)
	if invalid == nil && c.History > 0 {
		c.History = max(c.History, rule.Lookback(c.Rules)) // a rule that sees less than it looks back never fires
	}

	var errs []error
	if c.Interval < minInterval || c.Interval > maxInterval {
		errs = append(errs, fmt.Errorf("field Interval is %s; it must be from %s to %s", c.Interval, minInterval, maxInterval))
	}
	if c.History < 0 || c.Interval > 0 && c.History/c.Interval > maxHistory {
		errs = append(errs, fmt.Errorf("field History is %s; it must be positive and, with what the rules look back, hold %d samples at the most", c.History, maxHistory))
	}
	if c.ProfileFor < time.Second || c.ProfileFor > maxProfileFor {
		errs = append(errs, fmt.Errorf("field ProfileFor is %s; it must be from 1s to %s", c.ProfileFor, maxProfileFor))
	}
	if err := c.Retention.Validate(); err != nil {
		errs = append(errs, fmt.Errorf("field Retention: %w", err))
	}
	if invalid != nil {
		errs = append(errs, fmt.Errorf("field Rules: %w", invalid))
	}
	return c, errors.Join(errs...)
}

func orDefault(d, def time.Duration) time.Duration {
	if d == 0 {
		return def
	}
	return d
}

// A Watch watches one target. Make it with New; its methods are safe for concurrent use.
type Watch struct {
	cfg  Config
	jobs chan *job // to the capture worker; holds one, and is empty while current is nil

	emitting sync.Mutex // held while OnEvent runs; taken last, with no other lock held

	mu      sync.Mutex // guards what follows
	running bool
	engine  *rule.Engine
	history *vitals.History
	last    vitals.Sample
	target  casefile.Target
	status  Status
	current *job // the case being taken; nil when the worker is free
}

// ErrRunning says that Run was called while another Run was still under way.
var ErrRunning = errors.New("casebook: this Watch is running already")

// New checks the configuration. It starts nothing.
func New(cfg Config) (*Watch, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("casebook: %w", err)
	}
	engine, err := rule.NewEngine(cfg.Rules)
	if err != nil {
		return nil, fmt.Errorf("casebook: %w", err)
	}
	return &Watch{
		cfg:     cfg,
		jobs:    make(chan *job, 1),
		engine:  engine,
		history: vitals.NewHistory(int(cfg.History/cfg.Interval) + 1),
		last:    vitals.NewSample(time.Time{}),
	}, nil
}

// Start watches in the background until stop is called, which waits until everything has ended: the one line for a
// service's main.
//
//	stop, err := casebook.Start(casebook.Config{Dir: "/var/lib/casebook"})
//	…
//	defer stop()
func Start(cfg Config) (stop func() error, err error) {
	w, err := New(cfg)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- w.Run(ctx) }()
	return sync.OnceValue(func() error {
		cancel()
		return <-done
	}), nil
}
