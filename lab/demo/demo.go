// Package demo shows the whole loop on a real sick service: it starts the phones gateway (package lab/phones) in its
// sick form behind its upstreams, drives open-model load, watches from outside through net/http/pprof until a rule
// trips, takes and diagnoses the case, restarts the gateway with the remedy under the same load, and attaches the
// measured proof to the case.
//
// Everything printed is measured in that run. The services are child processes of this one, all on loopback; whatever
// way Run ends, they have ended before it returns.
package demo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/lab/stage"
)

// Config says what the demo runs. The zero value of a field means its default.
type Config struct {
	Binary  string        // the lab's binary, whose commands are the services; required
	Dir     string        // where the case goes; required
	Tool    string        // recorded in the case
	Sick    string        // the sick gateway's cache. Default gcache
	Cured   string        // the remedy's cache. Default remedy: Casebook's own, remedy/cache
	Entries int           // cache entries. Default DefaultEntries
	Memory  string        // GOMEMLIMIT of the gateway, which has one CPU. Default DefaultMemory
	Rate    float64       // requests per second. Default DefaultRate
	Measure time.Duration // how long both gateways are measured, in turns. Default DefaultMeasure
	View    View          // told of the progress; required
}

// Defaults: those of the lab's row phones/gcache (lab/rows_phones.go), where the pointers are the first finding and the
// cache is its remedy. With less memory the limit is the first thing to change, and another cache answers a question that
// the verdict does not ask.
const (
	DefaultSick    = "gcache"
	DefaultCured   = "remedy"
	DefaultEntries = 1_000_000
	DefaultMemory  = "400MiB"
	DefaultRate    = 7200.0
	DefaultMeasure = 54 * time.Second
)

// A View shows the progress to a person. Its methods are called from one goroutine at a time.
type View interface {
	Step(text string)          // a phase begins
	Say(text string)           // something happened in it
	Progress(text string)      // how it stands, many times
	Diagnosis(c casefile.Case) // the case is on disk and diagnosed
	Proof(p casefile.Proof)    // the remedy is measured
}

// A Result is where the demo ended.
type Result struct {
	Folder *casefile.Folder // the case with its proof; nil when no case was opened
	Opened time.Duration    // from the sick state to the open case
}

// ErrNoCase says that no rule tripped although the gateway was in its sick state.
var ErrNoCase = errors.New("no rule tripped within three minutes of the gateway's sick state; this machine may be " +
	"too fast for the load (try --rate with a higher figure), or too busy")

func (c Config) withDefaults() (Config, error) {
	if c.Sick == "" {
		c.Sick = DefaultSick
	}
	if c.Cured == "" {
		c.Cured = DefaultCured
	}
	if c.Entries == 0 {
		c.Entries = DefaultEntries
	}
	if c.Memory == "" {
		c.Memory = DefaultMemory
	}
	if c.Rate == 0 {
		c.Rate = DefaultRate
	}
	if c.Measure == 0 {
		c.Measure = DefaultMeasure
	}
	switch {
	case c.Entries < 1000:
		return c, fmt.Errorf("entries is %d; at least 1000 are needed", c.Entries)
	case !(c.Rate >= 1 && c.Rate <= 100_000):
		return c, fmt.Errorf("rate is %g requests a second; it must be from 1 to 100000", c.Rate)
	case c.Measure < minBlocks*blockTime || c.Measure > time.Hour:
		return c, fmt.Errorf("measure is %s; it must be from %s to 1h: %d blocks of three turns", c.Measure,
			minBlocks*blockTime, minBlocks)
	}
	return c, nil
}

// Run runs the demo until it is done or ctx ends. What the case had by then is in the result, whatever the error.
func Run(ctx context.Context, cfg Config) (Result, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return Result{}, err
	}
	d := &demo{Config: cfg}
	err = d.run(ctx)
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return d.result, err
}

// A demo is one run.
type demo struct {
	Config
	upstreams upstreamAddresses
	result    Result
}

func (d *demo) run(ctx context.Context) (err error) {
	d.View.Step("Starting the phones gateway with its sick cache (" + d.Sick + ") and its three upstreams")
	upstreams, err := d.startUpstreams(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, upstreams.Stop()) }()

	sick, err := d.startStage(ctx, d.Sick)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, sick.Stop()) }()
	if err := d.fill(ctx, sick); err != nil {
		return err
	}
	if err := d.detect(ctx, sick); err != nil {
		return err
	}
	d.View.Diagnosis(d.result.Folder.Case)
	return d.cure(ctx, sick, d.treated())
}

// fill waits until a gateway's caches are full. There is no load before: what a service looks like while it starts is
// another story.
func (d *demo) fill(ctx context.Context, s *stage.Stage) error {
	err := awaitReady(ctx, s, func(r readiness) {
		d.View.Progress(fmt.Sprintf("filling the caches: %d %%", 100*r.Warmed/max(r.Goal, 1)))
	})
	if err != nil {
		return fmt.Errorf("filling the caches (--entries takes a lower figure): %w", err)
	}
	return nil
}

// treated is the finding that the other cache is the remedy for: the collector visits fewer objects. Nil if the case
// has no such finding.
func (d *demo) treated() *casefile.Treated {
	for i, f := range d.result.Folder.Case.Findings {
		if f.Kind == "gc-pointer-heap" {
			return prove.Treated(&d.result.Folder.Case.Findings[i])
		}
	}
	return nil
}

// cure starts the gateway with the remedy for a finding beside the sick one and measures both.
func (d *demo) cure(ctx context.Context, sick *stage.Stage, treated *casefile.Treated) (err error) {
	why := "the remedy"
	if treated != nil {
		why = "the remedy for " + treated.ID
	}
	d.View.Step("Starting the gateway with " + why + " (" + Change(d.Sick, d.Cured) + ") beside it, same memory limit")
	sick.Pause()
	cured, err := d.startStage(ctx, d.Cured)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cured.Stop()) }()
	if err := d.fill(ctx, cured); err != nil {
		return err
	}
	n := int(d.Measure / blockTime)
	d.View.Step(fmt.Sprintf("Measuring both for %s, the same load on each in turns", time.Duration(n)*blockTime))
	turns, err := d.measure(ctx, sick, cured, n)
	if err != nil {
		return err
	}
	return d.prove(turns, sick, cured, treated)
}

// Change says what the demo changes, for people.
func Change(sick, cured string) string { return "the cache " + sick + " is replaced by " + cured }
