package diagnose

import (
	"fmt"
	"math"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// A cpuView is the CPU profile as detectors need it. Marking on idle CPUs is left out of the total: nothing else wanted
// that time, and with it the same service would look different on a quiet machine. Under a CPU quota it counts like any
// other CPU: there it uses up the rest of the quota in the period.
type cpuView struct {
	set     *stacks.Set
	weight  stacks.Weight // ns; 0 for idle marking
	total   float64       // ns, without idle marking
	samples float64       // the profiler's ticks, without idle marking
	idle    float64       // ns of idle marking; 0 under a quota
	yields  float64       // ns of the scheduler that are the background sweeper's
	class   [stacks.GCIdle + 1]float64
	level   level
	oneLine bool // one line has most, so that few samples are enough
}

// minCPUSamples is how many ticks a CPU profile needs before it is judged: 100 are one second of CPU at 100 Hz, and
// give a share of 30 % an error of ±9 points at 95 %.
const minCPUSamples = 100

// newCPUView merges the CPU profiles of the best phase; nil without any.
func newCPUView(r *Reading) *cpuView {
	set := stacks.Merge(r.Best(casefile.CPU))
	if set == nil {
		return nil
	}
	set = withBegun(r, set)
	v := &cpuView{set: set}
	ns := stacks.ByValue(set.Value("cpu", "nanoseconds"))
	ticks := stacks.ByValue(set.Value("samples", "count"))
	quota := r.Limits.CPUQuota > 0
	v.weight = func(s *stacks.Sample) int64 {
		if s.Class == stacks.GCIdle && !quota {
			return 0
		}
		return ns(s)
	}
	for i := range set.Samples {
		s := &set.Samples[i]
		w := float64(max(ns(s), 0))
		v.class[s.Class] += w
		if s.Class == stacks.GCIdle && !quota {
			v.idle += w
			continue
		}
		v.total += w
		v.samples += float64(max(ticks(s), 0))
	}
	v.countYields(r)
	v.level = cpuLevel(r, v)
	v.oneLine = v.isOneLine(r)
	return v
}

// yieldsOfSweep is how many times the CPU of the background sweeper the scheduler's work for its yields is at most. It
// yields after ten spans (runtime/mgcsweep.go, bgsweep), on a processor that has other work. In the seen profiles of
// lab/gains whose sweeper has ten samples or more, it was 1.1 to 3.5 times as much.
const yieldsOfSweep = 5

// countYields finds the scheduler's work for the background sweeper's yields. It is on a stack of its own and looks
// like that for runtime.Gosched, so that it is nobody's if anything in the evidence is in Gosched. No score of the
// collector counts it: their limits are for what is seen below the collector.
func (v *cpuView) countYields(r *Reading) {
	yields, sweep := 0.0, 0.0
	for i := range v.set.Samples {
		s := &v.set.Samples[i]
		switch w := float64(max(v.weight(s), 0)); {
		case isYield(r.Table, s.Stack):
			yields += w
		case r.Table.Has(s.Stack, withWork(known.SweepsBehind)):
			sweep += w
		}
	}
	if yields <= yieldsOfSweep*sweep &&
		!slices.ContainsFunc(r.Table.Funcs, func(f stacks.Func) bool { return f.Does(known.Yields) }) {
		v.yields = yields
	}
}

// share is the share of the total in samples of the given classes.
func (v *cpuView) share(classes ...stacks.Class) float64 {
	if v.total <= 0 {
		return 0
	}
	sum := 0.0
	for _, c := range classes {
		sum += v.class[c]
	}
	return sum / v.total
}

// gcAtMost is what the collector's share can be at most.
func (v *cpuView) gcAtMost() float64 { return atMost(v.gcShare(), v.samples) }

// allGCAtMost is the same with marking on idle CPUs, of all CPU.
func (v *cpuView) allGCAtMost() float64 {
	return atMost(v.ofAll(gcClasses()...), v.samples*(v.total+v.idle)/max(v.total, 1))
}

// atMost is the upper end of the 95 % interval (Wilson) of a share of some samples.
func atMost(p, n float64) float64 {
	if n <= 0 {
		return 1
	}
	const z = 1.96
	centre := p + z*z/(2*n)
	half := z * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return (centre + half) / (1 + z*z/n)
}

// gcShare is the collector's share, idle marking left out where it is free.
func (v *cpuView) gcShare() float64 {
	return v.markShare() + v.share(stacks.GCAssist, stacks.GCSweep, stacks.GCOther)
}

// markShare is the share of background marking, that on idle CPUs included where it is not free.
func (v *cpuView) markShare() float64 {
	if v.idle > 0 {
		return v.share(stacks.GCMark)
	}
	return v.share(stacks.GCMark, stacks.GCIdle)
}

// ofAll is the share of all CPU that the process used, idle marking included, in samples of the given classes: what
// go tool pprof shows, and what a proof measures.
func (v *cpuView) ofAll(classes ...stacks.Class) float64 {
	all := v.total + v.idle
	if all <= 0 {
		return 0
	}
	sum := 0.0
	for _, c := range classes {
		sum += v.class[c]
	}
	return sum / all
}

// judge says whether the profile allows a judgement. If stop is true the detector returns the answer: nothing for an
// idle process, undecided for a profile that is too short.
func (v *cpuView) judge() (answer Answer, stop bool) {
	if v.level.idle() {
		return Answer{}, true
	}
	if !v.enough() {
		beside := ""
		if v.idle > 0 {
			beside = " apart from the collector's marking on idle CPUs"
		}
		return undecided(fmt.Sprintf("the CPU profile %s has %s samples%s; %d are needed before shares mean anything",
			v.set.Name, count(v.samples), beside, minCPUSamples), captureCPU), true
	}
	return Answer{}, false
}

// A level is how much CPU the process used. The profile counts short bursts too low on virtual machines (measured: 31
// where /proc said 39), so the vitals' number is preferred.
type level struct {
	cores float64
	known bool
	from  string  // "CPU profile", "vitals"
	limit float64 // cores it may use; 0 when not known
	quota float64 // cores of the cgroup's quota; 0 without

	starved string // the sign that it needs more than it gets because others use the machine; "" without one
	bench   bool   // it is a benchmark's, which takes what CPU there is: cores say nothing, and known is false
}

func cpuLevel(r *Reading, v *cpuView) level {
	l := level{limit: r.Limits.CPUs, quota: r.Limits.CPUQuota}
	if v.set.Seconds > 0 {
		l.cores, l.known, l.from = (v.total+v.idle)/1e9/v.set.Seconds, true, "CPU profile"
	}
	if c, n := r.MeanDuring(vitals.CPU, v.set); n > 0 {
		l.cores, l.known, l.from = max(c, l.cores), true, "vitals"
	}
	l.starved = starved(r, v.set)
	if l.bench = isBenchmark(r.Table, v); l.bench {
		l.known = false
	}
	return l
}

// isBenchmark reports whether most of the user's CPU is below a benchmark of package testing.
func isBenchmark(t *stacks.Table, v *cpuView) bool {
	all, bench := int64(0), int64(0)
	for i := range v.set.Samples {
		s := &v.set.Samples[i]
		if _, u := t.UserFrame(s.Stack); u >= 0 {
			all += v.weight(s)
			if t.Has(s.Stack[u:], withWork(known.RunsBenchmark)) {
				bench += v.weight(s)
			}
		}
	}
	return bench > 0 && 2*bench >= all
}

// Levels of CPU use, in cores, below which a share of it is worth little.
const (
	idleCores  = 0.05 // all of it is 5 % of a core
	lightCores = 0.25 // worth knowing, not worth a warning
)

// tight reports whether the process uses half of its quota or more, or gets less than it needs: then it may lack even a
// tenth of a core.
func (l level) tight() bool { return l.starved != "" || l.quota > 0 && l.cores >= l.quota/2 }

func (l level) idle() bool { return l.known && l.cores < idleCores && !l.tight() }

// light reports whether so little is used that it is not worth a warning.
func (l level) light() bool { return l.known && l.cores < lightCores && !l.tight() }

// noticed reports whether a share of the CPU used is as much as a process must use to be judged. The collector of a
// tiny heap runs often and takes a large share of very little.
func (l level) noticed(share float64) bool {
	return !l.known || l.tight() || share*l.cores >= idleCores
}

// cap is the highest score that this level of use allows: from idle to light it rises to a notice.
func (l level) cap() int {
	switch {
	case !l.known:
		return capUnsure
	case l.starved != "":
		return capUnsure // a busy neighbour is part of the trouble
	case l.light():
		return int(capNotice * max(l.cores-idleCores, 0) / (lightCores - idleCores))
	}
	return noCap
}

// wasteCap is the highest score at this level of use for something that is always waste, and would score raw at a
// higher level: a warning then becomes a low notice, 25 to 35, for readers who want to know about little things.
func (l level) wasteCap(raw int) int {
	const sure, lowest = 50, worthKnowing
	if l.light() && !l.idle() && raw >= sure {
		return max(l.cap(), lowest+(raw-sure)*10/(100-sure))
	}
	return l.cap()
}

// saturated reports whether the process used 70 % or more of the CPU it may use.
func (l level) saturated() bool {
	limit := l.limit
	if l.quota > 0 {
		limit = l.quota
	}
	return l.known && limit > 0 && l.cores >= 0.7*limit
}

func (l level) String() string {
	if l.bench {
		return "it is a benchmark"
	}
	if !l.known {
		return "CPU use unknown (the profile has no duration)"
	}
	s := "it used " + cores(l.cores)
	if l.limit > 0 {
		s += " of " + number.Digits(l.limit)
	}
	return s
}
