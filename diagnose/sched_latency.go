package diagnose

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/diagnose/view"
	"github.com/gocasebook/casebook/vitals"
)

// schedLatencyScale is in seconds that a goroutine waits for a processor after it was woken (p99). A goroutine may run
// for 10 ms before the runtime preempts it (forcePreemptNS, runtime/proc.go): 10 ms is one such stretch of another, and
// 100 ms are ten of them.
func schedLatencyScale() Scale { return Scale{Worth: 0.01, Hurts: 0.1, Top: 1} }

// What a trace must show before its waits count as a queue for processors.
const (
	schedWaits   = 100 // waits of one goroutine type, for a p99
	schedQueue   = 0.2 // goroutines that wait for each processor, on average: M/M/1 at a load of 36 %
	schedBeside  = 0.3 // of the waiting may be beside an idle processor: that is slow waking and no queue
	schedStarved = 0.6 // of the busy processors' time; with less CPU, the operating system made them wait
	schedFed     = 0.9 // with more, it did not
	hogShare     = 0.5 // of the waiting, while goroutines of one type run
	hogStretch   = 5 * time.Millisecond
	// stall is a stretch on a processor that the runtime does not allow: it preempts after 10 ms, and looks every 10 ms
	// at the latest (forcePreemptNS and sysmon, runtime/proc.go). In recordings on a quiet machine none was longer than
	// 33 ms; on a crowded one they were 41 to 1,055. Whoever waits meanwhile waits for as long, several in a row for
	// stallWaits as long.
	stall      = 40 * time.Millisecond
	stallWaits = 3
)

func schedLatency() Detector {
	return Detector{
		ID:         "SC001",
		Kind:       "sched-latency",
		Title:      "Goroutines that are ready to run wait for a processor",
		OtherNames: []string{"sched-netpoll"},
		Text: `Reads an execution trace: how long goroutines wait from the moment that something wakes them, or that
they are preempted, until they run. Waiting after Gosched or Sleep is voluntary and does not count, nor does that of
the runtime's own goroutines.

The p99 of the goroutine type that waits most in all is worth knowing from 10 ms, the stretch after which the runtime
preempts, and hurts from 100 ms. On average a fifth of a goroutine or more must wait for each processor, and at most
30 % of the waiting may be beside an idle one. The first place is the line at which most CPU was used up in whole
stretches, or, where these are too short, the one that has most in the CPU profile.

If the vitals show that the process got less than 60 % of the CPU that its processors were busy for, a quota or
other programs made them wait: then nothing is said. Nor is it if a goroutine stood on its processor for 40 ms or
more, in code that the runtime can preempt, and the waits are at most three times as long, unless the process had 90 %
of the CPU that its processors were busy for. If one type of goroutine
runs while most of the waiting happens, that is sched-hog; if it is the collector's workers, it is left to the kinds
of garbage collection.

A processor looks for what has come over the network when it has no goroutine to run. While all run, the runtime
looks every 10 ms, so that data is seen late, too: the finding says how late, and the remedy is the same.`,
		Needs:      needTrace(),
		Before:     `http.HandleFunc("/report", func…{ render(w) }) // 200 ms of CPU, for as many as come`,
		After:      `select { case slots <- struct{}{}: render(w); <-slots; default: w.WriteHeader(503) }`,
		Remedies:   schedRemedies(),
		IsQueue:    true,
		NeedsPlace: true,
		Follows:    "while it runs on every processor, the others wait in the run queue",
		Run:        runSchedLatency,
	}
}

func schedHog() Detector {
	return Detector{
		ID:         "SC002",
		Kind:       "sched-hog",
		Title:      "One kind of goroutine keeps the processors from all others",
		OtherNames: []string{"sched-netpoll"},
		Text: `Reads an execution trace, as sched-latency does, with the same limits. In addition goroutines of one
start function, which neither serve requests nor are started by a handler, and which are neither the many connections of a
server nor started for each packet, run while at least half of the waiting for
a processor happens, and their stretches on a processor reach 5 ms (p99). A stretch of 10 ms is the longest that the
runtime allows while others wait; longer ones are code that cannot be preempted.

The score is that of the waiting (p99) of the other goroutine type that waits most.`,
		Needs:      needTrace(),
		Before:     `for _, u := range users { go rebuild(u) } // 10,000 goroutines of CPU beside the requests`,
		After:      `for range max(1, runtime.GOMAXPROCS(0)/4) { go worker(queue) } // the rest is for requests`,
		Remedies:   hogRemedies(),
		Explains:   related(nil, "sched-latency"),
		Follows:    "with as many processors as CPUs others could run beside it",
		IsQueue:    true,
		NeedsPlace: true,
		Run:        runSchedHog,
	}
}

// A cpuQueue is who waits for a processor in a trace, and who runs meanwhile.
type cpuQueue struct {
	trace  *traces.Summary
	from   []casefile.Basis
	waits  traces.GoroutineType // waits most
	runs   traces.GoroutineType // ran while most of the waiting happened
	share  float64              // of the waiting, while runs ran
	starve string               // why the operating system is to blame; "": it is not
}

// findCPUQueue finds the queue of a trace; ok is false if there is none worth knowing.
func findCPUQueue(r *Reading) (q cpuQueue, ok bool) {
	s, from := r.Trace()
	u := s.Use
	length := float64(u.Waited) / max(float64(s.Span), 1) / float64(max(s.Procs, 1))
	if length < schedQueue || float64(u.WaitedBesideIdle) > schedBeside*float64(u.Waited) {
		return q, false
	}
	q = cpuQueue{trace: s, from: from}
	var delayed time.Duration
	for _, g := range s.Goroutines {
		delayed += g.Delayed
		if g.Delayed > q.runs.Delayed {
			q.runs = g
		}
	}
	q.share = float64(q.runs.Delayed) / max(float64(delayed), 1)
	return q, true
}

// waiter is the goroutine type that waits most in all, of the program's own, without one.
func (q *cpuQueue) waiter(without string) bool {
	for _, g := range q.trace.Goroutines {
		if g.Name != without && !isRuntimes(g.Name) && g.Latency.Count >= schedWaits &&
			g.Latency.Total > q.waits.Latency.Total {
			q.waits = g
		}
	}
	return q.waits.Name != ""
}

// hog reports whether goroutines of one type, which serve no requests, keep the processors from the others.
func (q *cpuQueue) hog() bool {
	return q.share >= hogShare && q.runs.Runs.P99 >= hogStretch && !isRuntimes(q.runs.Name) &&
		!servesRequests(q.runs.Name) && !requestsStart(q.trace, q.runs.Name) && !q.ownConnections() && !q.perMessage()
}

// ownConnections reports whether what runs are the many connections of a server with a protocol of its own: each waits
// for what comes over the network, and calls nobody.
func (q *cpuQueue) ownConnections() bool {
	return q.runs.Spent.Network > 0 && float64(q.runs.Number) >= overloadQueue*float64(q.trace.Procs) &&
		!slices.ContainsFunc(q.trace.Blocking, func(w traces.Wait) bool {
			return typeOf(w.Stack) == q.runs.Name && slices.ContainsFunc(w.Stack, func(f traces.Frame) bool {
				return callOutOf(f.Function) != ""
			})
		})
}

// perMessage reports whether what runs is a goroutine for each message that another one reads from the network, as
// servers over UDP have it.
func (q *cpuQueue) perMessage() bool {
	started := func(c traces.GoroutinesFrom) bool {
		return c.Starts == q.runs.Name && len(c.Stack) > 0 && q.reads(c.Stack[len(c.Stack)-1].Function)
	}
	return q.runs.Life.Count >= overloadRequests && slices.ContainsFunc(q.trace.Created, started)
}

// reads reports whether goroutines of a type wait for the network.
func (q *cpuQueue) reads(name string) bool {
	return slices.ContainsFunc(q.trace.Goroutines, func(g traces.GoroutineType) bool {
		return g.Name == name && g.Spent.Network > 0
	})
}

// servesRequests reports whether a start function is that of a server's connections or streams.
func servesRequests(start string) bool {
	return known.Of(start).Does(known.ServesConn, known.OfHTTP2Server, known.OfHTTP2, known.OfGRPC)
}

// fedTrace reports whether the process is known to have had nearly all the CPU that its processors were busy for.
func fedTrace(r *Reading, s *traces.Summary) bool {
	used, known := r.Mean(vitals.CPU)
	return known && used >= schedFed*s.Use.Busy.Seconds()/max(s.Span.Seconds(), 1e-9)
}

// starvedTrace says why the process had less CPU than its processors were busy for; "" if it had not, or nobody knows.
func starvedTrace(r *Reading, s *traces.Summary) string {
	used, known := r.Mean(vitals.CPU)
	var ran time.Duration // a processor is busy in system calls, too, at first
	for _, g := range s.Goroutines {
		ran += g.Spent.Running + g.Spent.Assist
	}
	busy := ran.Seconds() / max(s.Span.Seconds(), 1e-9)
	if !known || used >= schedStarved*busy {
		return ""
	}
	return fmt.Sprintf("goroutines ran on %s, and the process got %s: a quota or other programs "+
		"took the rest, and the trace cannot show that", cores(busy), cores(used))
}

// starvedOr says why the operating system made the goroutines wait: by the CPU that the process got, or by the trace,
// if the process did not get nearly all that its processors were busy for.
func (q *cpuQueue) starvedOr(r *Reading) string {
	if q.starve = starvedTrace(r, q.trace); q.starve == "" && !fedTrace(r, q.trace) {
		q.starve = stalledTrace(q.trace, q.waits.Latency.P99)
	}
	return q.starve
}

// stalledTrace says that goroutines stood on their processors for longer than the runtime allows, and so long that it
// explains the waits; "" if they did not. Code in assembler can run so long, because it cannot be preempted.
func stalledTrace(s *traces.Summary, wait time.Duration) string {
	var longest time.Duration
	for _, g := range s.Goroutines {
		if len(g.RunsStack) == 0 || !strings.HasSuffix(g.RunsStack[0].File, ".s") {
			longest = max(longest, g.Runs.Max)
		}
	}
	if longest < stall || wait > stallWaits*longest {
		return ""
	}
	return fmt.Sprintf("a goroutine stood on its processor for %s, and the runtime takes it away after 10 to 20 ms: "+
		"the operating system ran something else meanwhile, which can explain waits of %s",
		seconds(longest.Seconds()), seconds(wait.Seconds()))
}

func runSchedLatency(_ context.Context, r *Reading) Answer {
	q, ok := findCPUQueue(r)
	switch {
	case !ok || q.hog() || isRuntimes(q.runs.Name) && q.share >= hogShare || !q.waiter(""):
		return Answer{}
	case q.starvedOr(r) != "":
		return undecided(q.starve, captureTrace+" on a machine with enough CPU")
	}
	lines, all := busyLines(r, q.trace)
	f := q.finding(lines, all, schedRemedies())
	if len(lines) > 0 && f.Where[0].Share >= 0.1 { // with less it says nothing of the whole
		f.Title = fmt.Sprintf("Goroutines wait for a processor, most while %s runs", tracedPlace(lines[0].At))
	}
	return found(f)
}

func runSchedHog(_ context.Context, r *Reading) Answer {
	q, ok := findCPUQueue(r)
	switch {
	case !ok || !q.hog() || !q.waiter(q.runs.Name):
		return Answer{}
	case q.starvedOr(r) != "":
		return undecided(q.starve, captureTrace+" on a machine with enough CPU")
	}
	lines, all := hogLines(r, &q)
	f := q.finding(lines, all, hogRemedies())
	f.Title = fmt.Sprintf("Goroutines of %s keep the processors from all others", short(q.runs.Name))
	f.Summary += fmt.Sprintf(" %s of that was while %s of %s ran, for up to %s at a time.", percent(q.share),
		things(float64(q.runs.Number), "goroutine"), short(q.runs.Name), seconds(q.runs.Runs.P99.Seconds()))
	return found(f)
}

// slicesLeast is how many time slices must have been used up before their lines say where the CPU goes. Requests that
// are done in less than one use up none, however many they are.
const slicesLeast = 20

// busyLines are the lines that keep the processors busy: those at which goroutines used up their time slices, or, where
// there are too few of these, those of the CPU profile.
func busyLines(r *Reading, s *traces.Summary) (lines []view.TracedSum, all time.Duration) {
	used := int64(0)
	for _, p := range s.Preempted {
		used += p.Times.Count
	}
	v := r.cpu()
	if used >= slicesLeast || v == nil || !v.enough() {
		return r.TracedLines(s.Preempted)
	}
	for _, e := range stacks.SumBy(v.set, v.weight, r.UserLine) {
		f := r.Frame(e.Key, 0, "")
		at := traces.Frame{Function: f.Function, File: f.File, Line: f.Line}
		lines = append(lines, view.TracedSum{At: at, Total: time.Duration(e.Value)})
	}
	return lines, time.Duration(v.total)
}

// hogLines are the line that starts the goroutines which keep the processors, if it is in the trace, and where they
// run.
func hogLines(r *Reading, q *cpuQueue) (lines []view.TracedSum, all time.Duration) {
	var own []traces.Site
	for _, s := range q.trace.Preempted {
		if slices.ContainsFunc(s.Stack, func(f traces.Frame) bool { return f.Function == q.runs.Name }) {
			own = append(own, s)
		}
	}
	if len(own) == 0 && len(q.runs.RunsStack) > 0 {
		own = []traces.Site{{Stack: q.runs.RunsStack, Times: q.runs.Runs}}
	}
	lines, all = r.TracedLines(own)
	for _, c := range q.trace.Created {
		if at, ok := r.TracedLine(c.Stack); ok && c.Starts == q.runs.Name {
			return append([]view.TracedSum{{At: at, Total: all, Starts: true}}, lines...), all
		}
	}
	return lines, all
}

// finding is what both kinds say.
func (q *cpuQueue) finding(lines []view.TracedSum, all time.Duration, remedies []Remedy) casefile.Finding {
	w, s := q.waits, q.trace
	f := casefile.Finding{
		Score:      schedLatencyScale().Score(w.Latency.P99.Seconds()),
		Confidence: Confidence(0.5, float64(w.Latency.Count)),
		Summary: fmt.Sprintf("Of %s waits of %s for a processor one in a hundred takes %s or more (mean %s); %s "+
			"on average for %s.", count(float64(w.Latency.Count)), short(w.Name), seconds(w.Latency.P99.Seconds()),
			seconds(w.Latency.Mean().Seconds()), queueText(s),
			things(float64(s.Procs), "processor")),
		Explanation: "All processors of the process (GOMAXPROCS) run goroutines, and the others wait in a queue. " +
			"What they wait for is there already: data that has arrived, a lock that is free. Every step of a " +
			"request that waits for something queues again.",
		Evidence: q.from,
	}
	for _, l := range lines[:min(3, len(lines))] {
		role := "runs meanwhile"
		if l.Starts {
			role = "starts what runs meanwhile"
		}
		f.Where = append(f.Where, tracedFrame(l.At, float64(l.Total)/max(float64(all), 1), role))
	}
	if len(lines) > 0 {
		f.Remedies = remediesAt(tracedPlace(lines[0].At), remedies...)
	}
	f.Summary += seenLate(s)
	f.Impact = q.impact()
	return f
}

// lateSeen is the mean from which it is told how late network events are seen: a tenth of what the runtime waits at
// most before it looks (sysmon, runtime/proc.go).
const lateSeen = time.Millisecond

// seenLate says how long data waits until the runtime looks for it, which is before its goroutine waits; "" if that is
// short.
func seenLate(s *traces.Summary) string {
	unseen := s.Scheduler.Unseen
	if unseen.Count < schedWaits || unseen.Mean() < lateSeen {
		return ""
	}
	return fmt.Sprintf(" Before that, what comes over the network waits up to %s on average to be seen.",
		seconds(unseen.Mean().Seconds()))
}

// queueText is how many goroutines wait, on average: "3.2 goroutines wait".
func queueText(s *traces.Summary) string {
	return tenths(s.Use.Waited.Seconds()/s.Span.Seconds()) + " goroutines wait"
}

// impact is the part of requests' time that is the queue, if there are requests.
func (q *cpuQueue) impact() casefile.Impact {
	all := tracedRequests(q.trace)
	if all.took == 0 {
		mean := q.waits.Latency.Mean()
		return casefile.Impact{Resource: "latency", Text: fmt.Sprintf("%s each time that a goroutine of %s is woken",
			seconds(mean.Seconds()), short(q.waits.Name))}
	}
	share := float64(all.queued) / float64(all.took)
	return casefile.Impact{Resource: "latency", Share: roundShare(share), Text: fmt.Sprintf(
		"%s of the time of requests is waiting for a processor", percent(share)),
		Gain: casefile.Gain{Low: roundShare(share / 3), High: roundShare(share),
			Arithmetic: "the waiting for a processor goes when the queue does; the requests' own running stays"}}
}

func schedRemedies() []Remedy {
	return []Remedy{
		byChange("", "Use less CPU there", "Let {line} do less, keep its result, or do it once: the largest part of the "+
			"CPU goes there. A CPU profile says on what.", "the work of finding it"),
		byChange("", "Let no more in than the processors can serve", "Bound how many run {line} at once (a channel of "+
			"GOMAXPROCS slots), and refuse or queue the rest before it has cost anything.", "some requests are "+
			"refused"),
		byValue("", "Give it more processors", "Raise the CPU limit, or start more instances. GOMAXPROCS follows "+
			"the limit since Go 1.25.", "machines"),
	}
}

func hogRemedies() []Remedy {
	return []Remedy{
		byChange("", "Bound how many run at once", "Let a fixed number of workers, a quarter of GOMAXPROCS, do the "+
			"work of {line}: the other processors stay free for requests.", "the work as a whole takes longer"),
		byChange("", "Do it elsewhere", "Move the work of {line} into a process of its own with a CPU limit of its "+
			"own.",
			"one more program to run"),
		byChange("", "Use less CPU there", "Take a CPU profile of {line}: what takes half of the time delays "+
			"others by half.",
			"the work of finding it"),
	}
}
