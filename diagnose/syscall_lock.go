package diagnose

import (
	"fmt"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/traces"
)

// Requests that start goroutines for their parts, and workers, make system calls that are no request's in a trace. Of
// most of them nobody knows who waits for it. A lock of a file is different: who waits for one does it behind somebody
// else, with a thread each.

// fileLockOne is from how many waiting goroutines on they wait for each other, and not only for other processes.
const fileLockOne = 1.1

// locksFile reports whether a system call waits until a file is unlocked.
func locksFile(name string) bool {
	return slices.Contains([]string{"flock", "fcntlflock", "fcntl", "fcntlint"}, name)
}

// runFileLocks judges the lines at which goroutines wait for them that serve no request themselves, by how long each
// wait is and how many wait at a time. A library's own goroutine takes it for others, which wait without a thread
// (juju/mutex). It is a notice at most: a job that waits for another process delays nobody.
func runFileLocks(r *Reading, s *traces.Summary, from []casefile.Basis) Answer {
	lines, _ := r.TracedLines(slices.DeleteFunc(slices.Clone(s.Syscalls), func(c traces.Site) bool {
		at, ok := r.TracedLine(c.Stack)
		return !ok || !r.IsUsers(at) || !locksFile(kernelCall(c.Stack)) || servesTraced(c.Stack)
	}))
	if len(lines) == 0 || lines[0].Calls < syscallRequests || s.Span <= 0 {
		return Answer{}
	}
	l, name := lines[0], kernelCall(lines[0].Site.Stack)
	each, waiting := l.Total/time.Duration(l.Calls), l.Total.Seconds()/s.Span.Seconds()
	score := min(syscallTimeScale().Score(each.Seconds()), lockQueueScale().Score(waiting), capNotice)
	place, all, help := tracedPlace(l.At), time.Duration(0), fileLockRemedies()
	for _, c := range s.Syscalls {
		all += c.Times.Total
	}
	share := l.Total.Seconds() / all.Seconds()
	if waiting < fileLockOne { // a mutex of this process is of no use: the others are another process's
		help = help[:1]
	}
	f := casefile.Finding{
		Title:      fmt.Sprintf("Goroutines wait for %s at %s", name, place),
		Score:      score,
		Confidence: Confidence(share, float64(l.Calls)),
		Summary: fmt.Sprintf("%s take %s each (p99 %s) in %s at %s: %s wait there on average, each with a thread.",
			things(float64(l.Calls), "call"), seconds(each.Seconds()), seconds(l.P99.Seconds()), name, place,
			things(waiting, "goroutine")),
		Explanation: "A lock of a file is for other processes. Goroutines of one process wait for each other there, too, " +
			"and each holds a thread meanwhile. The CPU profile does not show that.",
		Where: []casefile.Frame{tracedFrame(l.At, share, "waits in the kernel (share of the time in system calls)")},
		Impact: casefile.Impact{Resource: "latency", Share: roundShare(share),
			Text: seconds(each.Seconds()) + " of each call"},
		Remedies: remediesAt(place, help...),
		Evidence: from,
	}
	f.Where = append(f.Where, tracedCalls(r, l.Site.Stack, l.At, share)...)
	return found(f)
}

func fileLockRemedies() []Remedy {
	return []Remedy{
		byChange("", "Lock once for many", "Do what {line} locks the file for with one lock for a whole batch, or "+
			"reserve a range and give it out from memory.", "what is reserved is lost in a crash"),
		byChange("", "Wait without a thread", "Take a sync.Mutex of the process's own before {line}: then one goroutine "+
			"at a time waits for the other processes.", "none"),
	}
}
