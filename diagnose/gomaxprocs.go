package diagnose

import (
	"context"
	"fmt"
	"math"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/vitals"
)

// tooFewScale is the share of requests' time that they wait for a processor: at half of it each takes twice as long as
// it would.
func tooFewScale() Scale { return Scale{Worth: 0.1, Hurts: 0.5, Top: 1} }

// tooManyScale is the part of the time that goroutines ran in which no CPU was left for them: at 0.2 they take a fourth
// longer than the runtime believes, at 0.6 two and a half times as long.
func tooManyScale() Scale { return Scale{Worth: 0.2, Hurts: 0.6} }

// Limits of gomaxprocs-mismatch.
const (
	// tooMany is how many times the CPUs GOMAXPROCS must be: with one or two more than there are CPUs the kernel takes
	// turns among as many threads.
	tooMany = 2
	// tooManyRan is for how much of the time a goroutine must have run: an idle process has no harm of it.
	tooManyRan = 0.05
	procsBusy  = 0.7 // of GOMAXPROCS in use where no trace shows waits, or they are short: M/M/1 has a queue of 1.6
)

func gomaxprocsMismatch() Detector {
	return Detector{
		ID:         "SC005",
		Kind:       "gomaxprocs-mismatch",
		Title:      "GOMAXPROCS does not fit the CPUs that the process may use",
		OtherNames: []string{"one-core"},
		Text: `GOMAXPROCS is how many goroutines run at once. Go takes the CPUs of the process's mask, and since Go 1.25
its quota; the variable, or a call of runtime.GOMAXPROCS, overrides that. It is read from the execution
trace, from the runtime's settings, or from the variable; the CPUs are the mask's or the quota.

Too few: it is below the CPUs by one or more, and goroutines wait for a processor as sched-latency judges it. The
score is the share of requests' time that is this waiting: worth knowing from a tenth, hurting from half; at most 74
while one wait in a hundred is shorter than 100 ms, or where other programs want the CPUs (pressure of 50 %). Where it
is shorter than 10 ms it is a notice at most, if the processors are busy for 70 % of the time.
Without a trace: 70 % of its processors are in use, and goroutines wait 10 ms for one (p99); at most 74. A notice at
most if the process serves nobody.

Too many: it is at least twice the CPUs of a process without a quota (with one, cpu-quota says what it does), and
the trace shows more goroutines running at once than there are CPUs. The score is the part of their time that no CPU
was left for, worth knowing from 0.2: the kernel takes turns among the threads, in slices of milliseconds, and also
from one that holds a lock or that everybody waits for to stop the world; and the collector takes a quarter of
GOMAXPROCS. A notice at most: no evidence shows what that costs. A system call gives its processor to others, so
that calls that block need no more of them.`,
		Needs: []Need{{Kinds: []string{traces.KindSummary, casefile.Vitals},
			Reason: "no execution trace and no vitals", Capture: captureTrace}},
		Before:         "func main() { runtime.GOMAXPROCS(1) // the first instances had one CPU",
		After:          "func main() { // Go takes the CPUs that the process may use",
		Explains:       related(nil, "sched-latency", "sched-hog"),
		IsWholeProcess: true,
		Run:            runGOMAXPROCS,
	}
}

// A procsSet is what GOMAXPROCS is, and what it could be.
type procsSet struct {
	procs, cpus float64
	variable    string // the environment's value; "" if it sets none
	called      bool   // the variables are known, and set none: a call does
	trace       *traces.Summary
	from        []casefile.Basis
}

// setProcs is what is known of GOMAXPROCS; ok is false if that, or the CPUs, are not known.
func setProcs(r *Reading) (p procsSet, ok bool) {
	p.cpus = r.Limits.CPUs
	p.variable, p.called = r.settings.procsVar, r.settings.procsRead && r.settings.procsVar == ""
	p.trace, p.from = r.Trace()
	switch mean, known := r.Mean(vitals.GoMaxProcs); {
	case p.trace != nil && p.trace.Procs > 0:
		p.procs = float64(p.trace.Procs)
	case r.settings.procs > 0:
		p.procs = r.settings.procs
	case known:
		p.procs = math.Round(mean)
	}
	return p, p.procs > 0 && p.cpus > 0
}

func runGOMAXPROCS(_ context.Context, r *Reading) Answer {
	p, ok := setProcs(r)
	switch {
	case ok && p.procs <= p.cpus-1 && p.trace != nil:
		return p.tooFewTraced(r)
	case ok && p.procs <= p.cpus-1:
		return p.tooFewSampled(r)
	case ok && p.procs >= tooMany*p.cpus && r.Limits.CPUQuota == 0 && p.trace != nil:
		return p.tooMany()
	}
	return Answer{}
}

// tooFewTraced judges the queue in the trace.
func (p *procsSet) tooFewTraced(r *Reading) Answer {
	q, ok := findCPUQueue(r)
	if !ok || isRuntimes(q.runs.Name) && q.share >= hogShare || !q.waiter("") {
		return Answer{}
	}
	wait, impact := q.waits.Latency.P99.Seconds(), q.impact()
	brief := wait < schedLatencyScale().Worth
	if brief && (impact.Share == 0 || !p.busy()) {
		return Answer{}
	}
	if q.starvedOr(r) != "" {
		return undecided(q.starve, captureTrace+" on a machine with enough CPU")
	}
	score := schedLatencyScale().Score(wait)
	if impact.Share > 0 {
		score = tooFewScale().Score(impact.Share)
		impact.Gain = p.gain(impact.Share)
	}
	switch {
	case brief: // requests of a millisecond that wait for half of it
		score = min(score, capNotice)
	case wait < schedLatencyScale().Hurts || impact.Share == 0:
		score = min(score, capUnsure)
	}
	f := p.tooFew(r, score, fmt.Sprintf("Of %s waits of %s for a processor one in a hundred takes %s or more; %s on "+
		"average.", count(float64(q.waits.Latency.Count)), short(q.waits.Name), seconds(wait), queueText(p.trace)))
	f.Confidence = Confidence(0.5, float64(q.waits.Latency.Count))
	f.Impact = impact
	lines, all := busyLines(r, p.trace)
	for _, l := range lines[:min(3, len(lines))] {
		f.Where = append(f.Where, tracedFrame(l.At, float64(l.Total)/max(float64(all), 1), "runs while others wait"))
	}
	f.Evidence = p.from
	return enough(f)
}

// busy reports whether the processors are in use for most of the time.
func (p *procsSet) busy() bool {
	return float64(p.trace.Use.Busy) >= procsBusy*p.procs*float64(p.trace.Span)
}

// tooFewSampled judges how long goroutines wait by the vitals.
func (p *procsSet) tooFewSampled(r *Reading) Answer {
	wait, timed := r.Mean(vitals.SchedLatencyP99)
	used, known := r.Mean(vitals.CPU)
	if !timed || !known || used < procsBusy*p.procs {
		return Answer{}
	}
	f := p.tooFew(r, min(schedLatencyScale().Score(wait), capUnsure), fmt.Sprintf("Goroutines wait %s for a processor "+
		"(99th percentile), and the process uses %s.", seconds(wait), cores(used)))
	f.Confidence = 0.8
	f.Impact = casefile.Impact{Resource: "latency", Text: fmt.Sprintf("%s each time that a goroutine is woken (p99)",
		seconds(wait))}
	f.Evidence = []casefile.Basis{{File: "vitals", Kind: casefile.Vitals, Text: "gomaxprocs, cpu, sched_latency_p99"}}
	return enough(f)
}

// enough is a finding that is worth knowing, or none.
func enough(f casefile.Finding) Answer {
	if f.Score < worthKnowing {
		return Answer{}
	}
	if len(f.Where) == 0 {
		f.Where = []casefile.Frame{{Function: "the process as a whole", Share: 1}}
	}
	return found(f)
}

// tooFew is what both say. Other programs may want the CPUs that this one leaves idle.
func (p *procsSet) tooFew(r *Reading, score int, waits string) casefile.Finding {
	f := casefile.Finding{
		Title: fmt.Sprintf("GOMAXPROCS is %s, and the process may use %s", count(p.procs), p.cpuText()),
		Score: score,
		Explanation: "So many goroutines run at once, however many CPUs there are. What is ready beyond that waits, " +
			"and the other CPUs get nothing to do from this process.",
		Remedies: []casefile.Remedy{p.remedy(math.Ceil(p.cpus), "CPU that neighbours may use now; data races that one "+
			"processor hid")},
	}
	f.Summary = waits + " " + p.origin()
	if pressure, ok := r.Mean(vitals.CPUPressure); ok && pressure >= starvedPressure {
		f.Score = min(f.Score, capUnsure)
		f.Summary += fmt.Sprintf(" Others want the CPUs, too: for %s of the time some thread waited for one.",
			percent(pressure))
	}
	if !isAsked(r) && (p.trace == nil || tracedRequests(p.trace).number == 0) {
		f.Score = min(f.Score, capNotice)
		f.Explanation += " Nobody is seen to wait for an answer of this process: if it is meant to take its time, " +
			"this is not a problem."
	}
	return f
}

// gain is the waiting that goes. Where requests come as fast as they are answered, the queue moves faster by as many
// processors; where they come at their own pace it goes nearly whole (M/M/c).
func (p *procsSet) gain(share float64) casefile.Gain {
	faster := 1 - p.procs/p.cpus
	return casefile.Gain{Low: roundShare(share * faster), High: roundShare(share), Arithmetic: fmt.Sprintf(
		"the waiting for a processor: %s of it if the queue only moves as much faster, all if it goes",
		percent(faster))}
}

// tooMany judges how many goroutines ran at once.
func (p *procsSet) tooMany() Answer {
	ran, beyond, most := 0.0, 0.0, 0
	for n, took := range p.trace.Use.Running {
		ran += float64(n) * took.Seconds()
		beyond += max(float64(n)-p.cpus, 0) * took.Seconds()
		if took > 0 {
			most = n
		}
	}
	if ran < tooManyRan*p.trace.Span.Seconds() {
		return Answer{}
	}
	share := beyond / ran
	f := casefile.Finding{
		Title:      fmt.Sprintf("GOMAXPROCS is %s, and the process may use %s", count(p.procs), p.cpuText()),
		Score:      min(tooManyScale().Score(share), capNotice),
		Confidence: 0.9, // the setting is certain
		Summary: fmt.Sprintf("Up to %s ran at once. For %s of the time for which goroutines ran by the runtime's "+
			"account, there was no CPU for them. %s", things(float64(most), "goroutine"), percent(share), p.origin()),
		Explanation: "More processors than CPUs give no more CPU: the kernel takes turns among their threads, and " +
			"also takes the CPU from one that holds a lock or that all others wait for to stop the world. The " +
			"collector takes a quarter of GOMAXPROCS while it marks, and what starts a goroutine for each processor " +
			"starts more.",
		Impact: casefile.Impact{Resource: "latency", Text: fmt.Sprintf(
			"%s of the running of goroutines is waiting for the kernel", percent(share))},
		Remedies: []casefile.Remedy{p.remedy(max(math.Floor(p.cpus), 1), "none: a system call that blocks gives its "+
			"processor to others")},
		Evidence: p.from,
	}
	return enough(f)
}

// cpuText is "2 CPUs".
func (p *procsSet) cpuText() string {
	if p.cpus != math.Trunc(p.cpus) {
		return cores(p.cpus)
	}
	return things(p.cpus, "CPU")
}

// origin says who set it.
func (p *procsSet) origin() string {
	switch {
	case p.variable != "":
		return "The environment sets GOMAXPROCS=" + p.variable + "."
	case p.called:
		return "The environment does not set it: the program calls runtime.GOMAXPROCS, itself or in a package."
	}
	return "The environment sets it, or a call of runtime.GOMAXPROCS."
}

// remedy takes the setting away, or gives the value.
func (p *procsSet) remedy(n float64, price string) casefile.Remedy {
	take := "Take the variable GOMAXPROCS and calls of runtime.GOMAXPROCS away"
	switch {
	case p.variable != "":
		take = "Take GOMAXPROCS=" + p.variable + " out of the environment"
	case p.called:
		take = "Take the call of runtime.GOMAXPROCS away"
	}
	set := "GOMAXPROCS=" + count(n)
	return withSets(set, setValue(set, take+": Go then uses "+p.cpuText()+" by itself, and follows a quota "+
		"since Go 1.25. Where it must be set, "+count(n)+" fits.", price))
}
