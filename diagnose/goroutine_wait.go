package diagnose

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
	"github.com/gocasebook/casebook/internal/number"
)

// What a goroutine is for decides what its waiting means: a worker that waits for work is healthy, a request that waits
// for minutes is not.

// hasFrame reports whether a function of a stack begins with one of the prefixes.
func hasFrame(t *stacks.Table, stack []stacks.FrameID, prefixes ...string) bool {
	return t.Has(stack, func(f *stacks.Func) bool { return hasPrefix(f.Name, prefixes) })
}

func hasPrefix(name string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}

// awaitsToBeAsked reports whether a goroutine waits for a connection or a signal: it does no work, and holds nothing.
func awaitsToBeAsked(t *stacks.Table, stack []stacks.FrameID) bool {
	return t.Has(stack, withWork(known.AwaitsToBeAsked))
}

// numberOf is how many goroutines of a set are in piles of which something holds.
func numberOf(r *Reading, set *stacks.Set, holds func(*view.Pile) bool) (n int64) {
	for _, p := range r.Piles(set) {
		if holds(p) {
			n += p.N
		}
	}
	return n
}

// parked reports whether a wait is one that only other goroutines of the process can end.
func parked(w stacks.Wait) bool {
	return w.ForLock() || slices.Contains([]stacks.Wait{stacks.WaitReceive, stacks.WaitSend, stacks.WaitSelect,
		stacks.WaitCond, stacks.WaitGroup, stacks.WaitSemaphore, stacks.WaitUnknown}, w)
}

// A rise is how a number of goroutines changed between the first and the last capture.
type rise struct {
	before, after int64
	apart         time.Duration
	captures      int  // moments that were compared
	steadily      bool // no capture shows fewer than the one before
	significant   bool // more than random
	chance        float64
}

// rate says how fast it rises, per a unit of time no longer than the time observed.
func (g rise) rate() string {
	d, apart := float64(g.after-g.before), g.apart.Seconds()
	switch {
	case apart <= 0:
		return ""
	case g.apart >= 24*time.Hour:
		return count(math.Round(g.perDay())) + " a day"
	case g.apart >= time.Hour:
		return count(math.Round(d/apart*3600)) + " an hour"
	case d < apart && g.apart >= time.Minute:
		return count(math.Round(d/apart*60)) + " a minute"
	case d < apart:
		return "one in " + seconds(apart/max(d, 1))
	}
	return count(math.Round(d/apart)) + " a second"
}

// perDay is the rise per day.
func (g rise) perDay() float64 {
	if g.apart <= 0 {
		return 0
	}
	return float64(g.after-g.before) / g.apart.Hours() * 24
}

// riseLeast is the smallest rise that a few requests cannot explain at random.
const riseLeast = 10

// lapse is the time from one capture to another; 0 if one has no time. Text, a dump or a profile with debug=1, says
// none, and beside the year 1 everything is 106,752 days later.
func lapse(from, to *stacks.Set) time.Duration {
	if from.Taken.IsZero() || to.Taken.IsZero() {
		return 0
	}
	return to.Taken.Sub(from.Taken)
}

// riseOver follows a count over the moments.
func riseOver(r *Reading, count func(*stacks.Set) int64) rise {
	sets := r.Moments()
	if len(sets) < 2 {
		return rise{}
	}
	from, to := sets[0].Taken, sets[len(sets)-1].Taken
	g := rise{captures: len(sets), steadily: true, apart: to.Sub(from), before: count(sets[0])}
	for _, s := range sets {
		n := count(s)
		g.steadily, g.after = g.steadily && n >= g.after, n
	}
	g.chance = chanceRise(r, from, to, g)
	g.significant = float64(g.after-g.before) >= max(riseLeast, g.chance)
	return g
}

func (g rise) String() string {
	if g.after == g.before {
		return fmt.Sprintf("as many as %s earlier", seconds(g.apart))
	}
	return fmt.Sprintf("%s within %s: %s, then %s", number.Signed(count[float64], float64(g.after-g.before)),
		seconds(g.apart), count(g.before), count(g.after))
}

// pileFinding is what every kind says of a pile: where it waits, who started it and what it is, its part of all
// goroutines. The caller adds a score, why it matters and what to do.
func pileFinding(r *Reading, set *stacks.Set, p *view.Pile, title, role, summary string) casefile.Finding {
	total := max(float64(set.Total(set.Count())), 1)
	share := float64(p.N) / total
	f := casefile.Finding{Title: title, Summary: summary + ".", Evidence: Basis(set),
		Where: []casefile.Frame{r.Frame(p.At, share, role)},
		Impact: casefile.Impact{Resource: "goroutines", Share: roundShare(share),
			Text: fmt.Sprintf("%s of all goroutines, at least %s of stacks", percent(share), size(float64(p.N)*minStack))}}
	for _, e := range top(entries(p.Started), 2) {
		f.Where = append(f.Where, as(startedPart, r.Frame(e.Key, float64(e.Value)/total, "started here")))
	}
	for _, e := range top(entries(p.Root), 2) {
		if len(p.Started) == 0 && e.Key != p.At {
			f.Where = append(f.Where, as(rootPart, r.Frame(e.Key, float64(e.Value)/total, "the goroutine's function")))
		}
	}
	return f
}

// minStack is the smallest stack of a goroutine in bytes (runtime/stack.go stackMin).
const minStack = 2048

// pileAge says how long a pile has waited: "12 have waited a minute or more, the longest 31 minutes".
func pileAge(p *view.Pile) string {
	if p.Longest == 0 {
		return ""
	}
	return fmt.Sprintf("%s of them have waited a minute or more, the longest %s", count(p.Waiting), minutes(p.Longest))
}

// joined joins the parts of a sentence that say something.
func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "; ")
}

// worst sorts findings of one detector, and keeps the first few.
func worst(fs []casefile.Finding, n int) []casefile.Finding {
	slices.SortStableFunc(fs, func(a, b casefile.Finding) int { return cmp.Compare(b.Score, a.Score) })
	return fs[:min(len(fs), n)]
}
