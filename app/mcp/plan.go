package mcp

import (
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gocasebook/casebook/app/child"
)

// An Action is what an agent may do beside reading.
type Action string

// The actions. All but Answer are planned and executed.
const (
	Capture Action = "capture"
	Answer  Action = "answer" // keep answers in case.json; it runs nothing
	Lint    Action = "lint"
	Fix     Action = "fix"
	Prove   Action = "prove"
)

// Actions are all, in the order of the walk.
func Actions() []Action { return []Action{Capture, Answer, Lint, Fix, Prove} }

// A Plan is what would run, exactly. It is made once and never changed: execute gets its ID and nothing else.
type Plan struct {
	ID      string    `json:"plan"`
	Action  Action    `json:"action"`
	Argv    []string  `json:"argv"`             // the program and its arguments; there is no shell
	Command string    `json:"command"`          // the same, as a person would type it
	Dir     string    `json:"dir"`              // the folder in which it runs
	Asks    []string  `json:"asks,omitempty"`   // addresses that it asks
	Reads   []string  `json:"reads"`            // folders and files
	Writes  []string  `json:"writes"`           //
	Starts  []string  `json:"starts,omitempty"` // other commands that it starts; the operator's words
	Time    string    `json:"time"`             // how long it takes
	Limit   float64   `json:"limit_seconds"`    // when it is stopped
	Cost    string    `json:"cost"`             //
	Expires time.Time `json:"expires"`          //
	State   string    `json:"source,omitempty"` // of the code: when it has changed, the plan is void
	Case    string    `json:"case,omitempty"`   // that it is about
}

// Bounds of plans.
const (
	planLife  = 15 * time.Minute // enough for a person to read one and agree
	mostPlans = 32
)

// A desk holds plans until they are executed, and runs until they are read.
type desk struct {
	log *slog.Logger

	mu     sync.Mutex // guards what is below
	plans  map[string]Plan
	runs   []*run // the latest mostRuns
	closed bool
}

func newDesk(log *slog.Logger) *desk { return &desk{log: log, plans: make(map[string]Plan)} }

// put keeps a plan for planLife, and gives it its ID. The ID has 128 bits that nobody can guess.
func (d *desk) put(p Plan, now time.Time) (Plan, error) {
	p.ID, p.Expires = rand.Text(), now.Add(planLife).UTC()
	p.Command = child.Join(p.Argv)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.expire(now)
	if len(d.plans) >= mostPlans {
		return Plan{}, fmt.Errorf("%d plans wait to be executed, which is the most; execute one, or wait until they "+
			"expire", mostPlans)
	}
	d.plans[p.ID] = p.clone()
	return p, nil
}

// clone shares no list with p.
func (p Plan) clone() Plan {
	p.Argv, p.Asks, p.Reads = slices.Clone(p.Argv), slices.Clone(p.Asks), slices.Clone(p.Reads)
	p.Writes, p.Starts = slices.Clone(p.Writes), slices.Clone(p.Starts)
	return p
}

func (d *desk) expire(now time.Time) {
	for id, p := range d.plans {
		if !now.Before(p.Expires) {
			delete(d.plans, id)
		}
	}
}

// errNoPlan does not tell an unknown ID from one that was used: an agent does the same about both.
var errNoPlan = errors.New("there is no such plan: each is executed once, within " + planLife.String() +
	" of being made, by the server that made it; make a new one")

// take hands a plan out, once.
func (d *desk) take(id string, now time.Time) (Plan, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.expire(now)
	p, ok := d.plans[strings.TrimSpace(id)]
	if !ok {
		return Plan{}, errNoPlan
	}
	delete(d.plans, p.ID)
	return p, nil
}
