package casebook

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/settings"
	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

// Settings are what can be changed while a watch runs.
type Settings struct {
	Rules    []rule.Rule   // empty: unchanged
	Interval time.Duration // 0: unchanged
}

// Set changes settings: all of them, or none, with an error that names every fault. It may be called at any time, from
// any goroutine. The history goes on: what has warmed up does not do so again, and what was sampled is the new rules'
// baseline. For how long a condition has held begins again. Cool-downs and limits per hour stay with the rules' names,
// also where a rule was away for a while.
func (w *Watch) Set(s Settings) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	next := w.settings
	if len(s.Rules) > 0 {
		next.Rules = s.Rules
	}
	if s.Interval != 0 {
		next.Interval = s.Interval
	}
	if err := w.apply(next, len(s.Rules) > 0); err != nil {
		return fmt.Errorf("casebook: %w", err)
	}
	select {
	case w.retick <- struct{}{}:
	default: // the loop has not looked since the last change, and will find this one, too
	}
	return nil
}

// Settings returns the current settings.
func (w *Watch) Settings() Settings {
	w.mu.Lock()
	defer w.mu.Unlock()
	return Settings{Rules: slices.Clone(w.settings.Rules), Interval: w.settings.Interval}
}

// apply puts checked settings in force. w.mu is held.
func (w *Watch) apply(s Settings, newRules bool) error {
	errs := []error{settings.Interval.CheckField(s.Interval)}
	engine, err := rule.NewEngine(s.Rules, w.catalog)
	if err != nil {
		errs = append(errs, fmt.Errorf("field Rules: %w", err))
	} else if lookback := rule.Lookback(s.Rules); s.Interval > 0 && lookback/s.Interval > maxHistory {
		errs = append(errs,
			fmt.Errorf("field Rules: they look back %s, which at an interval of %s is more than %d samples", lookback,
				s.Interval, maxHistory))
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if newRules {
		if w.engine != nil {
			engine.Follow(w.engine, time.Now())
		}
		w.engine, s.Rules = engine, engine.Rules() // its copy
	}
	w.settings = s
	w.resize()
	return nil
}

// resize makes the history as long as the rules look back: a rule that sees less never fires.
func (w *Watch) resize() {
	span := max(w.cfg.History, rule.Lookback(w.settings.Rules))
	old := w.history
	size := min(int(span/w.settings.Interval), maxHistory) + 1
	if w.history = vitals.NewHistory(size); !w.self { // a guest makes no garbage, and is one
		w.history = vitals.NewPackedHistory(size)
	}
	if old == nil {
		return
	}
	for _, s := range old.Samples() {
		w.history.Add(s)
	}
}

// prune removes old cases. It reports those it removed, limits that cannot be kept, and failures, which are never
// fatal: the next case prunes again.
func (w *Watch) prune() casefile.Pruned {
	var p casefile.Pruned
	err := guard("pruning cases", func() (err error) {
		p, err = casefile.Dir(w.cfg.Dir).Prune(w.cfg.Retention, time.Now())
		return err
	})
	if err != nil {
		w.fail(err)
	} else {
		w.mu.Lock()
		w.status.Bytes = p.Bytes
		w.mu.Unlock()
	}
	if err != nil || len(p.Removed) > 0 || p.OverBytes > 0 {
		w.emit(Event{Kind: Pruned, Pruned: p, Err: err})
	}
	return p
}
