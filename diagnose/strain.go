package diagnose

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/cost"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// A profile shows that hashing, compressing or computing takes the CPU, not that it is a fault: it may be what the
// service is for. Such a finding is a notice unless something shows that the work hurts: the CPU is used up, or
// somebody waits for it. Kinds that name a wasteful way of working (compiling the same expression again, formatting
// what nobody reads) need no such sign.

// purposeText says in a detector's text what strain.go does.
const purposeText = "a notice at most unless the CPU is used up (70 % of what it may use, a throttled quota, " +
	"goroutines that wait 10 ms for a processor, late answers or a crowd of runnable goroutines on a machine that is " +
	"busy), its use is 50 % higher than in a profile from before the trouble, " +
	"or a queue waits for the work."

// Signs that a process lacks CPU.
const (
	throttledShare = 0.05 // of the periods of its quota: one request in twenty meets one
	waitToRun      = 0.01 // s, the 99th percentile: Go lets a goroutine run for 10 ms before another may
	lonelyCores    = 0.9  // where it is not known how much it may use: one thread is busy all the time
	grownUse       = 1.5  // times what it used before the trouble, and lightCores more
)

// strain says which sign shows that the process lacks CPU; "": none.
func strain(r *Reading) string {
	v := r.cpu()
	if v == nil {
		return ""
	}
	switch throttled, n := r.MeanDuring(vitals.Throttled, v.set); {
	case v.level.saturated():
		return v.level.String()
	case v.level.starved != "":
		return v.level.starved
	case v.level.known && v.level.limit == 0 && v.level.quota == 0 && v.level.cores >= lonelyCores:
		return v.level.String()
	case n > 0 && throttled >= throttledShare:
		return fmt.Sprintf("its quota stopped it in %s of the periods", percent(throttled))
	}
	if base, ok := usedBefore(r); ok && v.set.Seconds > 0 {
		if now := (v.total + v.idle) / 1e9 / v.set.Seconds; now >= grownUse*base && now >= base+lightCores {
			return fmt.Sprintf("it uses %s, and used %s before the trouble", cores(now), cores(base))
		}
	}
	if wait, n := r.MeanDuring(vitals.SchedLatencyP99, v.set); n > 0 && wait >= waitToRun {
		return fmt.Sprintf("goroutines wait %s for a processor (99th percentile)", seconds(wait))
	}
	if runnable, n := r.MeanDuring(vitals.GoroutinesRunnable, v.set); n > 0 && v.level.limit > 0 &&
		runnable >= v.level.limit {
		return fmt.Sprintf("%s goroutines wait for a processor", count(runnable))
	}
	return ""
}

// inVain reports whether a finding about work is known to be about none that anybody needs: compressing what does not
// become smaller, recording stacks that nobody reads.
func inVain(r *Reading, f casefile.Finding) bool {
	if r.cpu() == nil || r.costs().cpu == nil || len(f.Where) == 0 {
		return false
	}
	switch f.Kind {
	case "cpu-compression":
		return r.costs().stores()
	case hotFunction:
		return slices.ContainsFunc(r.spent().All, func(k *cost.Cost) bool {
			return k.Callers >= mostCallers && samePlace(r.Frame(k.Line, 0, ""), f.Where[0])
		})
	}
	return false
}

// samePlace reports whether two frames are one line.
func samePlace(a, b casefile.Frame) bool { return a.Function == b.Function && a.Line == b.Line }

// usedBefore is how many cores the process used before the trouble, by the CPU profiles from that time.
func usedBefore(r *Reading) (float64, bool) {
	ns, span := int64(0), 0.0
	for _, s := range r.Sets {
		if s.Kind == casefile.CPU && s.Phase == casefile.Before && s.Seconds > 0 {
			ns += s.Total(stacks.ByValue(s.Value("cpu", "nanoseconds")))
			span += s.Seconds
		}
	}
	return float64(ns) / 1e9 / max(span, 1e-9), span > 0
}

// waitedFor is the worst finding about goroutines that wait for the work of f: it names f as its cause, or f's
// function.
func (t relations) waitedFor(f casefile.Finding, fs []casefile.Finding) (worst casefile.Finding, ok bool) {
	for _, g := range fs {
		if t.kind(g.Kind).IsQueue && (slices.Contains(g.CausedBy, f.ID) || Mentioned(f, g)) &&
			(!ok || g.Score > worst.Score) {
			worst, ok = g, true
		}
	}
	return worst, ok
}

// weighPurposes turns findings about work that may be what the service is for into notices, unless a sign shows that it
// hurts. fs are related already; the order stays causes first.
func (t relations) weighPurposes(r *Reading, fs []casefile.Finding) []casefile.Finding {
	strain := strain(r)
	gone := make([]bool, len(fs))
	for i := range fs {
		f, d := &fs[i], t.kind(fs[i].Kind)
		if strain != "" || !d.IsWork || inVain(r, *f) || f.Impact.Resource != "cpu" {
			continue
		}
		if g, waits := t.waitedFor(*f, fs); waits {
			f.Score = min(f.Score, max(g.Score, capNotice)) // it hurts as much as the waiting for it
			continue
		}
		if v := r.cpu(); v != nil && v.level.light() && d.BusyOnly {
			gone[i] = true
			continue
		}
		if f.Score > capNotice {
			f.Score = capNotice
			f.Explanation += " Nothing shows that it hurts: the CPU is not used up, and nothing is seen to wait for " +
				"it. That makes it a notice. If this work is the purpose of the service, it is not a problem at all."
		}
	}
	fs = without(fs, gone)
	t.savedFirst(r, fs)
	return t.causesFirst(fs)
}

// savedFirst sorts by score, and gives the scores of findings about lines that take CPU, of one severity, to those
// first whose change surely saves most. That is one currency for all: an allocation counts with its part of the
// collector's
// work. A scale says from which share on a kind is a fault, and not which of two is worth more.
func (t relations) savedFirst(r *Reading, fs []casefile.Finding) {
	slices.SortStableFunc(fs, t.byScoreWorkLast)
	sure := func(f casefile.Finding) float64 {
		d := t.kind(f.Kind)
		guessed := d.row != nil && d.row.cap == capNotice
		if d.promise == nil || d.IsWholeProcess || guessed || f.Impact.Resource != effectCPU ||
			f.Impact.Gain.High <= 0 {
			return 0
		}
		low := d.promise(r, f.Impact).Gain.Low
		if d.IsWork || d.row == nil {
			low /= 2 // it may have to be done, as far as anybody knows
		}
		return low
	}
	for from := 0; from < len(fs); {
		var of []int // of one severity
		to := from
		for ; to < len(fs) && band(fs[to]) == band(fs[from]); to++ {
			if sure(fs[to]) > 0 {
				of = append(of, to)
			}
		}
		ranked := make([]casefile.Finding, 0, len(of))
		for _, i := range of {
			ranked = append(ranked, fs[i])
		}
		slices.SortStableFunc(ranked, func(a, b casefile.Finding) int { return cmp.Compare(sure(b), sure(a)) })
		for k, i := range of {
			ranked[k].Score = fs[i].Score
			fs[i] = ranked[k]
		}
		from = to
	}
}

// byScoreWorkLast puts work, of findings with one score, and a neighbour that is barely one (behindOwn), behind those
// that name a fault, or who waits for it.
func (t relations) byScoreWorkLast(a, b casefile.Finding) int {
	last := func(f casefile.Finding) bool {
		return t.kind(f.Kind).IsWork || f.Kind == "cpu-neighbours" && f.Score == worthKnowing
	}
	if a.Score != b.Score || last(a) == last(b) {
		return byScore(a, b)
	}
	if last(a) {
		return 1
	}
	return -1
}

// hotFunction is the kind under which an answer says that a process used too little CPU.
const hotFunction = "cpu-hot-function"

// underLoad is the answer when nothing was found in a process that used so little CPU that hardly anything could be
// found.
func underLoad(r *Reading) Answer {
	v := r.cpu()
	if v == nil || !v.level.known || v.level.cap() >= worthKnowing || isAsked(r) {
		return Answer{} // of what answers, that little is what its load takes
	}
	return undecided(fmt.Sprintf("the process used only %s while it was profiled: the profile does not show what "+
		"takes its CPU under load", cores(v.level.cores)),
		"capture again under load")
}
