package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// What moves with what is not yet what leads. Where the vitals show that one signal moves before another (vitals.Lead),
// the picture of a trip says so, and a link of a chain says whether it agrees.

const (
	leadMost  = 30 * time.Second // a longer lead is seldom one: what else may have happened meanwhile
	leadShown = 2
)

// A leader is a signal that moves before another one.
type leader struct {
	id vitals.ID
	vitals.Lead
}

// ledBy says which signals move before one by which a rule tripped.
func ledBy(r *Reading, name string) []string {
	id, ok := r.catalog.Lookup(name)
	if !ok || id.Trails() {
		return nil
	}
	var out []string
	for _, l := range leaders(r, id) {
		out = append(out, fmt.Sprintf("%s moves %s before it (%s)", r.catalog.Signal(l.id).Name, seconds(l.By.Round(time.Millisecond).Seconds()),
			leadBasis(l.Lead)))
	}
	return out
}

// leaders are the signals that move before one, the most certain first, and of those that measure the same thing one.
func leaders(r *Reading, of vitals.ID) []leader {
	own, ok := vitals.NewTrack(r.Vitals, of)
	if !ok {
		return nil
	}
	var others []vitals.ID
	for i := range r.catalog.Len() {
		if id := vitals.ID(i); id != of && mayLead(r, id, of) {
			others = append(others, id)
		}
	}
	var found []leader
	for _, id := range others {
		t, ok := vitals.NewTrack(r.Vitals, id)
		if !ok {
			continue
		}
		// That two levels change within half a minute is often a coincidence, when so many signals are asked.
		if l, ok := t.Leads(&own, leadMost, len(others)); ok && l.By > 0 && l.Lag != nil {
			found = append(found, leader{id, l})
		}
	}
	slices.SortStableFunc(found, func(a, b leader) int { return cmp.Compare(a.Lag.Chance, b.Lag.Chance) })
	var out []leader
	for _, l := range found {
		if len(out) < leadShown && !slices.ContainsFunc(out, func(o leader) bool { return sameThing(r, o.id, l.id) }) {
			out = append(out, l)
		}
	}
	return out
}

// mayLead reports whether it would say anything that one signal leads another one: limits do not move, and what
// measures the same thing is not its cause.
func mayLead(r *Reading, id, of vitals.ID) bool {
	name := r.catalog.Signal(id).Name
	return !id.Trails() && id != vitals.ProbeTime && id != vitals.Unanswered && classOf(name) != ofLimit &&
		!sameThing(r, id, of)
}

// sameThing reports whether two signals measure the same, or parts of it.
func sameThing(r *Reading, a, b vitals.ID) bool {
	x, y := r.catalog.Signal(a).Name, r.catalog.Signal(b).Name
	class := classOf(x)
	if class != classOf(y) || class == ofOthers {
		return false
	}
	family := func(name string) string { return name[:strings.IndexByte(name+"_", '_')] }
	return class != ofLate || family(x) == family(y)
}

// leadBasis says what a lead is known by.
func leadBasis(l vitals.Lead) string {
	var texts []string
	if l.Lag != nil {
		texts = append(texts, fmt.Sprintf("rank correlation %.2f of %s, chance %s", l.Lag.R,
			things(float64(l.Lag.N), "step"), chanceText(l.Lag.Chance)))
	}
	if l.Shifted {
		texts = append(texts, "its level changed first")
	}
	return strings.Join(texts, "; ")
}

// chanceText is "below 1 in 10,000".
func chanceText(p float64) string {
	switch {
	case p <= 1e-6:
		return "below 1 in a million"
	case p <= 1e-4:
		return "below 1 in 10,000"
	}
	return "below 1 in 100"
}

// orderOf says whether the vitals agree that one signal follows from another one; "" if they show no order.
func orderOf(r *Reading, cause, effect vitals.ID) string {
	if cause == effect || cause.Trails() || effect.Trails() {
		return ""
	}
	a, ok1 := vitals.NewTrack(r.Vitals, cause)
	b, ok2 := vitals.NewTrack(r.Vitals, effect)
	if !ok1 || !ok2 {
		return ""
	}
	l, ok := a.Leads(&b, leadMost, len(consequences()))
	switch {
	case !ok:
		return ""
	case l.By > 0:
		return fmt.Sprintf("; %s moved %s before (%s)", cause, seconds(l.By.Seconds()), leadBasis(l))
	}
	return fmt.Sprintf("; but %s moved %s after it (%s), which speaks against this link", cause,
		seconds((-l.By).Seconds()), leadBasis(l))
}

// ownSignal is the signal that a finding itself moves; ok is false if none is so close to it.
func ownSignal(f casefile.Finding) (id vitals.ID, ok bool) {
	for _, of := range []struct {
		prefix string
		id     vitals.ID
	}{
		{"gc-", vitals.GCCPU}, {"alloc-", vitals.AllocRate}, {"lock-", vitals.MutexWait}, {"cpu-quota", vitals.Throttled},
		{"cpu-neighbours", vitals.OthersCPU}, {"cpu-steal", vitals.MachineSteal}, {"cpu-", vitals.CPU},
		{"goroutine-", vitals.Goroutines}, {"mem-", vitals.HeapLive}, {"thread-", vitals.Threads},
		{"connection-leak", vitals.OpenFiles}, {"fd-limit", vitals.OpenFiles}, {"sched-", vitals.SchedLatencyP99},
		{"overload", vitals.HTTPRate}, {"io-fsync", vitals.DiskAwait}, {"io-log", vitals.WriteCalls},
	} {
		if strings.HasPrefix(f.Kind, of.prefix) {
			return of.id, true
		}
	}
	return 0, false
}
