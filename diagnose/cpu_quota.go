package diagnose

import (
	"context"
	"fmt"
	"math"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// quotaScale is in shares of the periods in which the quota was used up before the end. From a tenth on, one request in
// ten meets one; the built-in rule trips at a quarter.
func quotaScale() Scale { return Scale{Worth: 0.10, Hurts: 0.25, Top: 0.90} }

// shortStall is how long a used-up quota may stop a process in a period before more than a few of its requests notice.
const shortStall = 0.015 // s

func cpuQuota() Detector {
	return Detector{
		ID:         "CPU019",
		Kind:       "cpu-quota",
		Title:      "The CPU quota stops the process",
		OtherNames: []string{"cpu-throttled", "cpu-pressure"},
		Text: `A cgroup's quota (limits.cpu in Kubernetes, --cpus in Docker) is CPU time in each period of 100 ms.
When it is used up, every thread stands still until the next period, whatever else the machine does (kernel
documentation, scheduler/sched-bwc.rst; 100 ms is the default of cpu.max and of cpu.cfs_period_us, which runtimes of
containers keep). Several threads use it up together: with a quota of 1 and 4 busy threads after 25 ms, and 75 ms are
lost. The mean use may lie far below the quota, and neither a CPU profile nor the runtime's own metrics show it.

Judges the share of periods in which that happened (nr_throttled / nr_periods) around the trouble: worth knowing from
10 %, hurting from 25 %. A notice at most if the process serves nobody that could wait, as a batch job does that is
meant to use all it gets, or if it stands still for less than 15 ms of such a period.

How many cores would do: in a second in which a share p of the periods was throttled, and u CPUs on average had
something to run and were held back (throttled_time), the process wanted q + u/p cores in those periods. With more
cores Q the same work needs p·q/Q of the periods, and with q + u/p none. The number given brings the share below 5 %
over all seconds. It is what the process would use at most: what waits is counted in each period in which it waits.

The remedies follow the numbers. Where the quota is used up on average too, only more CPU or less work helps. Where it
is used up in bursts, fewer processors make it last (GOMAXPROCS; since Go 1.25 it follows the quota, but not below 2),
or a larger limit lets them pass, which costs nothing on average. Where the collector takes much of it, its cycles are
the bursts: it may use a quarter of GOMAXPROCS while it marks, and all that is idle (runtime/mgcpacer.go). Findings
that would free as much CPU as is missing are named as causes.`,
		Needs: []Need{{Kinds: []string{casefile.Vitals}, Reason: "no vitals",
			Why: "a profile does not show that a process is stopped", Capture: captureWatch}},
		Before:         "limits.cpu: 500m, GOMAXPROCS 16: 16 threads use up 50 ms of CPU in 3 ms, and wait for 97",
		After:          "limits.cpu: 2 with GOMAXPROCS 2: the quota lasts for the whole period",
		IsWholeProcess: true,
		Joins:          quotaCauses,
		Follows:        "without that work the quota would last for the whole period",
		Run:            runCPUQuota,
	}
}

func runCPUQuota(_ context.Context, r *Reading) Answer {
	u, ok := usedQuota(r)
	if !ok {
		return Answer{}
	}
	limit := noCap
	if !isAsked(r) || u.heldKnown && u.stall() < shortStall {
		limit = capNotice
	}
	score := min(quotaScale().Score(u.throttled), limit)
	if score < worthKnowing {
		return Answer{}
	}
	f := casefile.Finding{
		Title: fmt.Sprintf("The quota of %s stops the process in %s of the periods", cores(u.quota),
			percent(u.throttled)),
		Score:      score,
		Confidence: u.confidence(),
		Summary:    u.summary(),
		Explanation: "A quota is CPU time in each period of 100 ms. When the threads have used it up, all of them " +
			"stand still until the next period: requests, the collector, and the answers to health checks. Go's own " +
			"metrics and profiles do not show it.",
		Remedies: u.remedies(r),
		Evidence: []casefile.Basis{{File: "vitals", Kind: casefile.Vitals, Text: things(float64(u.n), "sample") +
			" of the cgroup's cpu.stat"}},
	}
	if !isAsked(r) {
		f.Explanation += " Nobody is seen to wait for an answer of this process. If it is a batch job that is meant " +
			"to use all it gets, this is not a problem."
	}
	if v := r.cpu(); v != nil && v.samples >= pictureTicks { // a small quota leaves no room for more
		f.Evidence = addBasis(f.Evidence, Basis(v.set))
		f.Summary += collectorsPart(v)
		for _, e := range top(stacks.SumBy(v.set, v.weight, r.OwnLine), 3) {
			f.Where = append(f.Where, r.Frame(e.Key, float64(e.Value)/v.total, "takes the CPU"))
		}
	}
	if c := u.withCycles(); c != "" {
		f.Summary += " " + c
	}
	if len(f.Where) == 0 {
		f.Where = []casefile.Frame{{Function: "the process as a whole", Share: 1}}
	}
	f.Impact = casefile.Impact{Resource: "latency", Share: roundShare(u.throttled),
		Text: fmt.Sprintf("%s of the periods end early, each up to %s", percent(u.throttled), seconds(u.stall()))}
	if share, rated := felt(r, u.held()); rated && u.heldKnown {
		f.Impact.Share = roundShare(min(share, u.throttled))
		f.Impact.Gain = casefile.Gain{High: f.Impact.Share, Low: roundShare(max(min(share, u.throttled)-throttledShare, 0)),
			Arithmetic: fmt.Sprintf("with %s, where it has %s: %s threads are stopped on average, divided by the requests in "+
				"progress", cores(u.need()), cores(u.quota), tenths(u.held()))}
	}
	return found(f)
}

// collectorsPart is what the collector took of the quota.
func collectorsPart(v *cpuView) string {
	gc := v.ofAll(stacks.GCMark, stacks.GCIdle, stacks.GCAssist, stacks.GCSweep, stacks.GCOther)
	if gc < 0.05 {
		return ""
	}
	text := fmt.Sprintf(" The collector took %s of that CPU", percent(gc))
	if idle := v.ofAll(stacks.GCIdle); idle >= 0.02 {
		text += fmt.Sprintf(", %s of it on processors that had nothing else to run", percent(idle/gc))
	}
	return text + "."
}

// quotaPeriod is the kernel's default period.
const quotaPeriod = 0.1 // s

// A quotaUse is what a quota did to a process around the trouble.
type quotaUse struct {
	quota     float64 // cores
	used      float64 // cores, mean
	throttled float64 // share of the periods
	procs     float64 // GOMAXPROCS; 0 if it is not known
	byDefault bool    // procs follows from the Go version and the quota
	gcShare   float64 // of the CPU used
	heldKnown bool
	n         int // samples
	each      []quotaSecond
}

// A quotaSecond is one sample of it.
type quotaSecond struct {
	throttled float64 // share of the periods
	wanted    float64 // cores in throttled periods
	cycles    float64 // GC cycles a second
	cyclesOK  bool
}

// quotaSamples is how many samples a judgement needs.
const quotaSamples = 3

// usedQuota reads the vitals around the trouble: while the CPU was profiled, and from ten seconds before the trip on.
func usedQuota(r *Reading) (u quotaUse, ok bool) {
	u.quota = r.Limits.CPUQuota
	if u.quota <= 0 {
		return u, false
	}
	samples := troubledVitals(r)
	sumUsed, nUsed, sum := 0.0, 0, 0.0
	for i := range samples {
		s := &samples[i]
		share, known := s.Get(vitals.Throttled)
		if c, ok := s.Get(vitals.CPU); ok {
			sumUsed, nUsed = sumUsed+c, nUsed+1
		}
		if !known {
			continue
		}
		one := quotaSecond{throttled: min(share, 1), wanted: u.quota}
		if held, ok := s.Get(vitals.ThrottledCores); ok {
			u.heldKnown = true
			if share > 0 {
				one.wanted += held / share
			}
		}
		one.cycles, one.cyclesOK = s.Get(vitals.GCRate)
		u.each = append(u.each, one)
		sum += one.throttled
	}
	if u.n = len(u.each); u.n < quotaSamples {
		return u, false
	}
	u.throttled, u.used = sum/float64(u.n), sumUsed/math.Max(float64(nUsed), 1)
	u.procs, u.byDefault = processors(r)
	for i := range u.each {
		if u.procs > u.quota { // with fewer it is threads in system calls, or in C, that use it up
			u.each[i].wanted = min(u.each[i].wanted, u.procs)
		}
	}
	if v := r.cpu(); v != nil && v.samples >= pictureTicks {
		u.gcShare = v.gcShare()
	}
	return u, true
}

// confidence is high where the kernel says what was held back.
func (u *quotaUse) confidence() float64 {
	if u.heldKnown && u.n >= 2*quotaSamples {
		return 0.95
	}
	return 0.8
}

// peak is how many cores the process wanted in throttled periods, on average.
func (u *quotaUse) peak() float64 {
	sum, weight := 0.0, 0.0
	for _, s := range u.each {
		sum, weight = sum+s.wanted*s.throttled, weight+s.throttled
	}
	return max(sum/max(weight, 1e-9), u.quota)
}

// stall is how long of a throttled period the process stands still: its threads have used up the quota after
// quota/peak of it.
func (u *quotaUse) stall() float64 {
	peak := u.peak()
	if !u.heldKnown && u.procs > 0 {
		peak = max(u.procs, u.quota) // at most
	}
	return quotaPeriod * (1 - u.quota/peak)
}

// held is how many threads the quota stops, on average.
func (u *quotaUse) held() (threads float64) {
	for _, s := range u.each {
		threads += (s.wanted - u.quota) * s.throttled
	}
	return threads / max(float64(u.n), 1)
}

// need is how many cores bring the share of throttled periods below throttledShare; 0 if that is not known.
func (u *quotaUse) need() float64 {
	if !u.heldKnown {
		return 0
	}
	step := max(u.quota/20, 0.05)
	for q := u.quota; ; q += step {
		sum := 0.0
		for _, s := range u.each {
			if q < s.wanted {
				sum += min(s.throttled*u.quota/q, 1)
			}
		}
		if sum <= throttledShare*float64(u.n) {
			return q
		}
	}
}

// missing is the part of the CPU that it wants that the process does not get; what findings would have to free.
func (u *quotaUse) missing() float64 {
	if need := u.need(); need > 0 {
		return 1 - u.quota/need
	}
	return 0
}

// saturated reports whether the quota is used up on average, too, and not only in bursts.
func (u *quotaUse) saturated() bool { return u.used >= 0.8*u.quota }

// summary is the numbers in a sentence or three.
func (u *quotaUse) summary() string {
	text := fmt.Sprintf("In %s of the periods of 100 ms the quota of %s was used up before the end; the process stood "+
		"still for up to %s of each. ", percent(u.throttled), cores(u.quota), seconds(u.stall()))
	if u.saturated() {
		text += fmt.Sprintf("It used %s on average: all it may.", cores(u.used))
	} else {
		text += fmt.Sprintf("It used %s on average: the quota is used up in bursts.", cores(u.used))
	}
	if u.used < 0.3*u.throttled*u.quota {
		text += " That is so little that other processes of its cgroup must use it up, such as a sidecar."
	}
	if u.procs > u.quota {
		how := ""
		if u.byDefault {
			how = " (what Go sets by itself for this quota)"
		}
		text += fmt.Sprintf(" GOMAXPROCS is %s%s.", count(u.procs), how)
	}
	if need := u.need(); need > 0 {
		text += fmt.Sprintf(" With %s at most, fewer than %s of the periods would be stopped.", cores(need),
			percent(throttledShare))
	}
	return text
}

// withCycles joins throttling and the collector's cycles on the axis of time; "" where it says nothing.
func (u *quotaUse) withCycles() string {
	var with, without []float64
	for _, s := range u.each {
		switch {
		case !s.cyclesOK:
		case s.cycles > 0:
			with = append(with, s.throttled)
		default:
			without = append(without, s.throttled)
		}
	}
	if len(with) < quotaSamples || len(without) < quotaSamples {
		return ""
	}
	a, b := mean(with), mean(without)
	if a < 2*b || a-b < 0.1 {
		return ""
	}
	return fmt.Sprintf("In seconds with a GC cycle it was %s of the periods, in others %s: the cycles are the bursts.",
		percent(a), percent(b))
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / max(float64(len(values)), 1)
}
