package diagnose

import (
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/wait"
)

// lockedAgain finds a reader that asks for its RWMutex a second time while a writer waits: the writer waits for the
// reader, and the reader's second RLock behind the writer. Everybody who holds the lock is such a reader, in each
// capture, and the writer is in another method of the same type.
func lockedAgain(r *Reading, g *wait.Graph) (waitAnswer, bool) {
	owner := func(p *wait.Pile) string { return receiver(g.Table.Func(p.At).Name) }
	for _, q := range g.Queues() {
		p := q.First()
		other := func(h wait.Holder) bool { return h.Park != stacks.WaitRLock || owner(h.Pile) != owner(p) }
		if p.Park != stacks.WaitRLock || len(q.Holders) == 0 || !q.Holders[0].InAll() ||
			slices.ContainsFunc(q.Holders, other) {
			continue
		}
		w := slices.IndexFunc(g.Piles, func(w *wait.Pile) bool {
			return w.Park == stacks.WaitRWLock && owner(w) == owner(p) && w.InAll()
		})
		if w < 0 {
			continue
		}
		h, writer, n := q.Holders[0], g.Piles[w], q.Last()
		inside, again := r.Place(h.Past), r.Place(h.At)
		a := waitAnswer{waiters: q.Waiters, n: n, limit: noCap, score: deadlockScale().Score(float64(n)),
			title: fmt.Sprintf("Goroutines deadlock at %s: a reader takes its RWMutex again, behind a writer",
				lineText(r, h.Pile)),
			summary: fmt.Sprintf("%s has the read lock since %s and waits for it again at %s. %s waits to write at %s, and "+
				"keeps new readers out until the first has gone. %s wait behind the two.", things(float64(h.Last()), "goroutine"),
				inside, again, things(float64(writer.Last()), "goroutine"), r.Place(writer.At), things(float64(n), "goroutine")),
			why: "A writer that waits keeps new readers out, or it would never get its turn. A second RLock of a goroutine " +
				"that reads already is a new reader: it waits for the writer, which waits for it. It goes well until a writer comes " +
				"in between, and then never again.",
			remedies: []casefile.Remedy{
				doChange("RLock must not be taken again below itself", fmt.Sprintf("%s calls what locks again at %s: split it "+
					"into one that locks and one that does not. In a dependency, take a newer version that does.", inside, again), "none"),
				doChange("Keep the writer apart", fmt.Sprintf("Until then, around %s and %s: one sync.Mutex of your own around "+
					"each call, or a new value that is built aside and put in place through an atomic.Pointer.", lineText(r, h.Pile),
					lineText(r, writer)), "readers go one after the other, or changes cost a copy"),
			}}
		a.places = append(placesOf(h.Pile, "has the read lock, and asks again"), placesOf(writer, "waits to write")...)
		return a, true
	}
	return waitAnswer{}, false
}
