package casebook

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/own"
	"github.com/gocasebook/casebook/vitals"
)

// A target without CPU left takes seconds for each answer, however small: then the order in which it is asked decides
// what a case has if the process ends, or is restarted, before the last answer.

// lateProbe is from when on a target counts as late. Its index page takes a millisecond to make.
const lateProbe = time.Second

// lateAnswers is how long a late target is asked, beyond the profile that runs meanwhile: each of its answers may take
// as long as the whole case of another.
const lateAnswers = time.Minute

var errLate = fmt.Errorf("no answer within the %s that a late target is asked", lateAnswers)

// answersLate reports whether a target outside took long for its last answer, or has not answered yet.
func (t *taking) answersLate() bool {
	if t.w.self {
		return false
	}
	t.w.mu.Lock()
	defer t.w.mu.Unlock()
	probe, ok := t.w.last.Get(vitals.ProbeTime)
	return t.w.last.Time.IsZero() || silent(&t.w.last) || ok && probe >= lateProbe.Seconds()
}

// silent reports whether a sample says that the target did not answer when it was taken.
func silent(s *vitals.Sample) bool {
	seconds, ok := s.Get(vitals.Unanswered)
	return ok && seconds > 0
}

// answers reports whether the target answered when it was sampled last.
func (t *taking) answers() bool {
	t.w.mu.Lock()
	defer t.w.mu.Unlock()
	return !silent(&t.w.last)
}

// firstOfLate is what a late target is asked for first: what the kernel tells, without a question; where goroutines
// stand. Meanwhile the CPU profile runs, which shows what takes the CPU that the answers wait for. The heap comes next:
// the dump and the rest say less for their seconds.
var firstOfLate = [...]string{casefile.Runtime, casefile.Goroutine, casefile.Heap}

// duringLate takes evidence of a late target: all that spans time at once, and the snapshots meanwhile.
func (t *taking) duringLate(ctx context.Context) {
	ctx, cancel := context.WithTimeoutCause(ctx, t.w.cfg.ProfileFor+lateAnswers, errLate)
	defer cancel()
	kinds := slices.Clone(t.job.kinds)
	slices.SortStableFunc(kinds, func(a, b string) int { return rankOfLate(a) - rankOfLate(b) })
	var spans sync.WaitGroup
	own.In(&spans, func() { t.spans(ctx, kinds) })
	t.snapshots(ctx, kinds)
	t.attachments(ctx, false)
	spans.Wait()
}

func rankOfLate(kind string) int {
	if i := slices.Index(firstOfLate[:], kind); i >= 0 {
		return i
	}
	return len(firstOfLate)
}

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
	vitals.TCPUnanswered, vitals.TCPWaiting, vitals.MutexWait, vitals.ProbeTime, vitals.Unanswered, vitals.HTTPRate,
	vitals.HTTPInFlight, vitals.HTTPLatencyP50, vitals.HTTPLatencyP99, vitals.HTTPErrors}

// aboutWaiting reports whether a case may be about waiting: no signal opened it, but a person or goroutines that are
// stuck; or its rule looks at what waits, and not at the CPU, the collector and the memory alone.
func aboutWaiting(t *casefile.Trigger) bool {
	waits := func(name string) bool {
		id, ok := vitals.Lookup(name)
		return ok && slices.Contains(waitingSignals, id)
	}
	return t.Signal == "" || waits(t.Signal) || slices.ContainsFunc(t.Signals, waits)
}
