package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/vitals"
)

// Goroutine profiles show how many requests wait for an answer, and not for how long. The kernel's count of writes
// bounds that: each call is a write, and so is each answer to a request, so no more than half of the writes of a second
// are calls, and by Little's law those who wait wait for at least their number by that rate.

// callWrites is how many writes a call costs at least, with the answer of the request that made it.
const callWrites = 2

// crowdMoments is in how many goroutine profiles the requests must be at the line: one moment may be chance.
const crowdMoments = 2

// A crowdedCall is the line at which most requests in progress wait for an answer, over all goroutine profiles.
type crowdedCall struct {
	at          stacks.FrameID
	stack       []stacks.FrameID
	n, requests int64 // at the line, and in progress, in all profiles
	sets        []*stacks.Set
}

// mean is how many wait at the line in a profile.
func (c *crowdedCall) mean() float64 { return float64(c.n) / float64(max(len(c.sets), 1)) }

// A crowdFor says which goroutines count as a crowd, and at which line they are.
type crowdFor struct {
	waits func(*Reading, *pile) bool
	line  func(r *Reading, stack []stacks.FrameID) stacks.FrameID
}

// findCrowdedCall finds it; ok is false if requests do other things, too, or if few wait.
func findCrowdedCall(r *Reading, of crowdFor) (c crowdedCall, ok bool) {
	c.sets = r.Moments()
	total := make(map[stacks.FrameID]int64)
	least := make(map[stacks.FrameID]int)
	for _, set := range c.sets {
		at, requests := crowdsIn(r, set, of)
		c.requests += requests
		for id, p := range at {
			total[id] += p.n
			if p.n >= riseLeast {
				least[id]++
			}
			if total[id] > c.n || total[id] == c.n && id < c.at {
				c.at, c.stack, c.n = id, p.stack, total[id]
			}
		}
	}
	ok = c.n > 0 && len(c.sets) >= crowdMoments && least[c.at] == len(c.sets) &&
		2*c.n >= c.requests
	return c, ok
}

// A crowdAt is the goroutines of one moment that wait for an answer at one line.
type crowdAt struct {
	n     int64
	stack []stacks.FrameID
}

// crowdsIn counts the requests of one moment, and by line those that wait as is asked: in their own goroutine, or in
// one that is a function literal of the function where the request waits.
func crowdsIn(r *Reading, set *stacks.Set, of crowdFor) (at map[stacks.FrameID]crowdAt, requests int64) {
	at = make(map[stacks.FrameID]crowdAt)
	parents := make(map[string]int64) // requests that wait inside the process, by function
	piles := r.piles(set)
	for _, p := range piles {
		if !p.user || !serves(r.Table, p.stack) || hijacked(r, set, p) {
			continue
		}
		requests += p.n
		if of.waits(r, p) {
			id := of.line(r, p.stack)
			at[id] = crowdAt{at[id].n + p.n, p.stack}
		} else if parked(p.wait) {
			parents[r.Table.Func(p.at).Name] += p.n
		}
	}
	for _, p := range piles {
		if !p.user || serves(r.Table, p.stack) || !of.waits(r, p) {
			continue
		}
		if n := parentsOf(r, p, parents); n > 0 {
			id := of.line(r, p.stack)
			at[id] = crowdAt{min(at[id].n+p.n, n), p.stack}
		}
	}
	return at, requests
}

// awaitsCall reports whether goroutines wait for the answer to a call, and not for news or for a connection of a pool.
func awaitsCall(r *Reading, p *pile) bool {
	if _, pool := awaitedPool(r, p); pool || awaitsNews(r.Table, p.stack) || !awaitsAnswer(r, p) {
		return false
	}
	return !r.Table.Has(p.stack, withWork(known.PassesStream))
}

// parentsOf is how many requests wait in a function of which these goroutines run a function literal.
func parentsOf(r *Reading, p *pile, parents map[string]int64) (most int64) {
	for _, id := range p.stack {
		name := r.Table.Func(id).Name
		if i := strings.LastIndex(name, ".func"); i > 0 {
			most = max(most, parents[name[:i]])
		}
	}
	return most
}

// hijacked reports whether requests have taken over their connections: net/http's server reads in the background from
// those of all others that have no body to read.
func hijacked(r *Reading, set *stacks.Set, p *pile) bool {
	if !r.Table.Has(p.stack, withWork(known.ServesConn)) {
		return isSession(r, p) && r.Table.Has(p.stack, withWork(known.StreamsGRPC))
	}
	readers := int64(0)
	for _, q := range r.piles(set) {
		if r.Table.Has(q.stack, withWork(known.WatchesClient)) {
			readers += q.n
		}
	}
	return 10*readers < 9*p.n
}

// lineThatAsks is the user's line that asks: where the user's own code reads from the connection, with nothing between
// but the standard library's reading, the line that calls that code.
func lineThatAsks(r *Reading, stack []stacks.FrameID) stacks.FrameID {
	at, i := r.Table.UserFrame(stack)
	byHand := !slices.ContainsFunc(stack[:i], func(id stacks.FrameID) bool {
		f := r.Table.Func(id)
		return f.Owner == stacks.Dependency || f.Package == "net/http" || f.Package == "database/sql"
	})
	for _, id := range stack[i+1:] {
		f := r.Table.Func(id)
		if byHand && f.Owner == stacks.User && id != at && f.Name != r.Table.Func(at).Name {
			return id
		}
	}
	return at
}

// slowCrowd answers from goroutine profiles and the kernel's count of writes.
func slowCrowd(r *Reading) Answer {
	c, ok := findCrowdedCall(r, crowdFor{awaitsCall, lineThatAsks})
	if !ok || strain(r) != "" {
		return Answer{}
	}
	writes, n := r.MeanNear(vitals.WriteCalls, c.sets[len(c.sets)-1])
	if n == 0 || writes <= 0 {
		return undecided(fmt.Sprintf("%s of %s requests in progress wait for an answer at %s, and how long each waits "+
			"is not known", count(c.mean()), count(float64(c.requests)/float64(len(c.sets))), r.Place(c.at)),
			captureTrace)
	}
	wait := c.mean() * callWrites / writes
	score := min(slowCallScale().Score(wait), capUnsure)
	if score < worthKnowing {
		return Answer{}
	}
	return found(c.finding(r, wait, writes, score))
}

func (c *crowdedCall) finding(r *Reading, wait, writes float64, score int) casefile.Finding {
	place, share := r.Place(c.at), min(float64(c.n)/float64(max(c.requests, 1)), 1)
	f := casefile.Finding{
		Title: fmt.Sprintf("Requests wait for an answer at %s, %s or longer", place, seconds(wait)),
		Score: score, Confidence: 0.7,
		Summary: fmt.Sprintf("%s of %s requests in progress wait for an answer at %s, in each of %s. The process "+
			"writes %s times a second, and a call with the answer to its request is two writes: so each waits %s or "+
			"longer.",
			count(c.mean()), count(float64(c.requests)/float64(len(c.sets))), place,
			things(float64(len(c.sets)), "capture"), count(writes), seconds(wait)),
		Explanation: "The process only waits: what it calls takes so long. An execution trace shows how long each " +
			"call takes (" + captureTrace + "). If the other side answers when there is news, the wait is no fault.",
		Where: []casefile.Frame{r.Frame(c.at, share, "waits for the answer (share of the requests in progress)")},
		Impact: casefile.Impact{Resource: "latency", Share: roundShare(share), Text: seconds(wait) +
			" or more of each of these requests"},
		Remedies: slowCallRemedies(place, traces.Times{}),
	}
	if inner, _ := r.Table.UserFrame(c.stack); inner != c.at {
		f.Where = append(f.Where, r.Frame(inner, share, "reads the answer"))
	}
	for _, set := range c.sets {
		f.Evidence = append(f.Evidence, Basis(set)...)
	}
	return f
}
