package casebook

import (
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// Who holds a lock, and who has waited for how long, only a dump of all goroutines tells, which stops the service while
// it is written. So one dump a case may stop it for longer than captures do otherwise, if the case is about waiting.

// ask asks the budget for a capture.
func (t *taking) ask(kind string, span time.Duration) (*expense, error) {
	if kind == casefile.GoroutineDump && !t.dear && aboutWaiting(&t.job.trigger) {
		t.dear = true
		return t.w.askDear(kind, span)
	}
	return t.w.ask(kind, span)
}

// waitingSignals are those that move when goroutines, requests or connections wait.
var waitingSignals = []vitals.ID{vitals.Goroutines, vitals.GoroutinesWaiting, vitals.GoroutinesCreated, vitals.Threads,
	vitals.OpenFiles, vitals.OpenFilesShare, vitals.TCPEstablished, vitals.TCPAbandoned, vitals.TCPQueued,
	vitals.MutexWait, vitals.ProbeTime, vitals.Unanswered, vitals.HTTPRate, vitals.HTTPInFlight, vitals.HTTPLatencyP50,
	vitals.HTTPLatencyP99, vitals.HTTPErrors}

// aboutWaiting reports whether a case may be about waiting: no signal opened it, but a person or goroutines that are
// stuck; or its rule looks at what waits, and not at the CPU, the collector and the memory alone.
func aboutWaiting(t *casefile.Trigger) bool {
	waits := func(name string) bool {
		id, ok := vitals.Lookup(name)
		return ok && slices.Contains(waitingSignals, id)
	}
	return t.Signal == "" || waits(t.Signal) || slices.ContainsFunc(t.Signals, waits)
}
