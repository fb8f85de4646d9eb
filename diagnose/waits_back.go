package diagnose

import (
	"fmt"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/wait"
)

// waitsForCaller finds a handler that waits for the library which called it: the library's loop stands in the handler,
// and what the handler and all requests wait for would come by that loop.
func waitsForCaller(r *Reading, g *wait.Graph) (waitAnswer, bool) {
	for _, p := range g.Piles {
		if !p.Request || !p.InAll() || !mostWait(g, p) {
			continue
		}
		c, ok := g.CalledBack(p)
		if !ok {
			continue
		}
		n, at := p.Last(), lineText(r, c.Pile)
		a := waitAnswer{waiters: []*wait.Pile{p}, n: n, limit: capUnsure, score: deadlockScale().Score(float64(n)),
			title: fmt.Sprintf("%s waits for the loop that called it, and %s wait behind it", at, waiting(g, n)),
			summary: fmt.Sprintf("%s called %s, which waits in %s: so do %s, at %s. What would end these waits comes by the "+
				"goroutines of that library, and they stand: one sends at %s, and nobody takes it.",
				r.Place(c.Stack[len(c.Stack)-1]), at, callee(r, c.Pile), waiting(g, n), lineText(r, p), r.Place(c.Loop.At)),
			why: "A library that calls handlers one after the other, on the goroutine that receives, receives nothing while a " +
				"handler runs. A handler that waits for an answer of the same connection waits for ever, and with it everybody " +
				"who waits for one.",
			remedies: []casefile.Remedy{
				doChange("Do not wait in the handler", fmt.Sprintf("At %s: start a goroutine for what waits "+
					"(go func() { … }()), or send without waiting for the acknowledgement; return from the handler at once.", at),
					"what it does may come in another order"),
				doChange("Let handlers run beside the loop", "If the library can call each handler on a goroutine of its own "+
					"(an option for the order of messages, or for the number of workers), turn that on.",
					"messages are handled in any order"),
			}}
		a.places = append(placesOf(c.Pile, "waits for the loop that called it")[:1], placesOf(p, "waits behind it")...)
		a.places = append(a.places, waitPlace{at: c.Loop.At, n: c.Loop.Last(), role: "cannot hand on what has come"})
		return a, true
	}
	return waitAnswer{}, false
}
