package diagnose

import (
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/wait"
	"github.com/gocasebook/casebook/vitals"
)

// waitUnknown is the kind of a wait of which no row knows why.
const waitUnknown = "requests-wait"

func requestsWait() waitRow {
	return waitRow{id: "WT008", kind: waitUnknown, effect: "Requests are late",
		title: "Most requests in progress wait at one place",
		text: `Goroutines that answer requests wait at one line: for a channel, a condition, a place of a pool, a timer, a
peer, inside the user's code or a dependency, and for neither the processor nor a lock. They are half of the requests in
progress or more, in two captures, and a rule tripped. How long they wait is told by a dump, or by Little's law where
the rate of requests is known. It is the answer where no other kind has one that is more than a notice. Worth knowing
from 10, hurting from 100, up to 74: what is awaited is not known. Long polls wait like that, too: where no rule tripped
it is undecided, and the verdict says what was seen.`,
		before: `h.queue <- job; <-job.done // and nobody takes from queue`,
		after:  `select { case h.queue <- job: case <-ctx.Done(): return errBusy }`,
		find: func(r *Reading, g *wait.Graph) (waitAnswer, bool) {
			p := r.waitTogether()
			return r.unknownAnswer(g, p), p != nil && r.inTrouble() && !r.waitsByDesign(p)
		}}
}

// waitTogether is the line at which most requests in progress wait for something that ends from outside of them, in two
// captures; nil without one.
func (r *Reading) waitTogether() *wait.Pile {
	g := r.waits()
	i := slices.IndexFunc(g.Piles, func(p *wait.Pile) bool {
		return p.Request && p.For != wait.Nothing && p.For != wait.Lock && p.For != wait.Collector && p.For != wait.Unknown &&
			mostWait(g, p) && p.InAll() && !awaitsNews(r.Table, p.Stack)
	})
	if i < 0 {
		return nil
	}
	return g.Piles[i]
}

// lastResort leaves out findings of waits that nobody knows why, if another finding may be the reason.
func lastResort(fs []casefile.Finding) []casefile.Finding {
	known := slices.ContainsFunc(fs, func(f casefile.Finding) bool { return f.Kind != waitUnknown && f.Score > capNotice })
	return slices.DeleteFunc(fs, func(f casefile.Finding) bool { return f.Kind == waitUnknown && known })
}

// forHowLong is how long each of a pile waits: by a dump, or by Little's law; "" where neither tells.
func (r *Reading) forHowLong(p *wait.Pile) string {
	if p.Longest > 0 {
		return ", up to " + minutes(p.Longest)
	}
	rate, rated := meanIn(r.troubledVitals(), vitals.HTTPRate)
	if !rated || rate <= 0 {
		return ""
	}
	return ", about " + seconds(float64(p.Last())/rate) + " each"
}

// seenWaiting is the verdict where nothing is found and yet most requests wait at one line: that is no sign of health.
func (r *Reading) seenWaiting() *casefile.CaseVerdict {
	p := r.waitTogether()
	if p == nil || r.waitsByDesign(p) {
		return nil
	}
	f := r.unknownAnswer(r.waits(), p)
	return &casefile.CaseVerdict{Answer: casefile.AnswerUndecided, Take: casefile.Trace,
		Settle: captureTrace + ": who wakes those that wait at " + lineText(r, p),
		Text:   firstThatFits(f.title+"; whether they should is not known.", f.title+".")}
}

// waitsByDesign reports whether requests at a place have taken over their connections, as streams of events do.
func (r *Reading) waitsByDesign(p *wait.Pile) bool {
	old := &pile{at: p.Line, user: true, wait: p.Park, n: p.Last(), stack: p.Stack}
	return r.isSession(old) || isHTTP1(r.Table, p.Stack) && r.hijacked(r.lastMoment(), old)
}

func (r *Reading) unknownAnswer(g *wait.Graph, p *wait.Pile) waitAnswer {
	if p == nil {
		return waitAnswer{}
	}
	n, inside := p.Last(), ""
	if p.Enter != stacks.NoFrame {
		inside = " in " + callee(r, p)
	}
	return waitAnswer{waiters: []*wait.Pile{p}, n: n, limit: capUnsure, places: placesOf(p, "waits here"),
		title: fmt.Sprintf("%s wait at %s%s for %s%s", waiting(g, n), lineText(r, p), inside, p.For, r.forHowLong(p)),
		summary: fmt.Sprintf("%s wait at %s%s for %s%s; %s did in the first capture.", waiting(g, n), lineText(r, p), inside,
			p.For, r.forHowLong(p), count(float64(p.N[0]))),
		why: "Requests that wait for each other, or for something inside the process, hold their goroutines, memory and " +
			"connections. Who could end the wait is not among the goroutines that this evidence shows at work.",
		remedies: []casefile.Remedy{
			doChange("Find out what ends the wait", fmt.Sprintf("Read what %s does where it stands, and who sends, signals, "+
				"answers or gives back there; an execution trace shows who wakes whom.", callee(r, p)), "none"),
			doChange("Let a request give up", fmt.Sprintf("At %s: select on ctx.Done() as well, so that requests whose "+
				"clients have gone do not pile up.", lineText(r, p)), "answers that come late are lost"),
		}}
}
