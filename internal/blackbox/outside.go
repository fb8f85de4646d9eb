package blackbox

import (
	"fmt"
	"syscall"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// An Ending is what is known from outside the end of a process that was watched.
type Ending struct {
	Known  bool           // Signal or Code is known: Linux 6.15 and later tells them to others than the parent
	Signal syscall.Signal // that ended it; 0 for none
	Code   int            // it exited with

	OOMKills int64         // the OOM killer struck so often in its cgroup since the last sample; −1 for unknown
	Replaced bool          // another process answers in its place
	NewBuild bool          // and that is of another build
	Away     time.Duration // since it was missed, or until it was replaced
	Earlier  int           // ends in the ten minutes before that nothing explained either
}

// A Verdict says whether an end is a case.
type Verdict int

// The verdicts.
const (
	Wait    Verdict = iota // what comes in its place will tell
	Planned                // a deployment, a restart, a stop
	Crash
)

const (
	// deployTime is how long a deployment may leave nobody there: what came instead of a process that failed decides
	// whether its end was part of one.
	deployTime = 10 * time.Second
	// goneTime is after how long a process that ended in an unknown way, and did not come back, is a case.
	goneTime = time.Minute
	// crashLoop is how many ends of unknown cause in ten minutes are no restarts by hand.
	crashLoop = 3
)

// Outside judges an end from the last samples and what is known of it, and says in a trigger why it is a case.
//
// What the kernel knows decides: its OOM killer, and the status where it can be read. SIGTERM, SIGINT and SIGHUP end
// what is asked to end, and so does exit status 0 (143 and 130 say the same of a program that caught them). A panic and
// a fatal error of the Go runtime exit with 2 (runtime/panic.go, fatalpanic), which no orderly end does. Between them
// are SIGKILL, which also ends who is too slow to stop, and the other statuses, with which many a main ends that logs
// http.ErrServerClosed: they count, unless another build takes the place within ten seconds. Where the status cannot be
// read only trouble in the last vitals, a process that stays away, or one that keeps ending is a case: one restart by
// the same build is a restart.
func Outside(d casefile.Target, samples []vitals.Sample, e Ending) (casefile.Trigger, Verdict) {
	if len(samples) == 0 {
		return casefile.Trigger{}, Planned
	}
	last := newEnd(d, samples)
	why := last.reason()
	t := casefile.Trigger{Rule: Killed, Time: last.last.Time.UTC()}
	text, verdict := e.judge(why)
	t.Text = "the process ended: " + text + "; " + why.text
	why.fill(&t)
	return t, verdict
}

// judge says how the process ended, and whether that is a case. why is what its last vitals say.
func (e *Ending) judge(why reason) (text string, v Verdict) {
	switch {
	case e.OOMKills > 0 && (!e.Known || e.Signal == syscall.SIGKILL):
		return "the kernel's OOM killer struck " + number.Things(e.OOMKills, "time") +
			" in its cgroup at that moment", Crash
	case e.orderly():
		return e.status(), Planned
	case e.Known && (e.Code == 2 || e.Signal != 0 && e.Signal != syscall.SIGKILL):
		return e.status(), Crash
	case e.Known && e.NewBuild:
		return e.status(), Planned
	case e.Known && !why.trouble && !e.Replaced && e.Away < deployTime:
		return e.status(), Wait
	case e.Known:
		return e.status(), Crash
	}
	return e.judgeUnknown(why)
}

// judgeUnknown is for an end whose status cannot be read.
func (e *Ending) judgeUnknown(why reason) (text string, v Verdict) {
	const unknown = "this kernel does not show how"
	switch {
	case why.trouble:
		return unknown, Crash
	case e.NewBuild:
		return unknown, Planned
	case e.Earlier+1 >= crashLoop:
		return fmt.Sprintf("%s; it is the %d. end within ten minutes", unknown, e.Earlier+1), Crash
	case e.Replaced:
		return unknown, Planned
	case e.Away < goneTime:
		return unknown, Wait
	}
	return unknown + ", and nothing took its place within a minute", Crash
}

// orderly reports whether the process was asked to end, or ended of its own accord.
func (e *Ending) orderly() bool {
	if !e.Known {
		return false
	}
	switch e.Signal {
	case syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP:
		return true
	case 0:
		const caught = 128 // what shells and many programs add to the signal that ended them
		return e.Code == 0 || e.Code == caught+int(syscall.SIGTERM) || e.Code == caught+int(syscall.SIGINT)
	}
	return false
}

func (e *Ending) status() string {
	switch {
	case e.Signal != 0:
		return "signal " + e.Signal.String()
	case e.Code == 2:
		return "exit status 2, as after a panic or a fatal error of the Go runtime (its standard error says which)"
	}
	return fmt.Sprint("exit status ", e.Code)
}
