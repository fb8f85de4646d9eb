package casebook

import (
	"time"

	"github.com/gocasebook/casebook/budget"
	"github.com/gocasebook/casebook/target"
)

// A factual target knows what captures of it cost.
type factual interface{ Facts() target.Facts }

// An expense is a capture that the budget granted, until it is settled.
type expense struct {
	w         *Watch
	grant     *budget.Grant
	predicted time.Duration // of CPU
}

// ask reserves what a capture is predicted to cost, or says why it is refused.
func (w *Watch) ask(kind string, span time.Duration) (*expense, error) {
	w.mu.Lock()
	ledger := w.ledger
	w.mu.Unlock()
	predicted := w.predict(kind, span)
	grant, err := ledger.Ask(time.Now(), kind, predicted)
	return &expense{w, grant, predicted.CPU}, err
}

func (w *Watch) predict(kind string, span time.Duration) budget.Cost {
	return budget.Predict(kind, span, w.facts())
}

// facts are what costs are predicted from. A target that cannot tell is predicted by what its vitals say.
func (w *Watch) facts() budget.Facts {
	if t, ok := ability[factual](w.layers); ok {
		return budget.Facts(t.Facts())
	}
	return budget.Facts{Outside: true}
}

// settle replaces what was predicted by what the capture did cost, and adds that to what Casebook has cost. err is how
// it ended.
func (e *expense) settle(p target.Profile, err error) {
	cpu := budget.Price(e.predicted, p.Cost, p.Used, err == nil)
	e.grant.Settle(time.Now(), budget.Cost{CPU: cpu, Bytes: int64(len(p.Data)), Pause: p.Pause, Longest: p.Pause})
	e.w.mu.Lock()
	defer e.w.mu.Unlock()
	e.w.status.CPU += cpu
}
