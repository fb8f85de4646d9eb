package diagnose

import (
	"context"
	"fmt"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/hold"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// contextScale is in shares of the CPU below look-ups of context values. A request's context has some ten values, and a
// look-up takes 5 ns for each: services that look up a hundred a request stay below 5 %.
func contextScale() Scale { return Scale{Worth: 0.05, Hurts: 0.30, Top: 0.8} }

const (
	// of the contexts that a function has made, this part is alive: a request's contexts end with it
	chainKept = 0.5
	// fewer sampled allocations than this do not tell that they stay; two do where a later profile has more, or where
	// look-ups are slow
	chainSamples, chainSure = 4, 2
	// With this share of the CPU in look-ups, no later profile needs to have more: a chain of 20,000 lets so few rounds
	// through that none of their contexts is sampled within ten seconds.
	chainSlow = 0.5
)

func contextChain() Detector {
	return Detector{
		ID:         "CPU022",
		Kind:       "context-chain",
		Title:      "A context grows with each round of a loop",
		OtherNames: []string{"nested-context"},
		Text: `ctx = context.WithValue(ctx, …) in a loop, or into a field that lives on, makes each context the parent
of the next: none is freed, and a value is looked for in all of them.

Two signs must come together: looking up context values takes CPU (worth knowing from 5 %, hurting from 30 %), and half
of what the lines that make contexts have allocated is alive, by 4 samples. Of two heap profiles the later must have
more, and 2 samples are enough, unless look-ups take half of the CPU: so slow a loop hardly goes on. The place is what
makes the contexts, or calls all that do.`,
		Needs: []Need{{Kinds: []string{casefile.CPU}, Reason: "no CPU profile", Capture: captureCPU},
			needHeap("which contexts stay is not in other evidence")[0]},
		Before:   `for m := range inbox { ctx = context.WithValue(ctx, idKey, m.ID); handle(ctx, m) }`,
		After:    `for m := range inbox { handle(context.WithValue(ctx, idKey, m.ID), m) }`,
		Remedies: chainRemedies(),
		Explains: append(related(nil, "mem-leak"), Relation{Kind: "chan-bottleneck", If: Mentioned, Leads: true}),
		Absorbs:  related(looksUpContext, "cpu-hot-function", "cpu-linear-search"),
		Run:      runContextChain,
	}
}

// looksUpContext fits a finding about looking up a context's values.
func looksUpContext(_, other casefile.Finding) bool {
	for _, p := range other.Where {
		if known.Of(p.Function).Does(known.AsksContext) {
			return true
		}
	}
	return false
}

func runContextChain(_ context.Context, r *Reading) Answer {
	v := r.cpu()
	if v == nil || !v.enough() || v.level.idle() {
		return Answer{}
	}
	looks := v.below(r, withWork(known.AsksContext))
	// Little CPU is no reason to wait: each round makes the later ones slower.
	score := min(contextScale().Score(looks.share), capUnsure)
	if score < worthKnowing {
		return Answer{}
	}
	at, ok := keptContexts(r, looks.share)
	if !ok {
		return Answer{}
	}
	place := r.Place(at)
	return found(casefile.Finding{
		Title: fmt.Sprintf("A context grows at %s: looking up its values takes %s of the CPU", place,
			percent(looks.share)),
		Score: score, Confidence: Confidence(looks.share, v.samples),
		Summary: fmt.Sprintf("Looking up values of contexts takes %s of the CPU, and the contexts that are made at %s "+
			"stay alive. %s", percent(looks.share), place, levelSentence(v.level)),
		Explanation: "Each context has the one before it as its parent, and a look-up walks through all of them: each " +
			"round makes later ones slower, and the memory of all stays.",
		Where: append([]casefile.Frame{r.Frame(at, 0, "makes contexts that stay")},
			looks.where(r, "looks up a value (share of the CPU)", 2)...),
		Impact: casefile.Impact{Resource: "cpu", Share: roundShare(looks.share),
			Text: percent(looks.share) + " of the CPU the process used, and more with each round",
			Gain: allButSome(looks.share, percent(looks.share)+" of the CPU in look-ups")},
		Remedies: remediesAt(place, chainRemedies()...),
		Evidence: addBasis(Basis(v.set), Basis(r.holds().Last)),
	})
}

// keptContexts is the user's line below which contexts are made that stay; looks is the share of the CPU in look-ups.
func keptContexts(r *Reading, looks float64) (at stacks.FrameID, ok bool) {
	h := r.holds()
	if h == nil {
		return stacks.NoFrame, false
	}
	lines := contextLines(r)
	s := h.Sum(func(b *hold.Held) bool { return lines[b.Line] })
	if s == nil {
		return stacks.NoFrame, false
	}
	least, grows := float64(chainSamples), h.First != nil && s.Grown().Objects > 0
	if grows || looks >= chainSlow {
		least = chainSure
	}
	if s.Now.Objects < chainKept*s.Made.Objects || s.Samples < least || h.First != nil && !grows && looks < chainSlow {
		return stacks.NoFrame, false
	}
	return commonLine(r.Table, s)
}

// commonLine is the line of the user's function that has nearly all below it: whoever makes another context beside the
// chain must not hide who makes the chain.
func commonLine(t *stacks.Table, s *hold.Sum) (stacks.FrameID, bool) {
	const nearlyAll = 0.8
	bytes := func(b *hold.Held) float64 { return b.Now.Bytes }
	fn, _, ok := deepestCommon(t, weighHeld(s.Held, bytes), ofOwner(stacks.User), atLeast(nearlyAll))
	lines := map[stacks.FrameID]float64{}
	for _, b := range s.Held {
		if id := lineIn(t, b.Stack, fn); id != stacks.NoFrame {
			lines[id] += b.Now.Bytes
		}
	}
	at, most := heaviest(lines)
	return at, ok && most
}

// contextLines are the user's lines that make contexts, themselves or by a library. A value that such a line puts into
// an interface is kept as long as the context, and has no frame of package context on its stack.
func contextLines(r *Reading) map[stacks.FrameID]bool {
	lines := map[stacks.FrameID]bool{}
	for _, set := range r.All(casefile.Heap, casefile.CPU) {
		for i := range set.Samples {
			stack := set.Samples[i].Stack
			if id, u := r.Table.UserFrame(stack); u > 0 && r.Table.Has(stack[:u], withWork(known.DerivesContext)) {
				lines[id] = true
			}
		}
	}
	return lines
}

func chainRemedies() []Remedy {
	return []Remedy{
		byChange("", "A context for each round, from the one outside", "At {line}: c := context.WithValue(ctx, …), and pass "+
			"c on; ctx itself stays as it was before the loop.", "none"),
		byChange("", "One value with all fields", "At {line}: one struct under one key, made once a round, instead of a "+
			"context for each field.", "code that reads the fields changes"),
		byChange("", "Pass it as an argument", "A context's values are for what passes through code that does not know "+
			"them; what each round needs is an argument.", "signatures change"),
	}
}
