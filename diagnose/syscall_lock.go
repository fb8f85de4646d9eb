package diagnose

import (
	"fmt"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
)

// Requests that start goroutines for their parts, and workers, make system calls that are no request's in a trace. Of
// most of them nobody knows who waits for it. A lock of a file is different: who waits for one does it behind somebody
// else, with a thread each.

// fileLocks are the locks of files that goroutines wait for which serve no request themselves, by the user's line.
type fileLocks struct {
	at    traces.Frame
	name  string
	stack traces.Stack
	calls int
	took  time.Duration
	p99   time.Duration
}

// fileLockOne is from how many waiting goroutines on they wait for each other, and not only for other processes.
const fileLockOne = 1.1

// locksFile reports whether a system call waits until a file is unlocked.
func locksFile(name string) bool {
	return slices.Contains([]string{"flock", "fcntlflock", "fcntl", "fcntlint"}, name)
}

// worstFileLock is the line at which they wait most.
func worstFileLock(r *Reading, s *traces.Summary) (worst fileLocks) {
	var all []fileLocks
	for _, c := range s.Syscalls {
		name := kernelCall(c.Stack)
		at, ok := r.TracedLine(c.Stack)
		if !ok || r.Traced(at).Owner != stacks.User || !locksFile(name) || servesTraced(c.Stack) {
			continue // a library's own goroutine takes it for others, which wait without a thread (juju/mutex)
		}
		i := slices.IndexFunc(all, func(l fileLocks) bool { return l.at == at })
		if i < 0 {
			i, all = len(all), append(all, fileLocks{at: at, name: name, stack: c.Stack})
		}
		all[i].calls += int(c.Times.Count)
		all[i].took += c.Times.Total
		all[i].p99 = max(all[i].p99, c.Times.P99)
	}
	for _, l := range all {
		if l.took > worst.took {
			worst = l
		}
	}
	return worst
}

// runFileLocks judges them by how long each wait is and how many wait at a time. It is a notice at most: a job that
// waits for another process delays nobody.
func runFileLocks(r *Reading, s *traces.Summary, from []casefile.Basis) Answer {
	l := worstFileLock(r, s)
	if l.calls < syscallRequests || s.Span <= 0 {
		return Answer{}
	}
	each, waiting := l.took/time.Duration(l.calls), l.took.Seconds()/s.Span.Seconds()
	score := min(syscallTimeScale().Score(each.Seconds()), lockQueueScale().Score(waiting), capNotice)
	if score < worthKnowing {
		return Answer{}
	}
	place, all := tracedPlace(l.at), time.Duration(0)
	for _, c := range s.Syscalls {
		all += c.Times.Total
	}
	share := l.took.Seconds() / all.Seconds()
	f := casefile.Finding{
		Title:      fmt.Sprintf("Goroutines wait for %s at %s", l.name, place),
		Score:      score,
		Confidence: Confidence(share, float64(l.calls)),
		Summary: fmt.Sprintf("%s take %s each (p99 %s) in %s at %s: %s wait there on average, each with a thread.",
			things(float64(l.calls), "call"), seconds(each.Seconds()), seconds(l.p99.Seconds()), l.name, place,
			things(waiting, "goroutine")),
		Explanation: "A lock of a file is for other processes. Goroutines of one process wait for each other there, too, " +
			"and each holds a thread meanwhile. The CPU profile does not show that.",
		Where: []casefile.Frame{tracedFrame(l.at, share, "waits in the kernel (share of the time in system calls)")},
		Impact: casefile.Impact{Resource: "latency", Share: roundShare(share),
			Text: seconds(each.Seconds()) + " of each call"},
		Remedies: remediesAt(place, fileLocksHelp(waiting)...),
		Evidence: from,
	}
	f.Where = append(f.Where, tracedCalls(r, l.stack, l.at, share)...)
	return found(f)
}

// fileLocksHelp leaves the mutex of the process out, if one of its goroutines waits at a time: the others are another
// process's.
func fileLocksHelp(waiting float64) []Remedy {
	if waiting < fileLockOne {
		return fileLockRemedies()[:1]
	}
	return fileLockRemedies()
}

func fileLockRemedies() []Remedy {
	return []Remedy{
		byChange("", "Lock once for many", "Do what {line} locks the file for with one lock for a whole batch, or "+
			"reserve a range and give it out from memory.", "what is reserved is lost in a crash"),
		byChange("", "Wait without a thread", "Take a sync.Mutex of the process's own before {line}: then one goroutine "+
			"at a time waits for the other processes.", "none"),
	}
}
