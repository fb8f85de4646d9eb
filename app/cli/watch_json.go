package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/budget"
	"github.com/gocasebook/casebook/reporter"
	"github.com/gocasebook/casebook/vitals"
)

// A watchLine is one line of `watch --json`. docs/watch-json.md says which event has which fields.
type watchLine struct {
	Event    casebook.EventKind  `json:"event"`
	Time     time.Time           `json:"time"`
	URL      string              `json:"url"`
	Target   *casefile.Target    `json:"target,omitempty"`
	Signals  map[string]float64  `json:"signals,omitempty"`
	Trigger  *casefile.Trigger   `json:"trigger,omitempty"`
	CaseID   string              `json:"case_id,omitempty"`
	Evidence *casefile.Evidence  `json:"evidence,omitempty"`
	Path     string              `json:"path,omitempty"`
	Result   *casefile.Diagnosis `json:"diagnosis,omitempty"`
	Pruned   *casefile.Pruned    `json:"pruned,omitempty"`
	Refused  *refusedJSON        `json:"refused,omitempty"`
	Summary  *summaryJSON        `json:"summary,omitempty"`
	Error    string              `json:"error,omitempty"`
}

// A refusedJSON says what the budget refused. Numbers are texts with their units.
type refusedJSON struct {
	Kind      string    `json:"kind"`
	Resource  string    `json:"resource"`
	Predicted string    `json:"predicted"`
	Spent     string    `json:"spent,omitempty"`
	Limit     string    `json:"limit"`
	Again     time.Time `json:"again,omitzero"`
}

// A summaryJSON is what a watch did until its end.
type summaryJSON struct {
	Samples   uint64                `json:"samples"`
	Late      uint64                `json:"late"`
	LeftOut   uint64                `json:"left_out"`
	Failed    uint64                `json:"failed"`
	Cases     uint64                `json:"cases"`
	Joined    uint64                `json:"joined"`
	Windows   int                   `json:"windows,omitempty"`
	Budget    casebook.BudgetStatus `json:"budget"`
	Reporters []reporter.Status     `json:"reporters,omitempty"`
	LastError string                `json:"last_error,omitempty"`
	Moved     []moveJSON            `json:"moved,omitempty"`
}

// A moveJSON is a signal whose level at the end of the watch differs from the level at its start.
type moveJSON struct {
	Signal string  `json:"signal"`
	From   float64 `json:"from"`
	To     float64 `json:"to"`
	Times  float64 `json:"times"`
}

// ended is the kind of the last line of a watch. It is not an event of package casebook: Run has returned.
const ended casebook.EventKind = "ended"

func (v *watchView) printJSON(url string, catalog *vitals.Catalog, e casebook.Event) {
	l := watchLine{Event: e.Kind, Time: e.Time.UTC(), URL: url, CaseID: e.CaseID, Path: e.Path}
	switch e.Kind {
	case casebook.Started, casebook.Restarted, casebook.Found:
		l.Target = &e.Target
	case casebook.Sampled:
		l.Signals = signalsByName(&e.Sample, catalog)
	case casebook.Tripped, casebook.Joined, casebook.Failed:
		l.Trigger = &e.Trigger
	case casebook.Capturing, casebook.Captured:
		l.Evidence = &e.Evidence
	case casebook.Missed:
		l.Refused = refusedOf(e.Err)
	case casebook.Closed, casebook.Recovered:
		if e.Path != "" {
			l.Trigger, l.Result = &e.Case.Trigger, &e.Case.Diagnosis
		}
	case casebook.Pruned:
		l.Pruned = &e.Pruned
	}
	if e.Err != nil {
		l.Error = e.Err.Error()
	}
	v.encode(l)
}

func (v *watchView) encode(l watchLine) {
	if err := json.NewEncoder(v.out).Encode(l); err != nil {
		fmt.Fprintln(v.err, "casebook: writing JSON:", err)
	}
}

func signalsByName(s *vitals.Sample, catalog *vitals.Catalog) map[string]float64 {
	signals := make(map[string]float64)
	for id, signal := range catalog.Signals() {
		if x, ok := s.Get(vitals.ID(id)); ok {
			signals[signal.Name] = x
		}
	}
	return signals
}

func refusedOf(err error) *refusedJSON {
	e := (*budget.RefusedError)(nil)
	if !errors.As(err, &e) {
		return nil
	}
	return &refusedJSON{Kind: e.Kind, Resource: e.Resource, Predicted: e.Predicted, Spent: e.Spent, Limit: e.Limit, Again: e.Again}
}

func (v *watchView) summaryJSON(url string, s casebook.Status, moved []vitals.Move) {
	sum := summaryJSON{
		Samples: s.Ticks, Late: s.Late, LeftOut: s.Dropped, Failed: s.Failed, Cases: s.Cases, Joined: s.Joined,
		Budget: s.Budget, Reporters: s.Reporters,
	}
	if s.Windows != nil {
		sum.Windows = s.Windows.Taken
	}
	if s.LastError != nil {
		sum.LastError = s.LastError.Error()
	}
	for _, m := range moved {
		sum.Moved = append(sum.Moved, moveJSON{m.Signal.Name, m.From, m.To, m.Times()})
	}
	v.encode(watchLine{Event: ended, Time: time.Now().UTC(), URL: url, Summary: &sum})
}
