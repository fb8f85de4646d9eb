package casebook

import (
	"time"

	"github.com/gocasebook/casebook/budget"
	"github.com/gocasebook/casebook/target"
)

// A factual target knows what captures of it cost.
type factual interface{ Facts() target.Facts }

// ask reserves what a capture is predicted to cost, or says why it is refused.
func (w *Watch) ask(kind string, span time.Duration) (*budget.Grant, error) {
	w.mu.Lock()
	ledger := w.ledger
	w.mu.Unlock()
	return ledger.Ask(time.Now(), kind, w.predict(kind, span))
}

func (w *Watch) predict(kind string, span time.Duration) budget.Cost {
	return budget.Predict(kind, span, w.facts())
}

// facts are what costs are predicted from. A target that cannot tell is predicted by what its vitals say.
func (w *Watch) facts() budget.Facts {
	if t, ok := w.cfg.Target.(factual); ok {
		return budget.Facts(t.Facts())
	}
	return budget.Facts{Outside: true}
}

// cost is what a capture did cost. The time to answer stands for CPU: a snapshot is work from its beginning to its
// end. It counts too much where the target waited for a core, and is on the safe side then.
func cost(p target.Profile) budget.Cost {
	return budget.Cost{CPU: max(p.Cost, 0), Bytes: int64(len(p.Data)), Pause: p.Pause, Longest: p.Pause}
}

// paid adds a capture's cost to what Casebook has cost.
func (w *Watch) paid(p target.Profile) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.status.CPU += max(p.Cost, 0)
}
