package diagnose

import (
	"fmt"
	"math"

	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// A process that needs CPU while others take it uses little, and looks idle. The little that it uses then shows what it
// lacks.

// Signs that a process gets less CPU than it needs. Pressure alone is not a sign: without its own cgroup the pressure
// is the machine's, and an idle process next to a busy one would count as starved.
const (
	starvedPressure = 0.5 // of the time some thread waited for a processor
	starvedProbe    = 1.0 // s to answer the index of net/http/pprof, which normally takes a millisecond
	// Goroutines ready to run in one dump, per core that the process may use. In healthy services on a busy machine a
	// burst of requests had up to 27 (testdata). A service that exports all the time on such a machine had 120.
	starvedRun = 50
)

// starvedSamples is how many ticks the CPU profile of a starved process needs: it gets no more. They give a share of
// 50 % an error of ±14 points at 95 %.
const starvedSamples = 50

// lineSamples is how many ticks are enough where one function of the program has most of them for sure: of 20, 15 or
// more are half of the CPU at 95 %.
const lineSamples = 20

// enough reports whether the profile has the samples that shares need.
func (v *cpuView) enough() bool {
	return v.samples >= minCPUSamples || v.level.starved != "" && v.samples >= starvedSamples || v.oneLine
}

// isOneLine reports whether half of the CPU or more is below one line of the user's, or in one function of a benchmark,
// by the lower end of the 95 % interval of its share (Wilson).
func (v *cpuView) isOneLine(r *Reading) bool {
	if v.samples < lineSamples || v.samples >= minCPUSamples {
		return false
	}
	most := int64(0)
	for _, e := range stacks.SumBy(v.set, v.weight, r.UserLine) {
		most = max(most, e.Value)
	}
	if v.level.bench {
		for _, e := range stacks.SumBy(v.set, v.weight, func(s *stacks.Sample) (stacks.FuncID, bool) {
			id, u := r.Table.UserFrame(s.Stack)
			return r.Table.FuncID(id), u >= 0
		}) {
			most = max(most, e.Value)
		}
	}
	const z = 1.96
	p, n := float64(most)/max(v.total, 1), v.samples
	low := (p + z*z/(2*n) - z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))) / (1 + z*z/n)
	return low >= lineIsAll
}

// starved is the sign that a process needed more CPU than it got around the time of a CPU profile; "": no sign.
func starved(r *Reading, set *stacks.Set) string {
	pressure, n := r.MeanNear(vitals.CPUPressure, set)
	if n == 0 || pressure < starvedPressure {
		return ""
	}
	why := fmt.Sprintf("for %s of the time at least one thread waited for a processor", percent(pressure))
	if ready := readyToRun(r); r.Limits.CPUs > 0 && float64(ready) >= starvedRun*r.Limits.CPUs {
		return fmt.Sprintf("%s goroutines were ready to run on %s, and %s", count(float64(ready)), cores(r.Limits.CPUs),
			why)
	}
	probe, n := r.MeanNear(vitals.ProbeTime, set)
	silent, m := r.MeanNear(vitals.Unanswered, set)
	if late := max(probe, silent); n+m > 0 && late >= starvedProbe {
		return fmt.Sprintf("it took %s to answer, and %s", seconds(late), why)
	}
	return ""
}

// readyToRun is how many goroutines of a dump ran or were about to.
func readyToRun(r *Reading) int64 {
	set := r.Goroutines()
	if set == nil || set.Goroutines == nil {
		return 0
	}
	n := int64(0)
	for i := range set.Samples {
		if set.Wait(i) == stacks.WaitNothing && set.Runs(i) { // a system call runs, too
			n += set.Samples[i].Values[0]
		}
	}
	return n
}
