package diagnose

import (
	"context"
	"fmt"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/cost"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// callScale is in shares of the CPU below a call of which an expert would say: not like this. 5 % is what a benchmark of
// the whole service can show, a quarter is what services are scaled out for.
func callScale() Scale { return Scale{Worth: 0.05, Hurts: 0.25, Top: 0.75} }

// costlyCall is a call of a module of which it is known that it costs more than it looks, or makes what is meant to be
// kept.
func costlyCall() Detector {
	return Detector{ID: "CPU019", Kind: "costly-call", Title: "A call that is known to cost more than it looks",
		Text: `Looks for functions of dependencies and of the standard library of which an expert would say: not like
this, in a program where they take CPU. What is known of them stands in rows (diagnose/known/rows), each with where it was
read: calls that compile, copy the whole, look up by reflection or open a connection each time, where the module has a
better call or a setting; constructors of what is meant to be made once; settings whose default costs; and faults of
releases. CPU below the function counts, with the collector's share for its garbage. Worth knowing from 5 %, hurting from
25 %, up to 74: a row knows the module, not the program. A module of another path has no row, whatever its functions are
called.`,
		Needs:   []Need{{Kinds: []string{casefile.CPU}, Reason: "no CPU profile", Capture: captureCPU}},
		Refines: []string{"cpu-hot-function", "alloc-site"}, RefinesCalls: true,
		Before:   `requests.With(prometheus.Labels{"route": route}).Inc() // for each request`,
		After:    `counters[route].Inc() // made by With once for each route`,
		Explains: related(sharesPlace, "gc-cpu", "gc-frequency", "gc-assist"),
		IsWork:   true,
		Run:      func(context.Context, *Reading) Answer { return Answer{} },
	}.orCost(costRow{scale: callScale(), limit: capUnsure, gain: [2]float64{0.3, 0.95},
		why:  "a better call leaves some of it",
		find: expertOn(callScale(), func(a *known.Advice) bool { return a.Show(known.OnCPU) && a.About != known.AboutOnce })})
}

// madeAnew is what a row says is made once and kept, and is made again and again.
func madeAnew() costRow {
	return costRow{scale: onceScale(), limit: capUnsure, gain: [2]float64{0.7, 1}, why: onceGainWhy,
		find: expertOn(onceScale(), func(a *known.Advice) bool { return a.Show(known.OnCPU) && a.About == known.AboutOnce })}
}

// expertOn is what is known of what a line calls for most of its cost. Known calls of the standard library have kinds of
// their own, which look at more than who calls them: where one of these names the line, no row does.
func expertOn(scale Scale, want func(*known.Advice) bool) func(*Reading, *cost.Cost) (costAnswer, bool) {
	return func(r *Reading, k *cost.Cost) (a costAnswer, ok bool) {
		e := r.experts()
		best, ok := e.most(func(yield func([]codeFrame, float64)) {
			r.spent().Each(k, func(stack []stacks.FrameID, share float64) { yield(e.called(stack), share) })
		}, want)
		if !ok || best.advice.Modules[0].Path == known.Std && r.costs().named(k.Line) >= best.part*k.Share/2 {
			return a, false
		}
		return best.ofLine(r, k), k.Share*best.part >= scale.Worth
	}
}

// formStandard is the form of a finding about a call of the standard library.
const formStandard = "standard-library"

// ofLine is what a row says of a line.
func (best taught) ofLine(r *Reading, k *cost.Cost) costAnswer {
	at, form := r.Place(k.Line), ""
	if best.advice.Modules[0].Path == known.Std {
		form = formStandard
	}
	return costAnswer{form: form, part: best.part, places: []casefile.Frame{best.frame(best.part * k.Share)},
		title: fmt.Sprintf("%s, %s of the CPU, at %s", asTitle(best.advice.Says), percent(k.Share*best.part), at),
		summary: fmt.Sprintf("%s of what the line %s costs is below %s. %s", percent(best.part), at,
			short(best.at.fn.Name), best.advice.Why),
		explanation: best.reason(), remedies: best.cures(at)}
}
