package diagnose

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// neighbourScale is in shares of the time in which threads of the process could run and waited for a CPU. At a half the
// CPU of each request takes twice as long.
func neighbourScale() Scale { return Scale{Worth: 0.20, Hurts: 0.50, Top: 0.95} }

const (
	neighbourLeast = 0.20 // of the CPUs that the process may run on, which others use
	neighbourSpare = 0.25 // of these CPUs at most that nobody uses
	neighbourNamed = 0.70 // of what the others used is named, by three at most
	// the highest score while no request is known to wait: a line of the program that takes as much comes first
	neighbourUnfelt = 34
	neighbourOwn    = 0.10 // CPUs that the process uses at least where nobody is seen to wait for it
)

func cpuNeighbours() Detector {
	return Detector{
		ID:         "CPU020",
		Kind:       "cpu-neighbours",
		Title:      "Other processes take the CPU that the process needs",
		OtherNames: []string{"cpu-starved", "noisy-neighbour", "cpu-pressure"},
		Text: `Two services on one machine disturb each other: a build, a batch, a database or another container takes the
CPUs, and requests wait although the process uses little. A CPU profile shows what the process got, not what it lacked.

Reads what the machine's CPUs did while the process was profiled (evidence neighbours: /proc of all processes),
otherwise the signals others_cpu, spare_cpu and cpu_pressure, which name nobody. The score is that of the share of the time in
which threads of the process could run and waited for a CPU, as the kernel counts it for each thread
(/proc/PID/task/TID/schedstat): worth knowing from 20 %, hurting from 50 %. Others must have used a fifth or more of the
CPUs that the process may run on, a quarter of these at most may have been spare. It is a notice of 34 at most unless
users wait: the median of ten requests a second or more is 10 ms or the 99th percentile 50 ms, and half as much again as
before. Latencies that high from the beginning count from a waiting of half the time. Where nothing is known of requests,
the process must use a tenth of a CPU, or the sampler is answered late, or each turn of a thread waits 5 ms; and what
it uses and what its threads wait must be a tenth of a CPU. Where requests are known to be on time it says nothing.

Who took most is named: the processes of a job together, by how much they used and their niceness. Casebook itself and
what the process has started itself are no neighbours. A quota that stops the process is cpu-quota, a hypervisor that
takes the CPUs is cpu-steal, and what the process takes from itself is none of these.
Where most requests in progress wait at one line for something else than the processor, it says nothing: a share of the
time in which threads could run is none of the time that requests take. Where one line of the program takes half of what
the process uses, that line comes first.

Limits: what ended before the capture is not named; inside a container only its own processes are seen, and on a target
elsewhere none.

What it can save is bounded: of the time of requests no more than the threads that wait, divided by the requests in
progress (their rate times what one takes). Without a rate no gain is named, and it is a notice at most. A process that
this one has connected to is its back end and no neighbour: its CPU is what this one asks for.`,
		Needs: []Need{{Kinds: []string{casefile.Neighbours, casefile.Vitals}, Reason: "no account of the machine's " +
			"CPUs",
			Capture: captureWatch}},
		Before: "go build ./... beside the service, on the same two CPUs",
		After:  "systemd-run --scope -p CPUWeight=10 go build ./...   # or on another machine",
		// Locks, queues and spikes are the program's own as well, on a busy machine, too: this explains none of them
		// away.
		Explains:       []Relation{{Kind: "sched-latency", When: func(r *Reading) bool { return !ownLine(r) }}},
		IsWholeProcess: true,
		Follows:        "what runs is late when others have the CPU",
		Joins:          behindOwn,
		Run:            runCPUNeighbours,
	}
}

func runCPUNeighbours(_ context.Context, r *Reading) Answer {
	v := r.machine()
	if !v.crowded() || stopped(r) || crowdedByWaits(r) {
		return Answer{}
	}
	late := v.userWait(r)
	score := neighbourScale().Score(v.waiting)
	share, rated := felt(r, v.threads)
	switch {
	case late.onTime || !v.measured && late.sign == "": // the pressure may be the machine's
		return Answer{}
	case late.sign == "" && v.own < neighbourOwn: // an idle process waits for its few turns, too
		return Answer{}
	case !late.users && v.standsStill(): // nor is it why that is silent
		return Answer{}
	case !late.users && elsewhereTripped(r): // a neighbour takes no memory of this process, and starts no goroutine
		return Answer{}
	case !late.users:
		score = min(score, neighbourUnfelt)
	case !v.measured || !rated:
		score = min(score, capNotice)
	case !late.rose: // as late from the beginning: then only as much of it as the waiting can be
		score = min(score, neighbourScale().Score(share))
	}
	if score < worthKnowing {
		return Answer{}
	}
	who := v.neighbours()
	f := casefile.Finding{
		Title: v.title(who), Score: score, Confidence: v.confidence(who), Summary: v.summary(who, late.sign),
		Explanation: "A thread that can run and has no CPU waits, and whoever waits for what it does. The operating " +
			"system divides the CPUs among all that want them; what one process gets falls with what the others take. " +
			"The process's own profile shows the CPU that it got.",
		Where:    []casefile.Frame{{Function: "the process as a whole", Share: 1}},
		Remedies: v.remedies(who),
		Evidence: v.basis(r),
		Impact:   v.impact(r),
	}
	if late.sign == "" {
		f.Explanation += " Nobody is seen to wait for its answers."
	}
	return found(f)
}

// ownPart is the part of the process's CPU that work at one of its places must take to be read before a neighbour that
// nobody waits for, where no more is known of its cure than of any; ownGarbage that of the garbage, where what that costs
// is not known.
const (
	ownPart    = 0.25
	ownGarbage = 0.5
)

// behindOwn puts a neighbour for which nobody is seen to wait behind what can be changed at a place of the program,
// whoever else is on the machine.
func behindOwn(r *Reading, own *casefile.Finding, all, _ []casefile.Finding) {
	if own.Score > neighbourUnfelt {
		return
	}
	for _, f := range all {
		placed := f.ID != own.ID && len(f.Where) > 0 && f.Where[0].Line > 0 && len(f.Remedies) > 0 &&
			f.Impact.Resource != effectLatency // what waits may wait for the neighbour
		much := f.Impact.Resource == effectCPU && f.Impact.Share >= ownPart ||
			r.costs().cpu == nil && ofGarbage(f) >= ownGarbage
		if placed && (much || f.Remedies[0].Name != generalRemedy) {
			own.Score = min(own.Score, max(f.Score-1, worthKnowing)) // as low as f it is behind it: byScoreWorkLast
		}
	}
}

// ofGarbage is the part of the garbage that a finding says it makes.
func ofGarbage(f casefile.Finding) (share float64) {
	for _, c := range f.Costs {
		if c.Of == casefile.Garbage {
			share = max(share, c.Share)
		}
	}
	return share
}

// crowded reports whether others use the CPUs that the process may run on, and next to nothing is spare.
func (v *machineView) crowded() bool {
	return v != nil && v.other >= neighbourLeast*v.cpus && v.spare <= neighbourSpare*v.cpus && v.steal < v.other
}

// standsStill reports whether a process neither uses CPU nor waits for it.
func (v *machineView) standsStill() bool {
	return v != nil && v.measured && v.own+v.threads < neighbourOwn
}

// lacksCPU reports whether the threads of a process wait for CPUs that others use, so that it uses less than it needs.
func lacksCPU(r *Reading) bool {
	v := r.machine()
	return v.crowded() && v.measured && v.own >= neighbourOwn && neighbourScale().Score(v.waiting) >= worthKnowing
}

// ownLine reports whether one line takes half of what the process uses or more.
func ownLine(r *Reading) bool {
	v := r.cpu()
	if v == nil {
		return false
	}
	if _, stop := v.judge(); stop {
		return false
	}
	h := r.hottest()
	return h != nil && h.share >= lineIsAll
}

// elsewhereTripped reports whether rules tripped, all of them by what no neighbour moves: memory, goroutines, threads,
// files.
func elsewhereTripped(r *Reading) bool {
	return inTrouble(r) && !slices.ContainsFunc(r.Triggers, func(t casefile.Trigger) bool {
		c, ok := tripOf(t)
		return ok && !slices.Contains([]tripClass{ofHeld, ofOffHeap, ofAllocs, ofWaits, ofThreads, ofFiles}, c)
	})
}

// impact is the waiting of threads as a share of what requests take, if both are known. The pressure of a machine says
// that somebody waits, and not for how long this process does.
func (v *machineView) impact(r *Reading) casefile.Impact {
	i := casefile.Impact{Resource: "latency", Text: fmt.Sprintf("others used %s of the CPUs",
		percent(min(v.other/max(v.cpus, 1e-9), 1)))}
	share, rated := felt(r, v.threads)
	switch {
	case v.measured && rated:
		i.Share = roundShare(share)
		i.Text = percent(share) + " at most of the time of requests is waiting for a CPU"
		i.Gain = casefile.Gain{Low: roundShare(share * v.other / max(v.other+v.own, 1e-9)), High: roundShare(share),
			Arithmetic: fmt.Sprintf("%s threads wait for a CPU on average, divided by the requests in progress; at "+
				"the low end the process still waits for itself", tenths(v.threads))}
	case v.measured:
		i.Text = fmt.Sprintf("%s of its threads wait for a CPU on average", tenths(v.threads))
	}
	return i
}

// crowdedOut reports whether threads of the process wait for a CPU, because of others, for most of the time in which
// they could run. Then a goroutine that has a lock waits for a CPU with it.
func crowdedOut(r *Reading) bool {
	v := r.machine()
	return v != nil && v.measured && v.waiting >= crowdedWaiting && v.other > v.own && v.spare <= neighbourSpare*v.cpus
}

// crowdedWaiting is where waiting for a CPU hurts (neighbourScale).
const crowdedWaiting = 0.50

// stopped reports whether a quota stops the process: its threads then wait with CPUs idle.
func stopped(r *Reading) bool {
	throttled, known := meanIn(troubledVitals(r), vitals.Throttled)
	return known && throttled >= throttledShare
}

// confidence is high where the kernel counted the waiting, and a process is named.
func (v *machineView) confidence(who []casefile.ProcessUse) float64 {
	switch {
	case !v.measured:
		return 0.6
	case len(who) == 0:
		return 0.8
	}
	return 0.95
}

// neighbours are the processes that took most of what others took, the first first; none where none is seen to.
func (v *machineView) neighbours() []casefile.ProcessUse {
	all := slices.Clone(v.use.Others)
	slices.SortStableFunc(all, func(a, b casefile.ProcessUse) int { return cmp.Compare(v.presses(b), v.presses(a)) })
	sum := 0.0
	for _, o := range all {
		sum += v.presses(o)
	}
	var out []casefile.ProcessUse
	named := 0.0
	for _, o := range all {
		p := v.presses(o)
		if p < neighbourLeast/4*v.cpus || named >= neighbourNamed*sum || len(out) == 3 {
			break
		}
		out, named = append(out, o), named+p
	}
	return out
}

// presses is how much of a neighbour's CPU is taken from the process, relative to others: all of it at the same
// niceness, a tenth at ten more (the kernel's weight falls by a fifth with each; sched(7)). Between cgroups, and
// between sessions where the kernel divides among these first, nice decides nothing.
func (v *machineView) presses(o casefile.ProcessUse) float64 {
	if o.Casebook || o.Child || o.Server || o.Elsewhere {
		return 0
	}
	cpu := min(o.CPU(), v.other)
	if o.Kernel || !o.SameGroup || v.use.Autogroup && !o.SameSession {
		return cpu
	}
	return cpu * min(math.Pow(1.25, float64(v.use.Own.Nice-o.Nice)), 1)
}

// called is how people find a neighbour: "process 4711 (postgres)", "process 42 (compile, of go 40)".
func called(o casefile.ProcessUse) string {
	switch {
	case o.Kernel:
		return "the kernel's " + o.Name
	case o.Job != "":
		return fmt.Sprintf("process %d (%s, of %s %d)", o.PID, o.Name, o.Job, o.JobPID)
	case o.Processes > 1:
		return fmt.Sprintf("process %d (%s, one of %s)", o.PID, o.Name, count(float64(o.Processes)))
	}
	return fmt.Sprintf("process %d (%s)", o.PID, o.Name)
}

// title is short enough for the verdict, too.
func (v *machineView) title(who []casefile.ProcessUse) string {
	names, took := "Other processes", v.other
	if len(who) > 0 {
		names, took = upperFirst(calledShort(who[0])), 0
		for _, o := range who {
			took += o.CPU()
		}
	}
	if len(who) > 1 {
		names += " and others"
	}
	return fmt.Sprintf("%s took %s while this one waited", names, v.of(min(took, v.other)))
}

// calledShort is a neighbour's name without its job.
func calledShort(o casefile.ProcessUse) string {
	if o.Kernel {
		return called(o)
	}
	return fmt.Sprintf("process %d (%s)", o.PID, o.Name)
}

// of writes an amount of CPU as a part of what the process may run on: "1.4 of 2 CPUs".
func (v *machineView) of(cpu float64) string {
	return fmt.Sprintf("%s of %s", strings.TrimSuffix(strings.TrimSuffix(cores(cpu), " cores"), " core"),
		things(v.cpus, "CPU"))
}

func (v *machineView) summary(who []casefile.ProcessUse, late string) string {
	text := fmt.Sprintf("Of the %s that the process may run on it used %s, others used %s, and %s.",
		things(v.cpus, "CPU"), cores(v.own), cores(v.other), v.left())
	for _, o := range who {
		text += fmt.Sprintf(" %s used %s%s.", upperFirst(called(o)), cores(o.CPU()), v.belongs(o))
	}
	if len(who) == 0 {
		text += v.nobody()
	}
	if v.measured {
		text += fmt.Sprintf(" Its threads waited for %s of the time in which they could run.", percent(v.waiting))
	}
	if late != "" {
		text += " " + upperFirst(late) + "."
	}
	return text
}

// left is what nobody used.
func (v *machineView) left() string {
	if v.spare < 0.02*v.cpus {
		return "nothing was left"
	}
	return cores(v.spare) + " stayed idle"
}

// belongs says where a neighbour is at home, and how it is weighed.
func (v *machineView) belongs(o casefile.ProcessUse) string {
	var out []string
	switch {
	case o.Container != "":
		out = append(out, "container "+o.Container)
	case o.Unit != "":
		out = append(out, o.Unit)
	}
	if o.Nice != 0 {
		out = append(out, fmt.Sprintf("nice %d", o.Nice))
	}
	if o.Read+o.Written >= 10<<20 {
		out = append(out, fmt.Sprintf("%s/s from and to disks", size(o.Read+o.Written)))
	}
	if len(out) == 0 {
		return ""
	}
	return " (" + strings.Join(out, ", ") + ")"
}

// nobody says why no neighbour has a name.
func (v *machineView) nobody() string {
	switch {
	case v.file == "":
		return " Who that was is not known: the processes were not captured."
	case v.use.Unseen >= v.other/2:
		return fmt.Sprintf(" Processes that cannot be seen from here used %s: those of other containers, or what "+
			"lived for moments. `top` on the machine itself shows them.", cores(v.use.Unseen))
	}
	return " No single one took much."
}

func (v *machineView) basis(r *Reading) []casefile.Basis {
	if v.file != "" {
		return []casefile.Basis{{File: v.file, Kind: casefile.Neighbours, Text: fmt.Sprintf("the machine's CPUs and "+
			"processes over %s", seconds(v.use.Seconds))}}
	}
	return []casefile.Basis{{File: "vitals", Kind: casefile.Vitals,
		Text: things(float64(len(troubledVitals(r))), "sample") + " of the machine's CPUs"}}
}
