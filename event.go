package casebook

import (
	"log/slog"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// An EventKind says what happened.
type EventKind string

// What happens, roughly in the order of a case.
const (
	Started   EventKind = "started"   // the target answers: Target
	Sampled   EventKind = "sample"    // a sample was taken: Sample
	Lost      EventKind = "lost"      // the target stopped answering: Err
	Found     EventKind = "found"     // it answers again
	Restarted EventKind = "restarted" // another process answers in its place: Target
	Tripped   EventKind = "tripped"   // a rule tripped and a case is being taken: Trigger, CaseID
	// a rule tripped while a case was being taken and is recorded there: Trigger, CaseID
	Joined EventKind = "joined"
	// a capture that spans time has started: CaseID, Evidence.Kind, .Phase and .Seconds
	Capturing EventKind = "capturing"
	Captured  EventKind = "captured" // evidence is in: CaseID, Evidence, Data
	Missed    EventKind = "missed"   // evidence was not available: CaseID, Err; Refused says whether the budget is why
	// the case is on disk, diagnosed, drawn and in the reporters' spools: Case, Path; Err if it is not drawn
	Closed    EventKind = "case"
	Recovered EventKind = "recovered" // a case that a killed watch left unfinished is complete now: Case, Path; or Err
	Failed    EventKind = "failed"    // a case could not be written: CaseID, Trigger, Err
	Declined  EventKind = "declined"  // Config.Admit did not let a case be taken: CaseID, Trigger, Err
	Stopped   EventKind = "stopped"   // the watch ended on its own, and nothing is watched any more: Err
	Pruned    EventKind = "pruned"    // old cases were removed, or should have been and could not: Pruned, Err
)

// An Event is one thing that happened. Only the fields its kind names are set.
type Event struct {
	Kind     EventKind
	Time     time.Time
	Target   casefile.Target
	Sample   vitals.Sample
	Trigger  casefile.Trigger
	CaseID   string
	Evidence casefile.Evidence
	Data     []byte // of Captured: the evidence itself, if it is a CPU profile; not to be changed
	Case     casefile.Case
	Path     string // the case's folder
	Pruned   casefile.Pruned
	Err      error
}

// emit sends the event to OnEvent and the log. It never waits for them.
func (w *Watch) emit(e Event) {
	if e.Time.IsZero() {
		e.Time = time.Now()
	}
	s := w.running()
	if s == nil {
		return
	}
	if e.Kind != Sampled {
		logEvent(s.log, e)
	}
	s.events.put(e, e.Kind == Sampled)
}

func logEvent(l *slog.Logger, e Event) {
	switch e.Kind {
	case Started, Found, Restarted:
		l.Info("casebook: watching", "event", e.Kind, "target", e.Target.Name, "pid", e.Target.PID)
	case Lost:
		l.Warn("casebook: the target does not answer", "err", e.Err)
	case Tripped, Joined:
		l.Warn("casebook: a rule tripped", "rule", e.Trigger.Rule, "why", e.Trigger.Text, "case", e.CaseID)
	case Missed:
		l.Warn("casebook: evidence is missing", "case", e.CaseID, "err", e.Err)
	case Closed, Recovered:
		l.Warn("casebook: a case was written", "case", e.CaseID, "path", e.Path, "findings", len(e.Case.Findings))
	case Stopped:
		l.Error("casebook: the watch ended on its own", "err", e.Err)
	case Declined:
		l.Warn("casebook: a case was not admitted", "rule", e.Trigger.Rule, "why", e.Trigger.Text, "case", e.CaseID, "err",
			e.Err)
	case Failed:
		l.Error("casebook: a case could not be written", "rule", e.Trigger.Rule, "why", e.Trigger.Text, "case",
			e.CaseID, "err", e.Err)
	case Pruned:
		if len(e.Pruned.Removed) > 0 {
			l.Info("casebook: old cases were removed", "cases", e.Pruned.Removed, "freed", e.Pruned.Freed, "bytes",
				e.Pruned.Bytes)
		}
		if e.Err != nil || e.Pruned.OverBytes > 0 {
			l.Warn("casebook: the cases exceed their limits", "over", e.Pruned.OverBytes, "err", e.Err)
		}
	}
}
