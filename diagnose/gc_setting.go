package diagnose

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
)

// settingLeads reports whether a setting makes the collector expensive: then its cost is not due to those who allocate.
func settingLeads(r *Reading) bool { return r != nil && r.pace().low != noSetting }

// settingDoesNot is the other case.
func settingDoesNot(r *Reading) bool { return !settingLeads(r) }

// gogcIsNot reports whether GOGC is not seen to be low.
func gogcIsNot(r *Reading) bool {
	return r == nil || r.pace().low != gogcIsLow && r.pace().low != eitherIsLow
}

// name is what makes cycles frequent: "GOGC=25", "A GOGC of about 25".
func (p *pace) name() string {
	switch {
	case p.low == limitIsNear:
		return "GOMEMLIMIT=" + mebibytes(p.limit)
	case p.low == eitherIsLow:
		return "A low GOGC or a memory limit"
	case p.stated:
		return "GOGC=" + gogcValue(p.gogc)
	}
	return "A GOGC of about " + gogcValue(p.gogc)
}

// summary says how it makes cycles frequent.
func (p *pace) summary() string {
	switch {
	case p.low == noSetting:
		return ""
	case p.atLeast > 0:
		return fmt.Sprintf(" Marking %s again and again takes at least %s times the CPU that GOGC=100 explains, at "+
			"this rate of allocation: GOGC is lower, or a memory limit is near.", size(p.live), times(p.atLeast))
	}
	return fmt.Sprintf(" With %s live the heap may grow by %s before the next cycle ends, and by %s at GOGC=100 "+
		"without a limit: cycles run %s times as often.", size(p.live), size(p.room()), size(p.roomAt(1)),
		times(p.more()))
}

// gogcValue writes a factor as the value of GOGC.
func gogcValue(factor float64) string {
	if factor >= gogcOff {
		return "off"
	}
	return fmt.Sprintf("%.0f", 100*factor)
}

func mebibytes(bytes float64) string { return fmt.Sprintf("%.0fMiB", bytes/(1<<20)) }

// times writes how many times as many there are of something.
func times(f float64) string {
	if f >= 10 {
		return fmt.Sprintf("%.0f", f)
	}
	return tenths(f)
}

// A tuning is a value for GOGC, and how many times less often cycles run with it.
type tuning struct {
	pace
	to    float64 // GOGC as a factor; 0 if no higher one fits the memory
	fewer float64
	limit float64 // of the cgroup; 0 without
	unset bool    // the process was started without GOGC
}

// Parts of a memory limit, and a share of the CPU.
const (
	heapOfLimit = 0.8  // that the heap may take: the rest is stacks, the runtime, peaks
	quietGC     = 0.08 // that a collector takes about which nobody asks
)

// tuningOf picks a GOGC at which cycles are rarer by the wanted factor, from 2 to 8, as far as it fits into memory.
// Where the memory is not known a heap that is not small may grow by half: a doubling of GOGC=100, or up to GOGC=100.
func tuningOf(r *Reading, wanted float64) tuning {
	t := tuning{pace: r.pace(), limit: float64(r.Limits.MemoryBytes), unset: r.settings.unset}
	now := t.gogc
	if now <= 0 {
		now = 1 // the value is for the case that nothing sets GOGC: remedy says so
	}
	t.to = now * min(max(math.Ceil(wanted), 2), 8)
	if t.live > 0 && t.live < tinyHeap {
		t.to = max(t.to, 4*now)
	}
	if t.low == gogcIsLow {
		t.to = max(t.to, 1)
	}
	switch {
	case t.live <= 0:
	case t.limit > 0:
		t.to = min(t.to, (heapOfLimit*t.limit-t.live)/(t.live+t.stacks))
	case t.live > smallHeap:
		t.to = min(t.to, max(2*min(now, 1), 1))
		if now >= 1 {
			t.to = 2 * now
		}
	}
	t.to = roundedGOGC(t.to)
	t.fewer = t.to / now
	if t.live > 0 && t.gogc > 0 {
		t.fewer = t.roomAt(t.to) / max(t.room(), 1)
	}
	if t.fewer < 1.5 {
		t.to, t.fewer = 0, 1
	}
	return t
}

// roundedGOGC is a value that a person would set, not above the factor: in steps of 5, 25 from 100 on, 100 from 400 on.
func roundedGOGC(factor float64) float64 {
	step := 0.05
	switch {
	case factor >= 4:
		step = 1
	case factor >= 1:
		step = 0.25
	}
	return math.Floor(factor/step+1e-9) * step
}

// remedy is the value, what it trades, and its price. share is what the collector takes of the CPU.
func (t *tuning) remedy(share float64) casefile.Remedy {
	if t.to <= 0 {
		return setValue("Give the process more memory, or make its live heap smaller", fmt.Sprintf("The live heap is "+
			"%s of a limit of %s: there is no room to collect less often.", size(t.live), size(t.limit)), "memory")
	}
	title := t.title()
	text := t.why() + t.trades(share)
	if t.limit > 0 {
		title += " and GOMEMLIMIT=" + mebibytes(0.9*t.limit)
		text += fmt.Sprintf(" GOMEMLIMIT at 90 %% of the limit of %s makes the collector work harder only when "+
			"memory runs short.", size(t.limit))
	}
	return withEnv(t.env(), setValue(title, text, t.price()))
}

// env are the variables that the remedy sets; "" where GOGC's present value is not known.
func (t *tuning) env() string {
	env := ""
	if t.gogc > 0 {
		env = "GOGC=" + gogcValue(t.to)
	}
	if t.limit > 0 {
		env += " GOMEMLIMIT=" + mebibytes(0.9*t.limit)
	}
	return strings.TrimSpace(env)
}

func (t *tuning) title() string {
	if t.gogc <= 0 {
		return fmt.Sprintf("GOGC × %s (%s if nothing sets it)", times(t.fewer), gogcValue(t.to))
	}
	return "GOGC=" + gogcValue(t.to)
}

// followMemory is the remedy that needs no number.
func followMemory() casefile.Remedy {
	return takePackage("Let GOGC follow the memory that is free", "github.com/gocasebook/casebook/remedy/gctune sets "+
		"GOGC and GOMEMLIMIT ten times a second from the container's limits and from the memory that other "+
		"processes in it use: no constant that can be wrong.",
		"memory: up to 90 % of the limit")
}

// why says what the value does, beside what is set now.
func (t *tuning) why() string {
	small := ""
	if t.live > 0 && t.live < smallHeap && t.low == noSetting {
		small = fmt.Sprintf("The live heap is small (%s), so cycles are frequent. ", size(t.live))
	}
	switch {
	case t.gogc <= 0 && t.unset:
		return small + fmt.Sprintf("Cycles run %s times less often. Its environment does not set GOGC: it is 100 "+
			"unless the program calls debug.SetGCPercent.", times(t.fewer))
	case t.gogc <= 0:
		return small + fmt.Sprintf("Cycles run %s times less often. The evidence does not show what GOGC is now.",
			times(t.fewer))
	case t.stated:
		return small + fmt.Sprintf("Cycles run %s times less often than at the %s that is set.", times(t.fewer),
			gogcValue(t.gogc))
	}
	return small + fmt.Sprintf("Cycles run %s times less often than at the %s or so that the heap's goal shows.",
		times(t.fewer), gogcValue(t.gogc))
}

// trades lists what values from GOGC=100 on cost and save against the present one: " Against now: GOGC=100 saves about
// 20 % of the CPU for 35 MiB more …". It is empty where the present one is not known.
func (t *tuning) trades(share float64) string {
	if t.gogc <= 0 || t.live <= 0 {
		return ""
	}
	var out []string
	for _, to := range []float64{1, 2, 4, 8} {
		saved := share * (1 - t.room()/t.roomAt(to))
		if saved < 0.005 || to < 1.2*t.gogc || len(out) == 3 || t.limit > 0 && t.goalAt(to) > heapOfLimit*t.limit {
			continue
		}
		out = append(out, fmt.Sprintf("GOGC=%s saves about %s of the CPU for %s more memory", gogcValue(to),
			number.Share(math.Round(100*saved)/100), size(t.roomAt(to)-t.room())))
	}
	if len(out) == 0 {
		return ""
	}
	return " Against now: " + strings.Join(out, "; ") + "."
}

func (t *tuning) price() string {
	if t.live <= 0 {
		return "memory: the heap grows to (1 + GOGC/100) times what is live"
	}
	price := fmt.Sprintf("memory: the heap grows to about %s", size(t.goalAt(t.to)))
	if t.gogc > 0 {
		price += fmt.Sprintf(", from %s at GOGC=%s", size(t.live+t.room()), gogcValue(t.gogc))
	}
	return price + fmt.Sprintf(" (live: %s)", size(t.live))
}

// raiseEither is the remedy where one of the two settings is low and it is not known which.
func (p *pace) raiseEither(share float64) casefile.Remedy {
	text := "A memory limit (GOMEMLIMIT, debug.SetMemoryLimit) or a low GOGC (debug.SetGCPercent) makes cycles run " +
		times(p.more()) + " times as often as at GOGC=100. A goal (NextGC at the end of heap?debug=1) that moves " +
		"with the live heap is GOGC's, one that stays is the limit's."
	if saved := share * (1 - 1/p.more()); saved > 0 {
		text += fmt.Sprintf(" Room as at GOGC=100 saves about %s of the CPU for %s more memory.",
			number.Share(math.Round(100*saved)/100), size(p.roomAt(1)-p.room()))
	}
	limit := "GOMEMLIMIT=" + mebibytes(limitFor(p.live))
	return withEnv(limit+" GOGC=100", setValue(limit+" or more, or GOGC=100: whichever is set lower now", text,
		fmt.Sprintf("memory: the heap grows to about %s", size(p.goalAt(1)))))
}

// limitFor is a memory limit with room for what is live: the same again before the next cycle, and a tenth of both for
// stacks and the runtime.
func limitFor(live float64) float64 { return math.Ceil(2.2*live/(64<<20)) * (64 << 20) }

// settingFirst moves the collector's finding before findings of what it costs those who allocate and keep objects, if a
// setting is its cause and changing it saves half of what they cost. A limit says how much memory there is: objects
// that need less of it are as much a cure as more of it.
func settingFirst(r *Reading, fs []casefile.Finding) {
	p := r.pace()
	i := slices.IndexFunc(fs, func(f casefile.Finding) bool { return slices.Contains(ofSetting(p.low), f.Kind) })
	if i < 0 {
		return
	}
	f := fs[i]
	yields := func(g casefile.Finding) bool { return p.yields(f, g) }
	if first := slices.IndexFunc(fs[:i], yields); first >= 0 {
		copy(fs[first+1:i+1], fs[first:i])
		fs[first] = f
	}
	for k := range fs {
		if g := &fs[k]; g.ID != f.ID && yields(*g) && !slices.Contains(g.CausedBy, f.ID) {
			g.Explanation += fmt.Sprintf(" Cycles run about %s times as often as they would at GOGC=100: change the "+
				"setting first (%s).", times(p.more()), f.Kind)
		}
	}
}

// ofSetting are the kinds that say it, the first that is found says it for all.
func ofSetting(s setting) []string {
	switch s {
	case noSetting:
		return nil
	case gogcIsLow:
		return []string{"gc-cpu", "gc-frequency"}
	}
	return []string{"gc-death-spiral", "gc-cpu", "gc-frequency"}
}

// yields reports whether a finding g comes after the setting's finding f.
func (p *pace) yields(f, g casefile.Finding) bool {
	if g.Kind == "gc-assist" {
		return true
	}
	alloc := strings.HasPrefix(g.ID, "AL")
	kept := g.Kind == "gc-pointer-heap" && p.low != limitIsNear
	return (alloc || kept) && 2*f.Impact.Gain.High >= g.Impact.Share
}
