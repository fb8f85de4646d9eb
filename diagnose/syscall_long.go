package diagnose

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/traces"
)

// syscallTimeScale is in seconds that a request spends in the calls at one line, on average. 2 ms are more than a
// good disk needs to keep a line for ever, 50 ms are seen by people.
func syscallTimeScale() Scale { return Scale{Worth: 0.002, Hurts: 0.05, Top: 1} }

// syscallShareScale is the share of the time of the requests that make the calls.
func syscallShareScale() Scale { return Scale{Worth: 0.25, Hurts: 0.75, Top: 1} }

func syscallLong() Detector {
	return Detector{
		ID: "SC003", Kind: "syscall-long",
		Title: "Requests spend their time in a system call",
		Text: `Reads the system calls in an execution trace that are made while a request to a net/http or gRPC
server is served: reads and writes of files, locks of files, calls of C; not the network, fsync (io-fsync) and log
lines (io-log). Of the requests that make calls of 100 µs or more at a line, 20 at least or 5 that make 100 calls, the
time of a request's calls together is worth knowing from 2 ms and hurts from 50 ms; their share of the requests' time
from 25 % and 75 %; the lower score counts. Locks of files that the user's code takes count for other goroutines, too,
as a notice, by how many wait at a time (0.5 and 4).`,
		Needs:    needTrace(),
		Before:   `syscall.Flock(int(f.Fd()), syscall.LOCK_SH); return os.ReadFile(path) // in each request`,
		After:    `return current.Load(), nil // an atomic.Pointer that one goroutine swaps when the file changes`,
		Remedies: append(syscallRemedies(""), fileLockRemedies()...), NeedsPlace: true, Run: runSyscallLong,
	}
}

// A servedCall is the system calls of requests at one line of the user's.
type servedCall struct {
	traces.Served
	at    traces.Frame
	name  string
	by    string       // the goroutine that makes them for requests, which wait for it; "" where they make them themselves
	does  traces.Frame // the user's line where that goroutine does
	score int
}

func runSyscallLong(_ context.Context, r *Reading) Answer {
	s, from := r.Trace()
	if s == nil {
		return Answer{}
	}
	worst, ok := worstLine(servedLines(r, s, func(name string, stack traces.Stack) bool {
		return !forcesDisk(name) && !logs(r, stack)
	}))
	if !ok {
		return runFileLocks(r, s, from)
	}
	f := worst.finding(r)
	f.Evidence = from
	return found(f)
}

// worstLine is the line of a trace at which system calls take requests longest; ok is false if that is not worth
// knowing.
func worstLine(lines []servedCall) (worst servedCall, ok bool) {
	for _, c := range lines {
		if !c.enough() {
			continue
		}
		scale := syscallTimeScale()
		if hasRole(c.Stack, known.AwaitsChild) {
			c.name, scale = "a child process", slowCallScale() // which works meanwhile, like another service
		}
		c.score = min(scale.Score(c.Took.Mean().Seconds()), syscallShareScale().Score(c.share()))
		if c.score > worst.score {
			worst = c
		}
	}
	return worst, worst.score >= worthKnowing
}

// servedLines adds the wanted system calls of requests up by the user's line: a library may make several kinds for one
// call of the user's, each at another line of its own.
func servedLines(r *Reading, s *traces.Summary, want func(name string, stack traces.Stack) bool) (out []servedCall) {
	for _, served := range s.Served {
		name := kernelCall(served.Stack)
		at, ok := r.TracedLine(served.Stack)
		// what copies to a connection, into or out of the kernel, does not block
		if ok && !does(served.Stack, known.OfSocket) && want(name, served.Stack) {
			out = addServed(out, servedCall{Served: served, at: at, name: name})
		}
	}
	return out
}

// addServed adds calls to those at the same line.
func addServed(to []servedCall, c servedCall) []servedCall {
	i := slices.IndexFunc(to, func(o servedCall) bool { return o.at == c.at })
	if i < 0 {
		return append(to, c)
	}
	o := &to[i] // the requests are those that have most, because most of them make both calls
	o.Calls, o.Requests, o.Took.Count = o.Calls+c.Calls, max(o.Requests, c.Requests), max(o.Took.Count, c.Took.Count)
	o.Took.Total, o.Took.P50, o.Took.P99 = o.Took.Total+c.Took.Total, o.Took.P50+c.Took.P50, max(o.Took.P99, c.Took.P99)
	return to
}

// share is the calls' share of the time of the requests that make them.
func (c *servedCall) share() float64 {
	return min(float64(c.Took.Total)/max(float64(c.Requests), 1), 1)
}

func (c *servedCall) finding(r *Reading) casefile.Finding {
	place, share := tracedPlace(c.at), c.share()
	f := casefile.Finding{
		Title: fmt.Sprintf("Requests wait for %s at %s", c.name, place),
		Score: c.score, Confidence: Confidence(share, float64(c.Took.Count)),
		Summary: fmt.Sprintf("%s spend %s of their time in %s at %s: %s each (p99 %s), in %s.", things(c.Took.Count,
			"request"), percent(share), c.name, place, seconds(c.Took.Mean()), seconds(c.Took.P99), things(c.Calls, "call")),
		Explanation: "A system call that blocks holds its thread, and the request waits for the disk, the device or " +
			"the lock behind it. The CPU profile does not show that.",
		Where: []casefile.Frame{tracedFrame(c.at, share, "waits in the kernel (share of these requests' time)")},
		Impact: onLatency(share, fmt.Sprintf("%s of each of these requests", seconds(c.Took.Mean())), halfAtLeast(share,
			"the calls at this line; half of them if they can only be shared among requests")),
		Remedies: remediesAt(place, syscallRemedies(c.name)...),
	}
	f.Where = append(f.Where, tracedCalls(r, c.Stack, c.at, share)...)
	return f
}

// kernelCall is the system call of a stack: "fsync"; "C code" of cgo.
func kernelCall(s traces.Stack) string {
	names := make([]string, len(s))
	for i, f := range s {
		names[i] = f.Function
	}
	return systemCall(names)
}

// systemCall is the system call of a stack of functions: of the first that is called as one, in a package that has one
// for each or as the last before the kernel, whoever wrote it.
func systemCall(functions []string) string {
	last := true
	for _, fn := range functions {
		is := known.Of(fn)
		if is.Does(known.CallsIntoC) {
			return "C code"
		}
		name := strings.ToLower(fn[strings.LastIndexByte(fn, '.')+1:])
		switch {
		case is.Does(known.OfRuntime), strings.Contains(name, "syscall"):
			continue // on the way into the kernel
		case is.Is(known.NamesSystemCall):
			return strings.TrimPrefix(name, "x") // modernc.org/libc.Xfsync
		case last && known.IsSystemCall(strings.TrimPrefix(name, "x")):
			return strings.TrimPrefix(name, "x")
		}
		last = false
	}
	return "a system call"
}

// syscallRemedies are those for a call; "": of any.
func syscallRemedies(call string) []Remedy {
	share := byChange("", "Share the call among requests", "Let one goroutine do it for all requests that have "+
		"come in meanwhile (group commit), or do it after the answer if that may be lost: {line}.",
		"a request waits for the next turn")
	keep := byChange("", "Keep what was read", "Keep the content of the file of {line} in memory, and read it "+
		"again when it has changed.", "memory")
	shorten := byChange("", "Take it out of the request", "Do what {line} waits for before requests come, in a "+
		"worker of its own, or with a deadline.", "what it waits for may be missing")
	switch call {
	case "":
		return []Remedy{share, keep, shorten}
	case "write", "pwrite", "pwrite64", "ftruncate", "rename", "renameat":
		return []Remedy{share, shorten}
	case "read", "pread", "pread64", "open", "openat", "stat", "fstat", "fstatat", "lstat", "getdents", "readdirent":
		return []Remedy{keep, shorten}
	}
	return []Remedy{shorten}
}

// Requests that start goroutines for their parts, and workers, make system calls that are no request's in a trace. Of
// most of them nobody knows who waits for it. A lock of a file is different: who waits for one does it behind somebody
// else, with a thread each.

// fileLockOne is from how many waiting goroutines on they wait for each other, and not only for other processes.
const fileLockOne = 1.1

// runFileLocks judges the lines at which goroutines wait for them that serve no request themselves, by how long each
// wait is and how many wait at a time. A library's own goroutine takes it for others, which wait without a thread
// (juju/mutex). It is a notice at most: a job that waits for another process delays nobody.
func runFileLocks(r *Reading, s *traces.Summary, from []casefile.Basis) Answer {
	until := []string{"flock", "fcntlflock", "fcntl", "fcntlint"} // a file is unlocked
	lines, _ := r.TracedLines(slices.DeleteFunc(slices.Clone(s.Syscalls), func(c traces.Site) bool {
		at, ok := r.TracedLine(c.Stack)
		return !ok || !r.IsUsers(at) || !slices.Contains(until, kernelCall(c.Stack)) || servesTraced(c.Stack)
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
		Title: fmt.Sprintf("Goroutines wait for %s at %s", name, place),
		Score: score, Confidence: Confidence(share, float64(l.Calls)),
		Summary: fmt.Sprintf("%s take %s each (p99 %s) in %s at %s: %s wait there on average, each with a thread.",
			things(l.Calls, "call"), seconds(each), seconds(l.P99), name, place, things(waiting, "goroutine")),
		Explanation: "A lock of a file is for other processes. Goroutines of one process wait for each other there, too, " +
			"and each holds a thread meanwhile. The CPU profile does not show that.",
		Where:    []casefile.Frame{tracedFrame(l.At, share, "waits in the kernel (share of the time in system calls)")},
		Impact:   onLatency(share, seconds(each)+" of each call"),
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
