package diagnose

import (
	"fmt"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// answersLine is what it tells that the process took seconds to answer: it has no CPU left, others have it, or it waits
// for something else. Nil of a process that answered at once.
func answersLine(r *Reading) *casefile.PictureLine {
	slowest := 0.0
	for i := range r.Vitals {
		for _, id := range [...]vitals.ID{vitals.ProbeTime, vitals.Unanswered} {
			if v, ok := r.Vitals[i].Get(id); ok {
				slowest = max(slowest, v)
			}
		}
	}
	if slowest < starvedProbe {
		return nil
	}
	return &casefile.PictureLine{Total: slowest, Unit: string(vitals.Seconds), File: "vitals",
		Places: []casefile.PicturePlace{},
		Text:   "took " + seconds(slowest) + "; " + whyLate(r)}
}

// usedUp is the part of the CPU it may use from which on nothing is left for an answer.
const usedUp = 0.8

// whyLate says what the CPU of a process that answers late tells.
func whyLate(r *Reading) string {
	used, known := r.Mean(vitals.CPU)
	may, of := mayUse(r)
	throttled, _ := r.Mean(vitals.Throttled)
	pressure, _ := r.Mean(vitals.CPUPressure)
	ready := ""
	if n := readyToRun(r); float64(n) > 2*max(may, 1) {
		ready = fmt.Sprintf(" and %s goroutines are ready to run", count(float64(n)))
	}
	const other = "the answer waited for something else: a lock, a stopped process, a full queue of connections"
	if v := r.machine(); v.standsStill() {
		return fmt.Sprintf("it used %s, and its threads hardly waited for a CPU: %s", cores(v.own), other)
	}
	level := fmt.Sprintf("it used %s of %s%s", cores(used), of, ready)
	switch {
	case !known || may == 0:
		return "its CPU is not known: it is overloaded, or waits for something"
	case throttled >= throttledShare:
		return fmt.Sprintf("its quota stopped it in %s of the periods: %s", percent(throttled), level)
	case used >= usedUp*may:
		return "its CPU is used up, and the answer waited for a turn: " + level
	case pressure >= starvedPressure:
		return fmt.Sprintf("%s, and for %s of the time at least one thread waited for a processor: it competes for "+
			"the CPU, with itself or with others", level, percent(pressure))
	}
	return level + ": CPU was left, so " + other
}

// mayUse is how many cores the process may use at once, and what bounds that; 0 if it is not known.
func mayUse(r *Reading) (may float64, of string) {
	may, of = r.Limits.CPUs, strings.TrimSuffix(cores(r.Limits.CPUs), " cores")
	if q := r.Limits.CPUQuota; q > 0 && (may == 0 || q <= may) {
		may, of = q, "a quota of "+cores(q)
	}
	if procs, ok := r.Mean(vitals.GoMaxProcs); ok && procs > 0 && (may == 0 || procs < may) {
		may, of = procs, "GOMAXPROCS "+count(procs)
	}
	return may, of
}
