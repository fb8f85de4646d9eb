// Package bench runs the lab: it takes each disease's service sick and cured, and says what Casebook found and what the cure
// brought.
//
// The problem: "the diagnosis is right and its promise is kept" is a claim about services, and must be shown on services, in
// one run that anyone can repeat.
//
// The approach: a row (package lab) is played by itself. What its rig needs is started; then the sick form, under load, which is
// watched from outside with the default rules until a case is closed, and then measured in rounds of a second with nothing else
// running; then the cured form, loaded alike, measured, and diagnosed too. What became of the row is data (Result); whether it is
// what must hold is judged from the data alone (judge.go), and the terminal's table and docs/lab.md are made from it.
//
// The limits: both forms run once, one after the other, on a machine that they share with their load, what they depend on and
// the watcher. A row says what this run measured; how it would vary from start to start, casebook prove says.
package bench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gocasebook/casebook/app/prove"
)

// A Config says how the lab is run. The zero value of a field means its default.
type Config struct {
	Binary   string        // the casebook binary, whose `lab` commands are the services; required
	Dir      string        // where cases and the files of servers go; required
	Tool     string        // recorded in the cases
	Measure  time.Duration // how long each form is measured. Default DefaultMeasure
	Patience time.Duration // how long a rule has to trip, once the sick form is ready. Default DefaultPatience
	View     View          // told of the progress; required
}

// Defaults, chosen so that a row takes about a minute.
const (
	DefaultMeasure  = 12 * time.Second
	DefaultPatience = time.Minute
)

// round is the length of a round, and minRounds what a verdict needs.
const (
	round     = time.Second
	minRounds = 6
)

// A View shows the progress to a person. Its methods are called from one goroutine at a time.
type View interface {
	Step(text string)     // a form of a row begins
	Say(text string)      // something happened in it
	Progress(text string) // how it stands, many times
}

func (c Config) withDefaults() (Config, error) {
	if c.Measure == 0 {
		c.Measure = DefaultMeasure
	}
	if c.Patience == 0 {
		c.Patience = DefaultPatience
	}
	if c.Measure < minRounds*round || c.Measure > time.Hour {
		return c, fmt.Errorf("measure is %s; it must be from %s to 1h", c.Measure, minRounds*round)
	}
	return c, nil
}

// Run plays rows one after the other. done, which may be nil, gets each row's result as it comes. A row that fails is a result
// with its error, and the next one is played. When ctx ends the report has the rows so far, the one under way with the error, and
// Run returns ctx's error. Every process that was started has ended when Run returns.
func Run(ctx context.Context, cfg Config, rows []Row, done func(Result)) (Report, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return Report{}, fmt.Errorf("lab: %w", err)
	}
	rep := Report{Schema: schema, Tool: cfg.Tool, Machine: prove.Machine(), Measure: cfg.Measure.String()}
	for i, row := range rows {
		if ctx.Err() != nil {
			break
		}
		p := &play{Config: cfg, row: row, result: newResult(row), place: fmt.Sprintf("%d/%d ", i+1, len(rows))}
		p.run(ctx)
		rep.Rows = append(rep.Rows, *p.result)
		if done != nil {
			done(*p.result)
		}
	}
	return rep, ctx.Err()
}

// errInterrupted is the error of a row that was under way when the run was ended.
var errInterrupted = errors.New("interrupted")
