package diagnose

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/wait"
)

// Kinds of waiting are rows over the facts of package wait: who waits for whom. Each row answers with a waitAnswer; one
// writer makes findings of them. A row speaks of requests in progress, and only if most of them wait in the same way.

// A waitRow is a kind of finding about requests that wait.
type waitRow struct {
	id, kind, title, text string
	before, after         string
	effect                string
	explains              []string // kinds that follow from it
	find                  func(r *Reading, g *wait.Graph) (waitAnswer, bool)
}

// A waitAnswer is what a row found.
type waitAnswer struct {
	waiters  []*wait.Pile // those with the most goroutines first
	n        int64        // that wait, in the last capture
	places   []waitPlace  // the line to change first
	title    string
	summary  string
	why      string
	remedies []casefile.Remedy
	limit    int              // of the score
	score    int              // instead of that of n, where time is measured; 0 for none
	share    float64          // of the requests' time, instead of that of waiters
	impact   string           // "1,329 of 1,334 requests in progress wait"; "" for that of n
	basis    []casefile.Basis // beside the goroutine profiles
	gain     casefile.Gain
}

// A waitPlace is a line of a waitAnswer.
type waitPlace struct {
	at    stacks.FrameID
	n     int64
	role  string
	frame casefile.Frame // of a trace, instead of at
}

// Limits of all rows.
const (
	waitersLeast = 10  // at one place: fewer come together at random
	waitersMost  = 0.5 // of the requests in progress: what most of them feel

	nearlyAllWait = 0.9 // of the requests in progress, in two captures: whoever comes waits, in a small service, too
	scoreOfAll    = 55  // then it is a warning, however few they are
)

// waitRows are all kinds of waiting that rows know.
func waitRows() []waitRow {
	return []waitRow{poolNested(), poolHeld(), poolLimit(), ownLimiter(), batchWait(), deafReader(), childOutput(),
		requestsWait()}
}

// firstAnswer is that of the first judge who has one.
func firstAnswer(r *Reading, judges ...func(*Reading, *wait.Graph) (waitAnswer, bool)) (a waitAnswer, ok bool) {
	for _, judge := range judges {
		if a, ok = judge(r, r.waits()); ok {
			return a, true
		}
	}
	return a, false
}

// waitDetectors are the rows as the engine runs them.
func waitDetectors() []Detector {
	out := make([]Detector, 0, len(waitRows()))
	for _, row := range waitRows() {
		out = append(out, row.detector())
	}
	return out
}

func (row waitRow) detector() Detector {
	knows := knowsCause
	if row.kind == waitUnknown {
		knows = knowsNothing
	}
	return Detector{ID: row.id, Kind: row.kind, Title: row.title, Text: row.text, Needs: needGoroutines(),
		Before: row.before, After: row.after, Waits: knows,
		Explains: append(related(amongPlaces, "mem-stacks"), related(nil, row.explains...)...),
		IsQueue:  true, Effect: row.effect, Follows: "each request that waits keeps its goroutine",
		Run: func(_ context.Context, r *Reading) Answer {
			a, ok := row.find(r, r.waits())
			if !ok {
				return Answer{}
			}
			return found(a.finding(r))
		}}
}

// amongPlaces fits if the other finding's line is in a function that the own finding names.
func amongPlaces(own, other casefile.Finding) bool {
	return len(other.Where) > 0 && shareFunction(own.Where, other.Where[:1])
}

// finding writes an answer.
func (a waitAnswer) finding(r *Reading) casefile.Finding {
	g := r.waits()
	share := max(a.share, g.Share(a.waiters...))
	f := casefile.Finding{Title: a.title, Summary: a.summary, Explanation: a.why, Confidence: 0.9,
		Remedies: a.remedies, Evidence: a.basis}
	if f.Score = a.score; f.Score == 0 {
		f.Score = lockWaiterScale().Score(float64(a.n))
		if share >= nearlyAllWait && a.limit == noCap {
			f.Score = max(f.Score, scoreOfAll)
		}
	}
	f.Score = min(f.Score, a.limit)
	for _, set := range g.Moments {
		f.Evidence = addBasis(f.Evidence, Basis(set))
	}
	for _, p := range a.places {
		if p.frame.Function != "" {
			f.Where = append(f.Where, p.frame)
		} else if p.at != stacks.NoFrame {
			f.Where = append(f.Where, r.Frame(p.at, float64(p.n)/float64(max(g.InProgress(), a.n, 1)), p.role))
		}
	}
	f.Impact = onLatency(share, a.impact, a.gain)
	if a.impact == "" {
		f.Impact.Text = fmt.Sprintf("%s of %s wait", count(a.n), things(max(g.InProgress(), a.n), "request")+" in progress")
	}
	return f
}

// agreed is the limit of a score: what one capture shows may be chance.
func agreed(p *wait.Pile) int {
	if p.InAll() {
		return noCap
	}
	return capUnsure
}

// mostWait reports whether piles are most of the requests in progress, and many.
func mostWait(g *wait.Graph, ps ...*wait.Pile) bool {
	return wait.Last(ps) >= waitersLeast && g.Share(ps...) >= waitersMost
}

// mostAt reports whether so many are most of the requests in progress in one capture, and many.
func mostAt(g *wait.Graph, moment int, n int64) bool {
	return n >= waitersLeast && float64(n) >= waitersMost*float64(g.Requests[moment])
}

// placesOf are the places of a pile: the user's line and, behind it, where it stands in a dependency.
func placesOf(p *wait.Pile, role string) []waitPlace {
	out := []waitPlace{{at: p.Line, n: p.Last(), role: role}}
	if at := innerPlace(p); at != p.Line {
		out = append(out, waitPlace{at: at, n: p.Last(), role: "where it waits"})
	}
	return out
}

// placesOfAll are the user's lines of the piles with the most goroutines.
func placesOfAll(ps []*wait.Pile, most int, role string) (out []waitPlace) {
	for _, p := range ps[:min(most, len(ps))] {
		out = append(out, placesOf(p, role)[0])
	}
	return out
}

// innerPlace is the line of a pile that is worth showing beside the user's: the function that the user's line calls
// through any wrapper, or where the goroutines stand.
func innerPlace(p *wait.Pile) stacks.FrameID {
	if p.Enter != stacks.NoFrame {
		return p.Enter
	}
	return p.At
}

// waiting says who waits: "1,329 of 1,334 requests in progress".
func waiting(g *wait.Graph, n int64) string {
	if all := g.InProgress(); all >= n {
		return fmt.Sprintf("%s of %s in progress", count(n), things(all, "request"))
	}
	return things(n, "request")
}

// lineText is the line of a pile for prose: the user's, or else the dependency's.
func lineText(r *Reading, p *wait.Pile) string {
	if p.Line == stacks.NoFrame {
		return r.Place(p.At)
	}
	return r.Place(p.Line)
}

// callee is what a pile's line calls, in short: "(*Writer).WriteMessages of github.com/segmentio/kafka-go".
func callee(r *Reading, p *wait.Pile) string {
	f := r.Table.Func(innerPlace(p))
	_, name, _ := strings.Cut(f.Name[strings.LastIndexByte(f.Name, '/')+1:], ".") // the path's dots are escaped
	if f.Package == "" || name == "" {
		return f.Name
	}
	return name + " of " + f.Package
}

// governedBy is the row's setting and advice in a remedy's text; "" without a row.
func governedBy(p *wait.Pile) string {
	if p.Role == nil {
		return ""
	}
	said := slices.DeleteFunc([]string{p.Role.Setting, p.Role.Remedy}, func(s string) bool { return s == "" })
	return strings.Join(said, ", ")
}

// whatPlace is what a queue for a place waits for: "connection of database/sql".
func whatPlace(p *wait.Pile) string {
	if p.Role != nil && p.Role.What != "" {
		return p.Role.What
	}
	return "place"
}

// crowdedByWaits reports whether most requests in progress wait at one line for something that is not the processor or
// the collector: then a neighbour's share of the machine is not what they feel. The capture with most of them tells.
func crowdedByWaits(r *Reading) bool {
	g := r.waits()
	m := g.Fullest()
	return slices.ContainsFunc(g.Queues(), func(q *wait.Queue) bool {
		return q.First().Request && mostAt(g, m, q.Waiting(m))
	}) || slices.ContainsFunc(g.Piles, func(p *wait.Pile) bool {
		return p.Request && p.For != wait.Nothing && p.For != wait.Collector && mostAt(g, m, p.N[m])
	})
}
