package diagnose

import (
	"fmt"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/diagnose/wait"
)

// lostWakeup is requests that wait for workers which all sleep in a sync.Cond: the wakeup went to one that could not do
// the work, or came before the sleep.
func lostWakeup(r *Reading, g *wait.Graph) (waitAnswer, bool) {
	s, ok := g.BothAsleep()
	if !ok || g.Share(s.Waiters...) < waitersMost {
		return waitAnswer{}, false
	}
	late, signal, traced := wakesLate(r, s)
	if !traced && (!inTrouble(r) || wait.Last(s.Waiters) < waitersLeast) {
		return waitAnswer{}, false
	}
	p, w, n := s.Waiters[0], s.Workers[0], wait.Last(s.Waiters)
	at, sleeps := lineText(r, p), lineText(r, w)
	a := waitAnswer{waiters: s.Waiters, n: n, limit: capUnsure, score: scoreOfAll,
		title: fmt.Sprintf("Requests wait at %s for workers that all sleep at %s", at, sleeps),
		summary: fmt.Sprintf("%s wait at %s, and %s sleep in a sync.Cond at %s, in both captures, with nobody at work.%s "+
			"A wakeup was lost, or went to one that could not do the work.", waiting(g, n), at,
			things(float64(wait.Last(s.Workers)), "goroutine")+" that would do the work", sleeps, late),
		why: "Signal wakes one goroutine, any that waits. If goroutines wait for different things in one Cond, it may " +
			"wake one that finds nothing to do and sleeps again, and the wakeup is gone: the work waits until the next one.",
		remedies: []casefile.Remedy{
			doChange("Broadcast in place of Signal", fmt.Sprintf("At %s: Broadcast wakes all that wait at %s, and who finds "+
				"its condition true goes on; change the condition under the lock before it.", signalText(r, signal, s), sleeps),
				"all wake for each piece of work"),
			doChange("A Cond for each condition", fmt.Sprintf("Around %s: goroutines that wait for different things wait in "+
				"a sync.Cond, or receive from a channel, of their own; then Signal wakes one that can do the work.", sleeps),
				"more code"),
		}}
	if signal.Function != "" {
		frame := tracedFrame(signal, 0, "wakes one that waits")
		a.places = append(a.places, waitPlace{frame: &frame})
	}
	a.places = append(a.places, waitPlace{at: w.Line, n: w.Last(), role: "sleeps"},
		waitPlace{at: p.Line, n: n, role: "waits for it"})
	return a, true
}

func signalText(r *Reading, signal traces.Frame, s wait.Asleep) string {
	if signal.Function != "" {
		return tracedPlace(signal)
	}
	return "what wakes those at " + lineText(r, s.Workers[0])
}

// wakesLate says, by a trace, how long requests wait for those that sleep, and where one of these is woken; false if
// others end the wait, or work for as long.
func wakesLate(r *Reading, s wait.Asleep) (late string, signal traces.Frame, ok bool) {
	sum, root := r.Summary(), r.Table.Func(s.Root).Name
	var waited traces.Times
	for w := range r.WaitsAt(sum, s.Waiters[0].Line) {
		if len(w.Wakers) > 0 && w.Wakers[0].Goroutine == root {
			waited = w.Times
		}
	}
	for w := range r.WaitsAt(sum, s.Workers[0].Line) {
		if len(w.Wakers) > 0 {
			signal, _ = r.TracedLine(w.Wakers[0].Stack)
		}
	}
	i := slices.IndexFunc(sum.Goroutines, func(t traces.GoroutineType) bool { return t.Name == root })
	if i < 0 || waited.Count == 0 {
		return "", signal, false
	}
	spent := sum.Goroutines[i].Spent
	each := (spent.Sum() - spent.Lock - spent.Channel - spent.Select) / time.Duration(waited.Count)
	return fmt.Sprintf(" In the trace half of the requests wait %s or longer, for %s of work.",
		seconds(waited.P50.Seconds()), seconds(each.Seconds())), signal, waited.P50 > 2*each
}
