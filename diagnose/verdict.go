package diagnose

import (
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// What people notice, by the resource of the worst finding of a chain.
const (
	effectLatency    = "latency"
	effectCPU        = "cpu"
	effectMemory     = "memory"
	effectGoroutines = "goroutines"

	lateText = "Requests are late"
)

// rivalScore is how many points a second cause may score below the first, to be a rival: no score is more exact than
// that, since the shares behind them are not (docs/evidence/accuracy.md).
const rivalScore = 10

// conclude adds the chains and the verdict to a report whose findings are final.
func (rep *Report) conclude(g *causeGraph, r *Reading, url string) {
	paths := g.chains()
	slices.SortStableFunc(paths, func(a, b []int) int { return g.rank(r, b) - g.rank(r, a) })
	for _, path := range paths {
		rep.Causes = append(rep.Causes, g.cause(r, path))
	}
	switch {
	case len(paths) > 0 && (g.worst(paths[0]) > capNotice || g.explainsTrip(r, paths[0])):
		rep.Verdict = g.verdict(r, paths, rep.Causes)
	case inTrouble(r):
		rep.Verdict = needed(r, rep.Undecided, url)
	case len(paths) > 0 && g.aboutRequests(paths[0]):
		rep.Verdict = g.notice(r, paths[0])
	default:
		switch rep.Verdict = seenWaiting(r); {
		case rep.Verdict != nil:
		case len(paths) > 0:
			rep.Verdict = g.notice(r, paths[0])
		default:
			rep.Verdict = needed(r, rep.Undecided, url)
		}
	}
	if v := rep.Verdict; v != nil {
		v.Settle = atTarget(v.Settle, url)
	}
}

// atTarget puts the target's address into a command; without one it stays HOST.
func atTarget(command, url string) string {
	if url == "" {
		return command
	}
	return strings.ReplaceAll(command, pprofPages, strings.TrimSuffix(url, "/")+"/")
}

// pprofPages is the address in a command.
const pprofPages = "http://HOST/debug/pprof/"

// sayInside completes what a process should capture next that watches itself and may have no page to ask for it.
func sayInside(us []casefile.Undecided) {
	for i, u := range us {
		if strings.Contains(u.CaptureNext, pprofPages) {
			us[i].CaptureNext += "; where the service does not serve net/http/pprof, casebook.Watch.Capture in it"
		}
	}
}

// rank puts the chain first that explains the trip, then the one whose worst finding is worst. Chains as bad as each
// other stay in the order of the findings.
func (g *causeGraph) rank(r *Reading, path []int) int {
	rank := g.worst(path)
	if g.explainsTrip(r, path) {
		rank += 100
	}
	return rank
}

func (g *causeGraph) worst(path []int) int {
	worst := 0
	for _, i := range path {
		worst = max(worst, g.fs[i].Score)
	}
	return worst
}

// explainsTrip reports whether a finding of the chain moves a signal by which a rule tripped. What takes CPU explains
// none where most requests wait for something else and the process has CPU to spare: by Little's law it is no more of
// their time than the cores that it takes, divided by the requests in progress.
func (g *causeGraph) explainsTrip(r *Reading, path []int) bool {
	elsewhere := len(r.Triggers) > 0 && crowdedByWaits(r) && strain(r) == ""
	return slices.ContainsFunc(r.Triggers, func(trip casefile.Trigger) bool {
		class, ok := tripOf(trip)
		return ok && slices.ContainsFunc(path, func(i int) bool {
			return !(elsewhere && g.fs[i].Impact.Resource == effectCPU) && class.explainedBy(g.t, g.fs[i])
		})
	})
}

// tripOf is the class of the signal that tripped a rule; ok is false if a person or the clock asked for the case.
func tripOf(trip casefile.Trigger) (tripClass, bool) {
	signals := tripSignals(trip)
	if len(signals) == 0 {
		return ofOthers, false
	}
	return classOf(signals[0]), true
}

// explainedBy reports whether a finding can be why a signal of the class tripped.
func (c tripClass) explainedBy(t relations, f casefile.Finding) bool {
	switch c {
	case ofCPU:
		return f.Impact.Resource == effectCPU || f.Kind == "cpu-quota" || f.Kind == "cpu-neighbours" ||
			f.Kind == "cpu-steal"
	case ofHeld, ofOffHeap:
		return f.Impact.Resource == effectMemory || f.Impact.Resource == effectGoroutines
	case ofAllocs:
		return strings.HasPrefix(f.Kind, "gc-") || needsCollector(t, f)
	case ofWaits, ofLocks, ofThreads, ofFiles:
		return f.Impact.Resource == effectLatency || f.Impact.Resource == effectGoroutines || t.kind(f.Kind).IsQueue
	}
	return f.Score > capNotice
}

// trippedByClass reports whether a signal of the class tripped a rule.
func trippedByClass(r *Reading, class tripClass) bool {
	return slices.ContainsFunc(r.Triggers, func(t casefile.Trigger) bool {
		c, ok := tripOf(t)
		return ok && c == class
	})
}

// inTrouble reports whether a signal tripped a rule: then something is wrong, whatever was found.
func inTrouble(r *Reading) bool {
	return slices.ContainsFunc(r.Triggers, func(t casefile.Trigger) bool { _, ok := tripOf(t); return ok })
}

// verdict is that of the first chain, and of a rival if there is one.
func (g *causeGraph) verdict(r *Reading, paths [][]int, causes []casefile.Cause) *casefile.CaseVerdict {
	first := paths[0]
	root := g.fs[first[0]]
	effect, text := g.effect(r, first, causes[0])
	v := &casefile.CaseVerdict{Answer: casefile.AnswerCause, Effect: effect, Seen: text, Root: root.ID}
	if k := g.rival(r, paths, causes, effect); k > 0 {
		other := g.fs[paths[k][0]]
		v.Rival, v.Settle = other.ID, settles(effect)
		v.Text = rivalText(text, root, other, effect)
		return v
	}
	v.Text = causeText(text, root)
	return v
}

// rival is a chain of another root that explains the same effect nearly as well, at another place; 0 if there is none.
// Two that take CPU, or memory, are no rivals: the profile has measured the share of each.
func (g *causeGraph) rival(r *Reading, paths [][]int, causes []casefile.Cause, effect string) int {
	if effect != effectLatency && effect != effectGoroutines {
		return 0
	}
	first := paths[0]
	for k := 1; k < len(paths); k++ {
		of, _ := g.effect(r, paths[k], causes[k])
		a, b := g.fs[first[0]], g.fs[paths[k][0]]
		if of == effect && g.worst(paths[k]) >= max(g.worst(first)-rivalScore, capNotice+1) &&
			!slices.ContainsFunc(paths[k], func(i int) bool { return slices.Contains(first, i) }) && !SameLine(a, b) {
			return k
		}
	}
	return 0
}

// notice names what could be saved where nothing is seen to hurt. Where most requests are at work at that very line,
// and take many times as long as the CPU that they use, it is why they are late.
func (g *causeGraph) notice(r *Reading, path []int) *casefile.CaseVerdict {
	root := g.fs[path[0]]
	v := &casefile.CaseVerdict{Answer: casefile.AnswerNotice, Effect: root.Impact.Resource, Root: root.ID,
		Text: noticeText(root, g.aboutRequests(path))}
	if c, ok := computesAt(r, root); ok {
		v.Answer, v.Effect, v.Text, v.Seen = casefile.AnswerCause, effectLatency, c.verdict(root), lateText
	}
	return v
}

// aboutRequests reports whether the first finding of a chain says what somebody waits for.
func (g *causeGraph) aboutRequests(path []int) bool {
	root := g.fs[path[0]]
	d := g.t.kind(root.Kind)
	return d.IsQueue || d.Effect != "" || root.Impact.Resource == effectLatency
}

// effect is what people notice of a chain, and how a sentence begins that says so.
func (g *causeGraph) effect(r *Reading, path []int, c casefile.Cause) (effect, text string) {
	for _, l := range c.Links {
		if late(l) {
			return effectLatency, lateText
		}
	}
	hurts := g.fs[path[0]] // most; of two as bad as each other the later one: it is nearer to what people see
	for _, i := range path[1:] {
		if g.fs[i].Score >= hurts.Score {
			hurts = g.fs[i]
		}
	}
	effect = hurts.Impact.Resource
	switch text = g.t.kind(hurts.Kind).Effect; {
	case effect == effectProcess:
		text = "The process died"
	case text != "":
	case effect == effectLatency || g.t.kind(hurts.Kind).IsQueue:
		effect, text = effectLatency, lateText
	case effect == effectMemory:
		text = "Memory is wasted"
	case effect == effectGoroutines:
		text = "Goroutines pile up"
	case r != nil && strain(r) != "":
		text = "The CPU is used up"
	default:
		text = "CPU is wasted"
	}
	return effect, text
}

// late reports whether a link is the delay of requests.
func late(l casefile.Link) bool {
	switch l.Signal {
	case vitals.HTTPLatencyP99.String(), vitals.SchedLatencyP99.String(), vitals.Unanswered.String():
		return true
	}
	return false
}
