// Package bench runs the lab: it takes each disease's service sick and cured, and says what Casebook found and what the
// cure brought.
//
// The problem: "the diagnosis is right and its promise is kept" is a claim about services, and must be shown on
// services, in one run that anyone can repeat.
//
// The approach: a row (package lab) is played by itself. What its rig needs is started; then the sick form, under load,
// which is watched from outside with the default rules until a case is closed; then the cured form is started beside
// it, both are loaded and measured in turns, and the cured one is diagnosed too. A service that finds its work by
// itself cannot wait for its turn: its forms are measured one after the other. What became of the row is data (Result);
// whether it is what must hold is judged from the data alone (judge.go), and the terminal's table and docs/evidence/lab.md are
// made from it.
//
// The limits: each form is started once, on a machine that it shares with its load, what it depends on and
// the watcher. A row says what this run measured; how it would vary from start to start, casebook prove says.
package play

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/lab/stage"
)

// A Config says how the lab is run. The zero value of a field means its default.
type Config struct {
	Binary   string        // the lab's binary, whose commands are the services; required
	Dir      string        // where cases and the files of servers go; required
	Tool     string        // recorded in the cases
	Measure  time.Duration // how long the forms are measured, both together. Default DefaultMeasure
	Patience time.Duration // how long a rule has to trip, once the sick form is ready. Default DefaultPatience
	Kafka    bool          // the worker's broker is Apache Kafka, in place of the lab's own
	Casebook string        // the program that makes cures, of rows where nobody wrote one. Default: it is built
	View     View          // told of the progress; required
}

// Defaults, chosen so that a row takes about a minute.
const (
	DefaultMeasure  = 18 * time.Second
	DefaultPatience = time.Minute
)

// Windows of the load are short, so that many turns fit into the time, and as long as it takes a service to fall into
// its pace after it was idle. Rounds of forms that are measured one after the other need not begin anew. minPasses is
// what a verdict needs.
const (
	window    = 400 * time.Millisecond
	round     = time.Second
	minPasses = 5
)

// passes is how often forms have their turns: two of the sick one and one of the cured one each time.
func (c Config) passes(window time.Duration) int {
	return max(int(c.Measure/(3*stage.TurnTime(window))), minPasses)
}

// rounds is how many rounds each form has when it is measured for itself.
func (c Config) rounds() int { return int(c.Measure / 2 / round) }

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
	if least := minPasses * 3 * stage.TurnTime(window); c.Measure < least || c.Measure > time.Hour {
		return c, fmt.Errorf("measure is %s; it must be from %s to 1h", c.Measure, least)
	}
	return c, nil
}

// Run plays rows one after the other. done, which may be nil, gets each row's result as it comes. A row that fails is a
// result with its error, and the next one is played. When ctx ends the report has the rows so far, the one under way
// with the error, and Run returns ctx's error. Every process that was started has ended when Run returns.
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
