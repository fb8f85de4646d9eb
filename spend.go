package casebook

import (
	"time"

	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/internal/budget"
)

// A factual target knows the facts that predict what its captures cost.
type factual interface{ Facts() instance.Facts }

// An expense is a capture that the budget granted, until it is settled.
type expense struct {
	w         *Watch
	grant     *budget.Grant
	predicted time.Duration // of CPU
}

// ask reserves the predicted cost of a capture, or says why it is rejected.
func (w *Watch) ask(kind string, span time.Duration) (*expense, error) {
	return w.askWith((*budget.Ledger).Ask, kind, span)
}

// askDear is ask for what may stop the target longer than is usual.
func (w *Watch) askDear(kind string, span time.Duration) (*expense, error) {
	return w.askWith((*budget.Ledger).AskDear, kind, span)
}

func (w *Watch) askWith(ask func(*budget.Ledger, time.Time, string, budget.Cost) (*budget.Grant, error), kind string,
	span time.Duration) (*expense, error) {
	w.mu.Lock()
	ledger := w.ledger
	w.mu.Unlock()
	predicted := w.predict(kind, span)
	grant, err := ask(ledger, time.Now(), kind, predicted)
	return &expense{w, grant, predicted.CPU}, err
}

func (w *Watch) predict(kind string, span time.Duration) budget.Cost {
	return budget.Predict(kind, span, w.facts())
}

// facts are the basis of predicted costs. If a target does not know them, its vitals are used.
func (w *Watch) facts() budget.Facts {
	if t, ok := ability[factual](w.layers); ok {
		return budget.Facts(t.Facts())
	}
	return budget.Facts{Outside: true}
}

// settle replaces the predicted cost with the actual cost of the capture, and adds that to Casebook's own cost. err is
// the capture's error.
func (e *expense) settle(p instance.Profile, err error) {
	cpu := budget.Price(e.predicted, p.Cost, p.Used, err == nil)
	e.grant.Settle(time.Now(), budget.Cost{CPU: cpu, Bytes: int64(len(p.Data)), Pause: p.Pause, Longest: p.Pause})
	e.w.mu.Lock()
	defer e.w.mu.Unlock()
	e.w.status.CPU += cpu
}
