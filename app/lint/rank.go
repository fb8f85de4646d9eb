package lint

import (
	"cmp"
	"iter"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/heat"
)

// rank joins reports with their heat, adds what detectors found, sorts them by what they may save, and folds the rest.
func (r *Request) rank(f, detected []Report, res *Result) {
	files, known := make(sources), byName(func(c *Check) string { return c.Name })
	all := f[:0:0]
	for i := range f {
		rep := f[i]
		src := files.of(rep.File)
		if src.generated {
			res.Written++
			continue
		}
		rep.Text = src.line(rep.Line)
		if c := known[rep.Check]; r.Heat != nil {
			r.heat(&rep, c, src)
			if r.Stale != nil {
				rep.Stale = r.Stale(rep.File)
			}
		} else if c.OnlyHot && !r.Every {
			continue
		}
		all = append(all, rep)
	}
	all = onePerProgram(onePerLock(all, known), known)
	slices.SortStableFunc(all, byGain)
	res.All = r.merge(oneSays(all, known), known)
	for _, rep := range detected {
		src := files.of(rep.File)
		switch rep.Text = src.line(rep.Line); {
		case src.generated:
			res.Written++
		case rep.Check == "alloc-map-temp" && isKept.MatchString(rep.Text): // it is not for one use
		default:
			res.All = joined(res.All, rep)
		}
	}
	slices.SortStableFunc(res.All, byGain)
	r.fold(res, known)
}

// isKept is a line whose value goes into a field or an element, or to the caller.
var isKept = regexp.MustCompile(`^\s*(return\b|[\w.\[\]]*[.\]][\w.]*\s*=[^=]|\w+:\s)`)

func byGain(a, b Report) int {
	return cmp.Or(cmp.Compare(b.Gain, a.Gain), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
		cmp.Compare(a.Column, b.Column))
}

// joined adds what a detector found, unless a check reports the same line, or one that is found twice: a check knows what
// to write instead.
func joined(all []Report, rep Report) []Report {
	same := slices.IndexFunc(all, func(r Report) bool {
		return r.File == rep.File && r.Line <= rep.Line && rep.Line <= r.End && r.Gain >= MinShare
	})
	if same < 0 {
		return append(all, rep)
	}
	if kept := &all[same]; kept.Check != rep.Check && !slices.Contains(kept.Also, rep.Check) {
		kept.Also = append(kept.Also, rep.Check)
		slices.Sort(kept.Also)
	}
	return all
}

// heat adds what a report costs.
func (r *Request) heat(rep *Report, c *Check, src *source) {
	lines, cost := heat.Cost{}, heat.Cost{}
	var sizes []int64
	for _, at := range c.where(rep, src) {
		sizes = append(sizes, r.Heat.Sizes(rep.File, at[0], at[1])...)
		there := r.Heat.Lines(rep.File, at[0], at[1])
		lines = plus(lines, there)
		if c = c.of(rep); len(c.Calls) > 0 {
			there = r.spent(c, rep.File, at)
		}
		if (c.Quiet || c.Loud) && c.Quiet == (r.Heat.Below(rep.File, at[0], at[1], writes) != (heat.Cost{})) {
			there = heat.Cost{}
		}
		cost = plus(cost, there)
	}
	if c.Fills && len(sizes) == 1 || c.Least > 0 && len(rep.Related) == 0 && r.averageObject(cost) < c.Least {
		cost = heat.Cost{} // it never grew: what it has room for at once was enough
	}
	if c.Alone && strings.Contains(rep.Text, "append(") {
		cost[heat.AllocBytes] = 0
	}
	if c.Works && !r.holdsUp(rep) || c.Queue && !r.queues(rep) {
		cost = heat.Cost{}
	}
	rep.Cost, rep.Lines = make(map[string]float64), r.shares(lines)
	for _, m := range c.By {
		if !r.Heat.Has(m) {
			continue
		}
		rep.Cost[m.String()] = round(cost[m])
		if cost[m] > rep.Share && cost[m]*r.Heat.Total(m).Samples >= minSamples {
			rep.Share, rep.By = round(cost[m]), m.String()
		}
	}
	rep.Gain = round(rep.Share * c.saves())
}

// What work under a lock must be, so that it is why others wait: a part of the CPU between Lock and Unlock, and so many
// goroutines that wait for it on average.
const (
	partOfWork = .3
	leastQueue = .02
)

// held is the section that a report is about, from a Lock to its Unlock in the same file.
func (rep *Report) held() (at Place, ok bool) {
	if len(rep.Related) == 0 || rep.Related[0].File != rep.File {
		return Place{}, false
	}
	return rep.Related[0], true
}

// holdsUp reports whether the lines of a report are what others wait for, who wait for the related ones.
func (r *Request) holdsUp(rep *Report) bool {
	held, ok := rep.held()
	queue, known := r.Heat.Waiters(rep.File, held.Line, held.End)
	own, all := r.Heat.Lines(rep.File, rep.Line, rep.End)[heat.CPU], r.Heat.Lines(rep.File, held.Line, held.End)[heat.CPU]
	return ok && own > 0 && own >= partOfWork*all && (!known || queue >= leastQueue)
}

// queues reports whether goroutines wait noticeably for the lock that a report is about, and for what is done under it: a
// short one at which readers wait for others to read is blamed for these.
func (r *Request) queues(rep *Report) bool {
	held, ok := rep.held()
	queue, known := r.Heat.Waiters(rep.File, min(held.Line+1, held.End), held.End)
	return ok && known && queue >= leastQueue && r.Heat.Lines(rep.File, held.Line, held.End)[heat.CPU] >= MinShare
}

// onePer keeps one of the reports that something puts together, the best, where the first of them was.
func onePer[K comparable](all []Report, key func(*Report) (K, bool),
	better func(rep, kept *Report) bool) (out []Report) {
	best := make(map[K]int)
	for i := range all {
		k, of := key(&all[i])
		at, some := best[k]
		switch {
		case !of:
			out = append(out, all[i])
		case !some:
			best[k] = len(out)
			out = append(out, all[i])
		case better(&all[i], &out[at]):
			out[at] = all[i]
		}
	}
	return out
}

// onePerLock keeps, of reports of work under a lock between the same Lock and Unlock, the one with the most CPU.
func onePerLock(all []Report, known map[string]*Check) []Report {
	return onePer(all, func(rep *Report) (lock Place, ok bool) {
		if c := known[rep.Check]; c == nil || !c.Works || len(rep.Related) == 0 {
			return Place{}, false
		}
		return rep.Related[0], true
	}, func(rep, kept *Report) bool {
		cpu := heat.CPU.String()
		return rep.Gain > 0 && (kept.Gain == 0 || kept.Lines[cpu] < rep.Lines[cpu])
	})
}

// onePerProgram keeps, of the reports of a check whose calls count wherever they are made, the one whose own lines ran most:
// each has all of the cost.
func onePerProgram(all []Report, known map[string]*Check) []Report {
	ran := func(rep *Report) (most float64) {
		for _, share := range rep.Lines {
			most = max(most, share)
		}
		return most
	}
	return onePer(all, func(rep *Report) (check string, ok bool) {
		c := known[rep.Check]
		return rep.Check, c != nil && c.Reach == InProgram && rep.Gain > 0
	}, func(rep, kept *Report) bool { return ran(kept) < ran(rep) })
}

// oneSays leaves out that others wait for a lock where another report says for what.
func oneSays(all []Report, known map[string]*Check) []Report {
	said := make(map[Place]bool)
	lock := func(rep *Report) (at Place, queue, ok bool) {
		c := known[rep.Check]
		if c == nil || !c.Related || len(rep.Related) == 0 {
			return Place{}, false, false
		}
		at = rep.Related[0]
		at.Message = ""
		return at, c.Queue, true
	}
	for i := range all {
		if at, queue, ok := lock(&all[i]); ok && !queue && counts(all[i]) {
			said[at] = true
		}
	}
	return slices.DeleteFunc(all, func(rep Report) bool {
		at, queue, ok := lock(&rep)
		return ok && queue && said[at]
	})
}

// averageObject is how many bytes the objects of a cost have on average; 0 where that was not measured.
func (r *Request) averageObject(c heat.Cost) float64 {
	objects := c[heat.AllocObjects] * r.Heat.Total(heat.AllocObjects).Value
	if objects <= 0 {
		return 0
	}
	return c[heat.AllocBytes] * r.Heat.Total(heat.AllocBytes).Value / objects
}

// of is a check with the function that counts for a report, if its diagnostics name it.
func (c *Check) of(rep *Report) *Check {
	if !c.Named || len(rep.Related) == 0 {
		return c
	}
	own := *c
	own.Calls = []string{rep.Related[0].Message}
	return &own
}

// writes reports whether a function of a stack writes something out, or formats a record of a log to do so.
func writes(name string, _ iter.Seq[string]) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	return !begins(name, []string{"fmt.", "strings.", "bytes.", "strconv.", "encoding/"}) &&
		slices.Contains([]string{"Write", "write", "Output", "output", "Handle"}, last)
}

// shares are a cost by the names of its measures.
func (r *Request) shares(c heat.Cost) map[string]float64 {
	out := make(map[string]float64)
	for _, m := range heat.Measures() {
		if r.Heat.Has(m) {
			out[m.String()] = round(c[m])
		}
	}
	return out
}

// spent is what the calls cost that a check is about.
func (r *Request) spent(c *Check, file string, at [2]int) heat.Cost {
	sum := func(called func(string, iter.Seq[string]) bool) heat.Cost {
		switch c.Reach {
		case InProgram:
			return r.Heat.Anywhere(called)
		case AtUses, InFile:
			return r.Heat.Below(file, at[0], at[1], called)
		default:
			return r.Heat.Calls(file, at[0], at[1], called)
		}
	}
	if len(c.Unless) > 0 && r.Heat.Anywhere(c.forbids) != (heat.Cost{}) {
		return heat.Cost{}
	}
	out, allocated := sum(c.calls), sum(c.allocates)
	for _, m := range []heat.Measure{heat.AllocBytes, heat.AllocObjects, heat.LiveBytes} {
		out[m] = allocated[m]
	}
	return out
}

// minSamples is how many samples a share needs. Fewer are on a line by chance: one of a profile of 25 is 4 %.
const minSamples = 3

// where returns the first and last lines that pay for a report.
func (c *Check) where(rep *Report, src *source) [][2]int {
	held, ok := rep.held()
	switch {
	case c.Queue && ok:
		// Who waits at the Lock waits for whoever holds it, here or elsewhere; what is behind it is what others wait for.
		return [][2]int{{min(held.Line+1, held.End), held.End}}
	case c.Related && ok:
		return [][2]int{{held.Line, held.End}}
	case c.Reach == InFile:
		return [][2]int{{1, math.MaxInt32}}
	case (c.Reach == AtUses || c.Fills) && len(rep.Related) > 0:
		return uses(rep)
	case c.Fills: // what stays empty costs at its declaration, and no size makes that cheaper
		if lines := src.fills(rep.Line); len(lines) > 0 {
			return lines
		}
	}
	return [][2]int{{rep.Line, rep.End}}
}

// uses are the lines that a report calls related, each once.
func uses(rep *Report) (out [][2]int) {
	for _, p := range rep.Related {
		if at := [2]int{p.Line, p.End}; p.File == rep.File && !slices.Contains(out, at) {
			out = append(out, at)
		}
	}
	return out
}

func plus(a, b heat.Cost) heat.Cost {
	for k := range a {
		a[k] = min(a[k]+b[k], 1)
	}
	return a
}

// round keeps what of a share a profile can tell.
func round(share float64) float64 { return math.Round(share*1e5) / 1e5 }

// calls reports whether a check counts what is spent in a function, and in what that called.
func (c *Check) calls(name string, below iter.Seq[string]) bool {
	if c.Quiet && strings.HasSuffix(name, ".String") {
		return true // a text that is made for the log
	}
	for _, begin := range c.Calls {
		if begin == "" && name == "" || begin != "" && strings.HasPrefix(name, begin) {
			return c.within(below)
		}
	}
	return false
}

// forbids reports whether a function shows that a check does not hold.
func (c *Check) forbids(name string, _ iter.Seq[string]) bool { return begins(name, c.Unless) }

func (c *Check) within(below iter.Seq[string]) bool {
	for name := range below {
		// Names without a dot are of the runtime's assembly: memeqbody, indexbytebody.
		if begins(name, c.Without) || len(c.Within) > 0 && strings.Contains(name, ".") && !begins(name, c.Within) {
			return false
		}
	}
	return true
}

// begins reports whether a name begins with one of some texts.
func begins(name string, with []string) bool {
	return slices.ContainsFunc(with, func(begin string) bool { return strings.HasPrefix(name, begin) })
}

// allocates reports likewise of a heap profile, which leaves out the functions of the runtime that allocate
// (runtime/pprof/protomem.go): the line itself allocates then.
func (c *Check) allocates(name string, below iter.Seq[string]) bool {
	ofRuntime := func(begin string) bool {
		return strings.HasPrefix(begin, "runtime.") || strings.HasPrefix(begin, "internal/runtime/")
	}
	if slices.Contains(c.Keeps, name) && !calls(below) {
		return false
	}
	return c.calls(name, below) || name == "" && slices.ContainsFunc(c.Calls, ofRuntime)
}

// calls reports whether a function called any other but the runtime's.
func calls(below iter.Seq[string]) bool {
	for name := range below {
		if strings.Contains(name, ".") && !strings.HasPrefix(name, "runtime.") {
			return true
		}
	}
	return false
}

// merge puts reports of one line that are about the same calls into one, that of the check which is listed first.
func (r *Request) merge(all []Report, known map[string]*Check) []Report {
	type at struct {
		file string
		line int
	}
	kept := make(map[at][]int)
	out := all[:0:0]
	for _, rep := range all {
		key := at{rep.File, rep.Line}
		same := slices.IndexFunc(kept[key], func(i int) bool {
			return alike(known[out[i].Check], known[rep.Check])
		})
		if same < 0 {
			kept[key] = append(kept[key], len(out))
			out = append(out, rep)
			continue
		}
		// Of two that count the one that is listed first knows better what to write; the hotter one comes first.
		if i := kept[key][same]; known[rep.Check].order < known[out[i].Check].order && counts(out[i]) == counts(rep) {
			rep.Also = append(out[i].Also, out[i].Check)
			out[i] = rep
		} else {
			out[i].Also = append(out[i].Also, rep.Check)
		}
	}
	for i := range out {
		slices.Sort(out[i].Also)
		out[i].Also = slices.DeleteFunc(slices.Compact(out[i].Also), func(s string) bool { return s == out[i].Check })
	}
	return out
}

// counts reports whether a report saves enough to be listed.
func counts(rep Report) bool { return rep.Gain >= MinShare }

// alike reports whether two checks are about some of the same calls.
func alike(a, b *Check) bool {
	return a == b || slices.ContainsFunc(a.Calls, func(x string) bool {
		return x != "" && slices.ContainsFunc(b.Calls, func(y string) bool {
			return y != "" && (strings.HasPrefix(x, y) || strings.HasPrefix(y, x))
		})
	})
}

// fold takes out what the baseline knows, and counts what is cold.
func (r *Request) fold(res *Result, known map[string]*Check) {
	left := r.Baseline.begin(res.Root)
	cold := make(map[string]int)
	for _, rep := range res.All {
		switch {
		case r.Heat != nil && rep.Gain < MinShare:
			if c := known[rep.Check]; c != nil && !c.OnlyHot {
				cold[rep.Check]++
			}
		case left.takes(&rep):
			res.Known++
		default:
			rep.Rank = len(res.Reports) + 1
			res.Reports = append(res.Reports, rep)
		}
	}
	for check, n := range cold {
		res.Cold = append(res.Cold, Count{check, known[check].Source, n})
	}
	slices.SortFunc(res.Cold, func(a, b Count) int {
		return cmp.Or(cmp.Compare(b.Reports, a.Reports), cmp.Compare(a.Check, b.Check))
	})
}
