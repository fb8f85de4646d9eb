package casebook

import (
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/budget"
	"github.com/gocasebook/casebook/rule"
)

// A state is what a watch remembers across restarts: the rules' cool-downs and limits per hour, and what captures have
// cost in the last hour. So a service that crashes in a loop is not profiled in every round.
type state struct {
	Rules  rule.State   `json:"rules"`
	Budget budget.State `json:"budget"`
}

// stateOf names the state: each target of a folder has its own.
func (w *Watch) stateOf() string {
	if w.target.URL != "" {
		return w.target.URL
	}
	return w.target.Name
}

// restore loads the state of the run before. Without one, or with a damaged one, it starts from scratch.
func (w *Watch) restore() {
	w.mu.Lock()
	name := w.stateOf()
	w.mu.Unlock()
	var s state
	found, err := casefile.Dir(w.cfg.Dir).LoadState(name, &s)
	if err != nil {
		w.fail(err)
	}
	if !found {
		return
	}
	now := time.Now()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.engine.Restore(s.Rules, now)
	w.ledger = budget.New(budget.Limits(w.cfg.Budget), s.Budget, now)
}

// save writes the state. It keeps the state of other watches with the same target and folder: a manual capture has
// other rules than the watch, and today's watch may have other rules than yesterday's.
func (w *Watch) save() {
	w.mu.Lock()
	name, s := w.stateOf(), state{Rules: w.engine.State(), Budget: w.ledger.State()}
	w.mu.Unlock()
	var old state
	if _, err := casefile.Dir(w.cfg.Dir).LoadState(name, &old); err != nil {
		w.fail(err)
	} else {
		s.keep(old, time.Now())
	}
	if err := casefile.Dir(w.cfg.Dir).SaveState(name, s); err != nil {
		w.fail(err)
	}
}

// Limits of what is kept for others: no cool-down is longer than a year, and no folder has more rules.
const (
	maxForeignAge   = 366 * 24 * time.Hour
	maxForeignRules = 256
)

// keep adds what s does not know: the firings of rules that have not fired here, and, minute by minute, what captures
// cost where that is more than s has. The cost of both in one minute is not added up, because the old state holds what
// s took up from it.
func (s *state) keep(old state, now time.Time) {
	for name, fired := range old.Rules.Fired {
		if s.Rules.Fired[name] != nil || len(fired) == 0 || len(s.Rules.Fired) >= maxForeignRules {
			continue
		}
		if age := now.Sub(slices.MaxFunc(fired, time.Time.Compare)); age < 0 || age > maxForeignAge {
			continue
		}
		if s.Rules.Fired == nil {
			s.Rules.Fired = make(map[string][]time.Time)
		}
		s.Rules.Fired[name] = fired
	}
	for _, m := range old.Budget.Minutes {
		if age := now.Sub(m.Start); age < 0 || age > 2*time.Hour {
			continue
		}
		start := m.Start.Round(time.Minute)
		i := slices.IndexFunc(s.Budget.Minutes,
			func(o budget.Minute) bool { return o.Start.Round(time.Minute).Equal(start) })
		if i < 0 {
			s.Budget.Minutes = append(s.Budget.Minutes, m)
			continue
		}
		c := &s.Budget.Minutes[i].Cost
		c.CPU, c.Bytes = max(c.CPU, m.CPU), max(c.Bytes, m.Bytes)
		c.Pause, c.Longest = max(c.Pause, m.Pause), max(c.Longest, m.Longest)
	}
}
