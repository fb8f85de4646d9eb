package diagnose

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
)

// collectorHeavy is the collector's share of the CPU from which its cycles are what to change first: while it marks it
// may use a quarter of GOMAXPROCS, so that a quarter of all CPU means that it marks all the time.
const collectorHeavy = 0.25

// remedies are in the order in which the numbers say they help.
func (u *quotaUse) remedies(r *Reading) []casefile.Remedy {
	limit, procs, code, gc := u.largerLimit(), u.fewerProcessors(r), u.cheaper(r), u.lessCollecting(r)
	var out []casefile.Remedy
	add := func(rs ...casefile.Remedy) {
		for _, one := range rs {
			if one.Title != "" {
				out = append(out, one)
			}
		}
	}
	lasts := u.procs > math.Ceil(u.quota) && u.quota >= 1 // with fewer processors the quota lasts for the period
	switch {
	case !u.saturated() && lasts:
		add(procs, limit, gc, code)
	case u.gcShare >= max(collectorHeavy, u.missing()): // without it the quota is enough
		add(gc, limit, code, procs)
	case u.saturated():
		add(limit, code, gc, procs)
	default:
		add(limit, procs, gc, code)
	}
	return out
}

// largerLimit is what it costs to let the bursts, or all of the demand, pass.
func (u *quotaUse) largerLimit() casefile.Remedy {
	title, much := "A larger CPU limit", "more than "+cores(u.quota)
	if need := u.need(); need > 0 {
		much = cores(math.Ceil(need*10-1e-6) / 10)
		title = "A CPU limit of " + much
	}
	text := fmt.Sprintf("limits.cpu in Kubernetes, --cpus in Docker, CPUQuota in systemd: %s where it is %s. ", much,
		cores(u.quota))
	if u.saturated() {
		return setValue(title, text+"What waits now is counted in each period in which it waits, so it may be less: "+
			"raise it, and look again.", "CPU of the machine, under load")
	}
	return setValue(title, text+fmt.Sprintf("It uses %s on average, and that stays: the limit only has to let the "+
		"bursts pass. Where it cannot be raised, cpu.max.burst (Linux 5.14) carries unused quota over.", cores(u.used)),
		"bursts may take CPU from neighbours; none on average")
}

// fewerProcessors makes the quota last longer in each period; nothing where there are not too many.
func (u *quotaUse) fewerProcessors(r *Reading) casefile.Remedy {
	n := max(math.Ceil(u.quota), 1)
	if u.procs <= n {
		return casefile.Remedy{}
	}
	text := fmt.Sprintf("%s threads use up the quota in %s of the period, %s in %s. ", upperFirst(count(u.procs)),
		seconds(quotaPeriod*u.quota/u.procs), count(n), seconds(min(quotaPeriod*u.quota/n, quotaPeriod)))
	switch {
	case followsQuota(r) && !u.byDefault:
		text += "Go 1.25 and later follow the quota by themselves: take the GOMAXPROCS of the environment, or the " +
			"call of runtime.GOMAXPROCS, away. "
	case u.byDefault:
		text += "Go sets 2 at least, whatever the quota is. "
	default:
		text += "Go before 1.25 takes the machine's CPUs: build with a newer one, or set the variable. "
	}
	if u.saturated() {
		text += "It gives no CPU: what stood still in the period waits in the process then."
	}
	set := "GOMAXPROCS=" + count(n)
	return withSets(set, setValue(set, text, "a burst, and a collection, take longer"))
}

// cheaper names the line that takes most.
func (u *quotaUse) cheaper(r *Reading) casefile.Remedy {
	text := "A CPU profile shows what takes the quota."
	if l := cpuLine(r); l != nil && hasPlaces(l) {
		text = "What takes the quota: " + l.Text + "."
	}
	if m := u.missing(); m > 0 {
		text += fmt.Sprintf(" %s less CPU would do as much as the larger limit.", percent(m))
	}
	return withName(cheaperRemedy, doChange("Make the work cheaper", text, "work on the code"))
}

// lessCollecting is for a collector that takes much of the quota.
func (u *quotaUse) lessCollecting(r *Reading) casefile.Remedy {
	if u.gcShare < collectorHeavy/2 {
		return casefile.Remedy{}
	}
	room, ok := roomierRemedy(r, u.gcShare)
	if !ok {
		t := tuningOf(r, u.gcShare/quietGC)
		room = t.remedy(u.gcShare)
	}
	text := fmt.Sprintf("The collector takes %s of the CPU. %s: %s Fewer allocations and fewer pointers in what lives "+
		"make each cycle cheaper.", percent(u.gcShare), room.Title, room.Text)
	return doChange("Let the collector run less often", text, room.Price)
}

// quotaCauses names the faults that would free as much CPU as is missing as causes, and in a remedy the finding that
// would free most.
func quotaCauses(r *Reading, own *casefile.Finding, all, faults []casefile.Finding) {
	u, ok := usedQuota(r)
	missing := u.missing()
	if !ok || missing <= 0 {
		return
	}
	frees := func(f casefile.Finding) float64 {
		if f.ID == own.ID || f.Impact.Resource != "cpu" || f.Score <= capNotice {
			return 0
		}
		return f.Impact.Gain.High
	}
	for _, f := range faults {
		if frees(f) >= missing && !slices.Contains(own.CausedBy, f.ID) {
			own.CausedBy = append(own.CausedBy, f.ID)
		}
	}
	if len(all) == 0 {
		return
	}
	most := slices.MaxFunc(all, func(a, b casefile.Finding) int { return cmp.Compare(frees(a), frees(b)) })
	i := slices.IndexFunc(own.Remedies, func(m casefile.Remedy) bool { return m.Name == cheaperRemedy })
	if i >= 0 && frees(most) > 0 {
		own.Remedies[i].Text += fmt.Sprintf(" %s (%s) would free %s.", most.ID, most.Title,
			number.Estimate(most.Impact.Gain.Low, most.Impact.Gain.High))
	}
}
