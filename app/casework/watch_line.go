package casework

import (
	"errors"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/budget"
	"github.com/gocasebook/casebook/reporter"
	"github.com/gocasebook/casebook/vitals"
)

// A Line is one line of `casebook watch --json`. docs/watch-json.md says which event has which fields.
type Line struct {
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
	Refused  *Refused            `json:"refused,omitempty"`
	Summary  *Done               `json:"summary,omitempty"`
	Error    string              `json:"error,omitempty"`
	Note     string              `json:"note,omitempty"`
}

// Refused says what the budget refused. Numbers are texts with their units.
type Refused struct {
	Kind      string    `json:"kind"`
	Resource  string    `json:"resource"`
	Predicted string    `json:"predicted"`
	Spent     string    `json:"spent,omitempty"`
	Limit     string    `json:"limit"`
	Again     time.Time `json:"again,omitzero"`
}

// Done is what a watch did until its end.
type Done struct {
	Samples   uint64                `json:"samples"`
	Late      uint64                `json:"late"`
	LeftOut   uint64                `json:"left_out"`
	Failed    uint64                `json:"failed"`
	Cases     uint64                `json:"cases"`
	Joined    uint64                `json:"joined"`
	Windows   int                   `json:"windows,omitempty"`
	TraceRate float64               `json:"trace_rate,omitempty"` // bytes a second of the target's execution trace
	Budget    casebook.BudgetStatus `json:"budget"`
	Reporters []reporter.Status     `json:"reporters,omitempty"`
	LastError string                `json:"last_error,omitempty"`
	Moved     []Move                `json:"moved,omitempty"`
}

// A Move is a signal whose level at the end of the watch differs from the level at its start.
type Move struct {
	Signal string  `json:"signal"`
	From   float64 `json:"from"`
	To     float64 `json:"to"`
	Times  float64 `json:"times"`
}

// ended is the kind of the last line of a watch. It is not an event of package casebook: Run has returned.
const ended casebook.EventKind = "ended"

// LineOf returns an event as a line.
func LineOf(e Event) Line {
	l := Line{Event: e.Kind, Time: e.Time.UTC(), URL: e.URL, CaseID: e.CaseID, Path: e.Path, Note: e.Note}
	switch e.Kind {
	case casebook.Started, casebook.Restarted, casebook.Found:
		l.Target = &e.Target
	case casebook.Sampled:
		l.Signals = signalsByName(&e.Sample, e.Catalog)
	case casebook.Tripped, casebook.Joined, casebook.Failed, casebook.Declined:
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
	return l
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

func refusedOf(err error) *Refused {
	e := (*budget.RefusedError)(nil)
	if !errors.As(err, &e) {
		return nil
	}
	return &Refused{Kind: e.Kind, Resource: e.Resource, Predicted: e.Predicted, Spent: e.Spent, Limit: e.Limit,
		Again: e.Again}
}

// Line returns what a watch did until now as its last line.
func (s Summary) Line() Line {
	status := &s.Status
	done := Done{
		Samples: status.Ticks, Late: status.Late, LeftOut: status.Dropped, Failed: status.Failed, Cases: status.Cases,
		Joined: status.Joined, Budget: status.Budget, Reporters: status.Reporters,
		TraceRate: status.TraceRate,
	}
	if status.Windows != nil {
		done.Windows = status.Windows.Taken
	}
	if status.LastError != nil {
		done.LastError = status.LastError.Error()
	}
	for _, m := range s.Moved {
		done.Moved = append(done.Moved, Move{m.Signal.Name, m.From, m.To, m.Times()})
	}
	return Line{Event: ended, Time: time.Now().UTC(), URL: status.Target.URL, Summary: &done}
}
