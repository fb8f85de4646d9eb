package casebook

import (
	"cmp"
	"maps"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/reporter"
	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

// A Status says how the watch itself is doing.
type Status struct {
	Running bool
	Target  casefile.Target
	Ticks   uint64 // samples taken
	Late    uint64 // samples that came more than half an interval late
	Dropped uint64 // samples that were skipped, because the one before took more than an interval
	Failed  uint64 // samples that failed
	Joined  uint64 // trips during a case being taken, recorded there
	Cases   uint64 // cases written
	Bytes   int64  // size of the cases in Dir when they were last checked
	// CPU is what Casebook itself has spent: the wall time of ticks in this process, which wait for nothing, and what
	// captures cost. The rolling profile and the flight recorder are not in it: their cost falls on the goroutines of
	// the service, and is what Windows and Trace estimate. A watch from outside counts only what captures cost the
	// target.
	CPU       time.Duration
	LastError error // of sampling, capturing or writing; nil if there was none
	Stopped   error // why the watch ended on its own; nil if it did not

	UnheardEvents uint64 // that were dropped because OnEvent was too slow, or hangs
	UnheardLines  uint64 // of the log that were dropped because the Logger was
	Rules         []rule.Verdict
	Absent        map[string]string // signals that no source provides, with the reason

	Budget  BudgetStatus   // what the hour's captures have cost, and which were rejected and why
	Windows *WindowsStatus // of the CPU profile windows; nil when there are none
	Trace   *TraceStatus   // of the flight recorder; nil when there is none
	// TraceRate is how many bytes of an execution trace the target makes a second: of the last one that was captured,
	// or what the flight recorder estimates. 0 is not known.
	TraceRate float64
	Reporters []reporter.Status
}

// Status says how the watch is doing and why each rule did or did not fire.
func (w *Watch) Status() Status {
	absent := w.absent()
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.status
	s.Running, s.Target, s.Absent = w.session != nil, w.target, absent
	s.Rules = w.engine.Explain(&w.last, absent)
	s.Budget = budgetStatus(w.ledger.Status(time.Now()))
	// after Run, too: an ended watch still says what happened to its reports
	if r := cmp.Or(w.session, w.past); r != nil {
		r.status(&s)
	}
	return s
}

// absent says why signals are missing: those of the target, and those of the sources.
func (w *Watch) absent() map[string]string {
	absent := maps.Clone(w.cfg.Target.Absent())
	if absent == nil {
		absent = make(map[string]string)
	}
	for _, id := range httpSignals {
		absent[id.String()] = "no handler of package middleware reports requests to this watch"
	}
	w.mu.Lock()
	r := w.session
	w.mu.Unlock()
	if r == nil {
		return absent
	}
	now := time.Now()
	for _, f := range r.feeds {
		why := f.why(now)
		for _, sig := range f.source.Signals {
			delete(absent, sig.Name)
			if why != "" {
				absent[sig.Name] = why
			}
		}
	}
	return absent
}

// httpSignals come from package middleware or not at all.
var httpSignals = [...]vitals.ID{
	vitals.HTTPRate, vitals.HTTPInFlight, vitals.HTTPLatencyP50, vitals.HTTPLatencyP99, vitals.HTTPErrors,
}

// fail records an error in the status.
func (w *Watch) fail(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.status.LastError = err
}
