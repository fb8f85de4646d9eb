package diagnose

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/hold"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
)

// timerScale is in timers that are alive: 20,000 are 4–10 MB, and several times what a busy service has, one or two per
// request in flight. With a million, every change of a timer moves through 10 levels of a heap.
func timerScale() Scale { return Scale{Worth: 20_000, Hurts: 1_000_000, Top: 10_000_000} }

// tickScale is in shares of the CPU used for running timers. A service that sets a deadline for each request has 1 %.
func tickScale() Scale { return Scale{Worth: 0.10, Hurts: 0.5, Top: 0.9} }

// minTimerSamples is how many sampled allocations of timers there must be.
const minTimerSamples = 8

// minTickSamples is how many sampled tickers there must be where the CPU shows that they fire: with two, there are a
// third of as many at least, 19 times in 20.
const minTickSamples = 2

// usedBy is how many timers or contexts a goroutine may be using: those that are in use have somebody who waits for
// them or will cancel them, with a deadline of its own inside of another one.
const usedBy = 3

func timerLeak() Detector {
	return Detector{
		ID:    "GO006",
		Kind:  "timer-leak",
		Title: "Timers and contexts are made and never stopped",
		Text: `Counts live timers, tickers and contexts in the heap profile by the line that asked for them, the user's
or else a dependency's. Worth knowing from 20,000, hurting from a million, by 8 samples or more; up to 74 unless two
profiles show that they grow, then up to 90 by the number expected in five minutes. Of contexts and tickers there must
be more than three a goroutine, by more than chance. What the calls that made contexts keep counts as in mem-leak;
tickers that fire by a tenth of the CPU, and 0.05 cores, in timers.

Since Go 1.23 a timer that nobody refers to is collected without Stop. Three kinds stay: AfterFunc until it has run; a
context until it is cancelled or its parent ends; a ticker whose goroutine listens. Before, or with asynctimerchan=1
(an older go line in go.mod sets it), every timer and ticker stays until it is stopped or has fired.`,
		Needs:    needHeap("live timers are not in other evidence"),
		Before:   `ctx, _ := context.WithTimeout(s.ctx, time.Hour) // a child of s.ctx for an hour, done or not`,
		After:    `ctx, cancel := context.WithTimeout(s.ctx, time.Hour); defer cancel()`,
		Remedies: timerRemedies(),
		Explains: related(nil, "mem-leak", "gc-cpu", "gc-frequency"),
		Absorbs: append(related(SameFunction, "mem-leak", "alloc-site", "cpu-hot-function"),
			related(sharesPlace, "gc-pointer-heap", "mem-giant", "cpu-runtime")...),
		Settles:    []string{"mem-leak"},
		NeedsPlace: true,
		Effect:     "Memory grows",
		Run:        runTimerLeak,
	}
}

// A timerPile is timers of one place, and by what they are judged.
type timerPile struct {
	*hold.Timers
	heap    *hold.Heap
	place   stacks.FrameID // the user's line, through whom it was reached; the maker without one
	seconds float64        // between two heap profiles; 0 with one
	fires   float64        // of the CPU, for running timers

	bytes float64  // with what hangs on them
	all   hold.Sum // they, and what hangs on them: it is as many, so that its samples count them, too
}

func newTimerPile(h *hold.Heap, t *hold.Timers) *timerPile {
	p := &timerPile{Timers: t, heap: h, place: t.Line, bytes: t.Bytes}
	if p.place == stacks.NoFrame {
		p.place = t.Maker
	}
	if h.First != nil {
		p.seconds = lapse(h.First, h.Last).Seconds()
	}
	held := t.Held
	if h := cmp.Or(p.Kept, p.Hang); h != nil {
		held, p.bytes = slices.Concat(held, h.Held), p.bytes+h.Now.Bytes
	}
	p.all.AddAll(held)
	return p
}

func runTimerLeak(_ context.Context, r *Reading) Answer {
	heap := r.holds()
	if heap == nil {
		return Answer{}
	}
	var out []casefile.Finding
	for _, t := range heap.Timers() {
		if !unused(r, t) {
			continue
		}
		p := newTimerPile(heap, t)
		p.fires = firing(r, t)
		score := max(p.score(r), min(tickScale().Score(p.fires), capUnsure))
		if score >= worthKnowing {
			out = append(out, p.finding(r, score))
		}
	}
	return Answer{Findings: worst(out, 1)}
}

// score is by their number, by their growth, and by the memory that contexts keep with them. As many as at an earlier
// profile, minutes before, are in use.
func (p *timerPile) score(r *Reading) int {
	if !p.Contexts && p.all.Samples < minTimerSamples || p.seconds >= leakLong && !p.grows() {
		return 0
	}
	score := max(min(timerScale().Score(p.Now.Objects), capUnsure), p.keeps(r))
	if p.grows() {
		perMin := p.Grown().Objects / max(p.seconds/60, 1e-3)
		score = max(score, min(timerScale().Score(p.Now.Objects+lookAhead*perMin), lookAheadCap),
			timerScale().Score(p.Now.Objects))
	}
	return score
}

func (p *timerPile) grows() bool {
	return p.seconds > 0 && p.Now.Objects > 1.2*p.Before.Objects && p.all.Grew()
}

// keeps is the score of the memory that contexts keep with them, by how much more it becomes.
func (p *timerPile) keeps(r *Reading) int {
	if p.Kept == nil || p.seconds > 0 && !p.Kept.Grew() {
		return 0
	}
	bytes, hours := p.Kept.Grown().Bytes, p.seconds/3600 // with one profile all that is kept
	if p.seconds == 0 && !r.Started.IsZero() {
		hours = p.heap.Last.Taken.Sub(r.Started).Hours()
	}
	if hours <= 0 {
		return 0
	}
	return min(memRateScale().Score(bytes/hours), capUnsure)
}

// unused reports whether there are more contexts or tickers than somebody can be using, by more than chance.
func unused(r *Reading, t *hold.Timers) bool {
	if !t.Contexts && !t.Ticks {
		return true
	}
	goroutines := int64(0)
	for _, s := range r.Moments() {
		goroutines = max(goroutines, s.Total(s.Count()))
	}
	return t.MoreThan(usedBy * float64(goroutines))
}

// firing is the share of the CPU that running timers takes, if tickers that nobody listens to do.
func firing(r *Reading, t *hold.Timers) float64 {
	v := r.cpu()
	if !t.Ticks || t.Samples < minTickSamples || v == nil || v.samples < minCPUSamples || v.level.idle() {
		return 0
	}
	share := r.Funcs(withRole(known.RunsTimers)).Sum(v.set, v.weight) / max(v.total, 1)
	if !v.level.noticed(share) {
		return 0
	}
	return share
}

func (p *timerPile) what() string {
	switch {
	case p.Contexts:
		return "contexts"
	case p.Ticks:
		return "tickers"
	}
	return "timers"
}

func (p *timerPile) finding(r *Reading, score int) casefile.Finding {
	var called casefile.Frame
	if p.Line == stacks.NoFrame {
		if b, ok := r.chain().Goroutine(r.Table.FuncID(p.Maker)); ok && b.Calls != stacks.NoFrame {
			p.place, called = b.Line, r.Frame(b.Calls, 0, "the library's function that it calls")
		}
	}
	live, objects := max(p.heap.Now.Bytes, 1), max(p.heap.Now.Objects, 1)
	at, ended := r.Place(p.place), "stopped"
	if p.Contexts {
		ended = "cancelled"
	}
	f := casefile.Finding{
		Title:      fmt.Sprintf("%s %s made at %s are alive", count(p.Now.Objects), p.what(), at),
		Score:      score,
		Confidence: p.confidence(),
		Summary: joined(fmt.Sprintf("%s %s that were made at %s are still alive, %s with what belongs to them",
			count(p.Now.Objects), p.what(), at, size(p.bytes)), p.growth(), p.fired(r)) + ".",
		Explanation: fmt.Sprintf("Each stays with everything that its function or its parent refers to. As long as more are "+
			"made than %s, memory grows, and setting any timer becomes more expensive.", ended),
		Evidence: Basis(p.heap.Last),
		Where:    []casefile.Frame{r.Frame(p.place, p.Now.Objects/objects, "makes the "+p.what())},
		Remedies: p.remedies(r, at),
	}
	if p.Kept != nil {
		lines := topLines(hold.By(p.Kept.Held, hold.LineOf), 2, hold.AliveBytes)
		f.Where = append(f.Where, r.Frames(lines, 2, live, "made for them, and kept with them")...)
	}
	if p.Maker != p.place {
		f.Where = append(f.Where, r.Frame(p.Maker, p.Now.Objects/objects, "makes them, in a dependency"))
	}
	if called.Function != "" {
		f.Where[0].Role = "calls what makes the " + p.what()
		f.Where = append(f.Where, called)
	}
	share := min(p.bytes/live, 1)
	f.Impact = ofMemory(share, share*0.9, share, fmt.Sprintf("%s of the live heap, not counting what else the %s refer to",
		percent(share), p.what()), fmt.Sprintf("%s of %s live are %s that could have been %s", size(p.bytes), size(live),
		p.what(), ended))
	if p.fires > 0 && p.fires > share {
		f.Impact = onCPU(p.fires, saves(p.fires*0.7, p.fires, percent(p.fires)+
			" of the CPU runs timers; those that somebody waits for stay"))
		f.Evidence = addBasis(f.Evidence, Basis(r.cpu().set))
	}
	return f
}

// confidence is how sure it is that they are what stays: by their samples, and by what hangs on them.
func (p *timerPile) confidence() float64 {
	sure := Confidence(0.5, p.all.Samples)
	if p.Hang != nil {
		return max(sure, sureEnough)
	}
	return sure
}

// growth says by how much they grew, and how large the tables are in which parents keep contexts.
func (p *timerPile) growth() (text string) {
	if p.grows() {
		text = fmt.Sprintf("%s more in %s", count(p.Grown().Objects), seconds(p.seconds))
	}
	if p.ParentsTables >= 1<<20 {
		text = joined(text, fmt.Sprintf("their parents keep them in tables of %s", size(p.ParentsTables)))
	}
	return text
}

func (p *timerPile) fired(r *Reading) string {
	if p.fires == 0 {
		return ""
	}
	return fmt.Sprintf("running timers takes %s of the CPU (%s)", percent(p.fires), r.cpu().level)
}

// remedies are the ones of the user's line, or what its user can do about a dependency's timers.
func (p *timerPile) remedies(r *Reading, at string) []casefile.Remedy {
	maker := r.Table.Func(p.Maker)
	if row, ok := known.End(maker.Name); ok {
		return []casefile.Remedy{endAsKnown(at, row)}
	}
	switch {
	case maker.Owner != stacks.Dependency && p.Contexts:
		return remediesAt(at, cancelContexts())
	case maker.Owner != stacks.Dependency:
		return remediesAt(at, timerRemedies()[1:]...)
	}
	name, module := short(maker.Name), maker.Module()
	released := takePackage("Upgrade "+shortModule(module)+" to a newer release", fmt.Sprintf("%s makes %s and does not "+
		"end them, the module's own fault: its change log says which release does; %s.", name, p.what(),
		upgradeCommand(module)), "a new release of a dependency: read its notes, run the tests")
	stop := doChange("Stop the tickers", fmt.Sprintf("%s makes a ticker and does not stop it. At %s: call the Close or "+
		"Stop that ends it, on every path.", name, at), "none")
	switch {
	case p.Contexts && p.Line != stacks.NoFrame:
		return []casefile.Remedy{doChange("Give each call a context of its own, and cancel it", fmt.Sprintf("At %s: what "+
			"is called there leaves children of its context, which live as long as that. ctx, cancel := "+
			"context.WithCancel(parent); defer cancel() around each call lets them go.", at), "none"), released}
	case p.Ticks && r.settings.keepsTimers():
		return []casefile.Remedy{doChange("Let the collector take tickers: go 1.23 in go.mod", fmt.Sprintf("The "+
			"program runs with asynctimerchan=1, which an older go line in go.mod sets: every ticker stays until it is "+
			"stopped, and %s does not stop its own. With go 1.23 or later there (or GODEBUG=asynctimerchan=0) a ticker "+
			"that nobody refers to is collected.", name), "channels of timers have no buffer any more: a read after Stop "+
			"or Reset sees no old time"), stop, released}
	case p.Ticks:
		return []casefile.Remedy{stop, released}
	}
	return []casefile.Remedy{released, doChange("Make fewer of them", fmt.Sprintf("Until then: call less often what is "+
		"called at %s, or end what they belong to (its Close, Stop or Shutdown) and make it again.", at),
		"what it does in between")}
}

// keepsTimers reports whether the program is known to run with the timers of before Go 1.23, which stay until they are
// stopped. The environment overrides what the build set.
func (s *settings) keepsTimers() bool {
	const old, now = "asynctimerchan=1", "asynctimerchan=0"
	return strings.Contains(s.debug, old) || strings.Contains(s.builtDebug, old) && !strings.Contains(s.debug, now)
}

// ticks reports whether goroutines wait for a ticker of their own: a trace shows that timers alone end the wait, or one is
// alive that was made where they are or where they were started. Nobody closes the channel of a ticker.
func ticks(r *Reading, p *view.Pile) bool {
	if p.Wait != stacks.WaitReceive && p.Wait != stacks.WaitSelect {
		return false
	}
	by, _ := mostOf(p.Started)
	h := r.holds()
	return clocked(r, p) || h != nil && slices.ContainsFunc(h.Timers(), func(t *hold.Timers) bool {
		at := r.Table.FuncID(t.Line)
		return t.Ticks && t.Line != stacks.NoFrame && (at == r.Table.FuncID(p.At) || at == r.Table.FuncID(by))
	})
}

// clocked reports whether a trace shows that timers alone end the wait of a pile.
func clocked(r *Reading, p *view.Pile) bool {
	for w := range r.WaitsAt(r.Summary(), p.At) {
		if endedByTimers(w) {
			return true
		}
	}
	return false
}

// endTicks is for goroutines that work whenever their ticker ticks: one does for all what many do, or each has an end.
func endTicks(r *Reading, p *view.Pile) casefile.Remedy {
	at, by := r.Place(p.At), "what starts them"
	id, ok := mostOf(p.Started)
	if ok {
		by = r.Place(id)
	}
	const nobody = "Nobody closes a ticker's channel, and its Stop ends no loop over it."
	if ok && isMethod(r.Table.Func(id)) { // each of its owners has one
		return doChange("End each with its owner", fmt.Sprintf("%s starts one for each: select at %s on a channel beside the "+
			"ticker, which the owner's Stop or Close closes, or on ctx.Done(). %s", by, at, nobody), "none")
	}
	return withNeeds(casefile.NeedsOneForAll, doChange("Start one for all, or end each with its context", fmt.Sprintf("Call %s once and share what it "+
		"gives. Or select at %s on ctx.Done() beside the ticker, and cancel that when what it works for has ended. %s",
		by, at, nobody), "none"))
}

func timerRemedies() []Remedy {
	return []Remedy{
		cancelContexts(),
		byChange("", "Stop timers that are no longer needed", "At {line}: keep what AfterFunc or NewTimer returns and Stop "+
			"it when the work is done (defer). One of time.After cannot be stopped and stays until it fires, before Go 1.23 or "+
			"with an older go line in go.mod: NewTimer and Stop in its place.", "none"),
		byChange("", "One timer for many", "For thousands of entries that expire: a queue sorted by time with one timer "+
			"for the first, or a sweep once a second, or Reset of an existing timer.",
			"entries expire up to a second late"),
	}
}

// cancelContexts is for contexts that stay with their parent.
func cancelContexts() Remedy {
	return byChange("", "Cancel each context when its work ends", "At {line}: its parent keeps each context, with all it "+
		"refers to, until it is cancelled. Call the CancelFunc when the work ends, on every path (defer cancel(); go vet "+
		"finds some that are dropped), also of context.WithTimeout; of context.AfterFunc the stop that it returned.",
		"none")
}
