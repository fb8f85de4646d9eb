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
	"github.com/gocasebook/casebook/diagnose/view"
	"github.com/gocasebook/casebook/internal/number"
)

// logTimeScale is in seconds that a request spends in the logger, on average, in system calls and behind
// the logger's lock. Writing a line to the page cache takes about 10 µs: 1 ms is a hundred of these, and 20 ms
// are what a page of a quick service takes in all.
func logTimeScale() Scale { return Scale{Worth: 0.001, Hurts: 0.02, Top: 0.2} }

// Half of the logger's writes, or more, are at stacks where half of them take logBlock or more: then what they are
// written to is slow. On a crowded machine some of any kind of system call take so long, of those that only copy 1 to
// 10 %. A pipe that is full lets some lines through at once, and the next waits for the reader: then the mean tells.
const (
	logBlock  = 100 * time.Microsecond
	logBlocks = 0.5
	logMean   = time.Millisecond
)

func ioLog() Detector {
	return Detector{
		ID:    "IO003",
		Kind:  "io-log",
		Title: "Requests wait until their log lines are written",
		Text: `Reads an execution trace: the time that requests to a net/http or gRPC server spend in system calls below
a logging library, and behind its lock meanwhile. That is one that cpu-logging knows, or a module that only writes below
the user's lines, to a file that stays open. Half of the library's system calls or
more must take 100 µs, or all of them 1 ms on average, or as long on average until a socket or a pipe has room: then the file is written through to the disk (O_SYNC), or the pipe, socket, terminal or network file
system behind it is slow. Writing to the page cache takes about 10 µs.

Two measures; the lower score counts. The time that a request spends there is worth knowing from 1 ms and hurts from
20 ms, on average. Its share of the requests' time is worth knowing from 25 % and hurts from 75 %. At least 20 calls
must be in the trace.`,
		Needs:      needTrace(),
		Before:     `f, err := os.OpenFile(path, os.O_WRONLY|os.O_SYNC, 0o600) … audit := slog.New(handler(f))`,
		After:      `lines <- line // one goroutine writes what has come in, syncs once, and answers who must know`,
		Remedies:   logRemedies(),
		Absorbs:    related(SameFunction, "cpu-logging", "lock-contention", "lock-held-io", "chan-bottleneck"),
		NeedsPlace: true,
		Follows:    "each line is written before the request goes on",
		Run:        runIOLog,
	}
}

// A logSink is what requests wait for below a logging library, in a trace.
type logSink struct {
	lines    []view.TracedSum // the user's, with the most waiting first
	wrote    time.Duration    // in system calls, and parked
	parked   time.Duration    // between two of them, until a socket's or a pipe's reader has made room
	locked   time.Duration    // behind the library's lock
	calls    int64            // system calls
	slow     int64            // of these, at stacks where they block: see logBlock and logMean
	took     traces.Times     // at the stack with the most
	requests int64            // that log, or all where few of those that log end within the trace
	time     time.Duration    // of the requests, at most
}

func findLogSink(r *Reading, s *traces.Summary) (k logSink) {
	var sites []traces.Site
	for _, c := range s.Syscalls {
		if !logs(r, c.Stack) || !servesTraced(c.Stack) {
			continue
		}
		k.wrote += c.Times.Total
		k.calls += c.Times.Count
		if c.Times.P50 >= logBlock || c.Times.Mean() >= logMean {
			k.slow += c.Times.Count
		}
		if c.Times.Total > k.took.Total {
			k.took = c.Times
		}
		sites = append(sites, c)
	}
	for _, w := range s.Blocking {
		if !logs(r, w.Stack) || !servesTraced(w.Stack) {
			continue
		}
		switch w.Reason {
		case "lock":
			k.locked += w.Times.Total
		case "network":
			k.parked += w.Times.Total
		default:
			continue
		}
		sites = append(sites, traces.Site{Stack: w.Stack, Times: w.Times})
	}
	if k.wrote += k.parked; k.calls > 0 && k.parked/time.Duration(k.calls) >= logMean {
		k.slow = k.calls
	}
	k.lines, _ = r.TracedLines(sites)
	k.countRequests(r, s)
	return k
}

// countRequests counts those that make calls of 100 µs or more, and adds up their time. Those that make them at two
// lines count twice in the time, which is no more than that of all.
func (k *logSink) countRequests(r *Reading, s *traces.Summary) {
	for _, c := range s.Served {
		if logs(r, c.Stack) {
			k.requests = max(k.requests, c.Took.Count)
			k.time += c.Requests
		}
	}
	all := tracedRequests(s)
	// they wait, and few have ended; or few make the calls that wait, and the others wait for these
	if k.requests < syscallRequests || 2*k.parked > k.wrote {
		k.requests, k.time = all.number, all.took
		for _, kind := range s.Kinds {
			if isServer(kind) {
				k.requests += kind.Open
			}
		}
	}
	k.time = max(min(k.time, all.took), k.wrote+k.locked)
}

// logs reports whether a stack is below a logging library that the user's code calls. The library may write to a type
// of the user's: what it calls to write a line is called Write. (Other code of the user's below a logging library may
// be a handler below its middleware.)
func logs(r *Reading, s traces.Stack) bool {
	writer := ""
	for _, f := range s {
		if known.Of(f.Function).Is(known.Logs) || r.lineWriters()[tracedModule(r, f)] {
			return writer == "" || strings.HasSuffix(writer, ").Write")
		}
		if r.IsUsers(f) {
			writer = f.Function
		}
	}
	return false
}

// lineWritersOf are the modules that log as far as a trace shows, whatever they are called: below the user's lines they
// write to files, or to a type of the user's that writes, while requests are served, and make no other system call; and
// nobody opens files as often as that. Who exports a document opens a file for each; a database reads, and syncs.
func lineWritersOf(r *Reading) map[string]bool {
	s, _ := r.Trace()
	if s == nil {
		return nil
	}
	writes, other, opened := make(map[string]int64), make(map[string]bool), int64(0)
	for _, c := range s.Syscalls {
		name := kernelCall(c.Stack)
		if strings.HasPrefix(name, "open") && servesTraced(c.Stack) {
			opened += c.Times.Count
		}
		module, lines := writesLine(r, c.Stack, name)
		for _, f := range c.Stack {
			if m := tracedModule(r, f); m != "" && name != "write" {
				other[m] = true
			}
		}
		if lines {
			writes[module] += c.Times.Count
		}
	}
	out := make(map[string]bool)
	for m, n := range writes {
		out[m] = !other[m] && n >= syscallRequests && opened*10 < n
	}
	return out
}

// writesLine is the module that the user's code calls and that calls os.File's or the user's Write, of a request's
// write.
func writesLine(r *Reading, s traces.Stack, call string) (module string, lines bool) {
	toFile, toUser := does(s, known.WritesFile), false
	for _, f := range s {
		if module == "" && r.IsUsers(f) {
			if !strings.HasSuffix(f.Function, ").Write") {
				return "", false
			}
			toUser = true
			continue
		}
		if module != "" && r.IsUsers(f) {
			own := slices.ContainsFunc(s, func(f traces.Frame) bool {
				of := known.Of(f.Function)
				return of.Does(known.OfRequestConn) && !of.Does(known.ServesConn)
			})
			return module, call == "write" && (toFile || toUser) && !own && servesTraced(s)
		}
		if m := tracedModule(r, f); m != "" {
			module = m
		}
	}
	return module, false
}

func (k *logSink) share() float64 { return float64(k.wrote+k.locked) / max(float64(k.time), 1) }

// each is how many seconds a request spends in the logger, on average.
func (k *logSink) each() float64 { return (k.wrote + k.locked).Seconds() / float64(max(k.requests, 1)) }

func runIOLog(_ context.Context, r *Reading) Answer {
	s, from := r.Trace()
	k := findLogSink(r, s)
	if k.calls < syscallRequests || len(k.lines) == 0 || float64(k.slow) < logBlocks*float64(k.calls) {
		return Answer{}
	}
	score := min(logTimeScale().Score(k.each()), syscallShareScale().Score(k.share()))
	if score < worthKnowing {
		return Answer{}
	}
	f := k.finding(score)
	f.Evidence = from
	return found(f)
}

func (k *logSink) finding(score int) casefile.Finding {
	each := seconds(k.each())
	share, place := k.share(), tracedPlace(k.lines[0].At)
	f := casefile.Finding{
		Title: fmt.Sprintf("Requests wait until their log lines are written, most at %s", place),
		Score: score, Confidence: Confidence(share, float64(k.requests)),
		Summary: fmt.Sprintf("%s spend %s of their time in the logger, %s each: %s, and %s behind the logger's lock "+
			"meanwhile.", things(float64(k.requests), "request"), percent(share), each, k.writing(),
			seconds(k.locked.Seconds())),
		Explanation: "A line to the page cache takes about 10 µs. These take longer: the file is open with O_SYNC, " +
			"or what is behind it is slow (a pipe or a socket whose reader is late, a terminal, a network file system). The " +
			"logger holds its lock meanwhile, so all requests that log wait for each other.",
		Impact: casefile.Impact{Resource: "latency", Share: roundShare(share),
			Text: each + " of each of these requests",
			Gain: casefile.Gain{Low: roundShare(share / 2), High: roundShare(share), Arithmetic: fmt.Sprintf(
				"%s of the requests' time is the logger's; half of it where a line must be on the disk before the "+
					"answer",
				number.Share(share))}},
		Remedies: remediesAt(place, logRemedies()...),
	}
	for _, l := range k.lines[:min(len(k.lines), 3)] {
		f.Where = append(f.Where, tracedFrame(l.At, share*float64(l.Total)/max(float64(k.wrote+k.locked), 1),
			"logs (share of these requests' time)"))
	}
	return f
}

// writing says how long the writes take.
func (k *logSink) writing() string {
	calls := things(float64(k.calls), "system call")
	if 2*k.parked > k.wrote {
		return fmt.Sprintf("%s until there is room for what %s write (%s each on average)", seconds(k.parked.Seconds()),
			calls, seconds((k.parked / time.Duration(max(k.calls, 1))).Seconds()))
	}
	return fmt.Sprintf("%s in %s that take %s on average (p99 %s)", seconds(k.wrote.Seconds()), calls,
		seconds(k.took.Mean().Seconds()), seconds(k.took.P99.Seconds()))
}

func logRemedies() []Remedy {
	return []Remedy{
		byChange("", "Write lines off the request's path", "At {line}: give the logger a writer that puts the line "+
			"into a buffer or a channel, and let one goroutine write what has gathered, every 100 ms. Such are "+
			"bufio.Writer with a lock, zapcore.BufferedWriteSyncer and zerolog/diode.",
			"the last lines are lost in a crash"),
		byPackage("", "One write and one sync for many lines (group commit)", "Where a line must be on the disk "+
			"before the answer: github.com/gocasebook/casebook/remedy/batch gathers the lines of all requests, writes "+
			"them with one Write to a file without O_SYNC and one Sync, and answers each.",
			"a line waits for the batch before it"),
		byChange("", "Log less", "At {line}: one line a request, with all attributes.", "fewer details to read later"),
	}
}
