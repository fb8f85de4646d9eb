package budget

import (
	"errors"
	"sync"
	"time"

	"github.com/gocasebook/casebook/internal/number"
)

// A Ledger grants or refuses captures, so that in no 60 minutes those it granted cost more than its limits, as long as
// each costs no more than was predicted. The last quarter of each limit is kept for cheap evidence (see resources):
// when a service is in trouble all day, the cheap profiles of the evening are worth more than the expensive ones of the
// morning. Its methods are safe for concurrent use.
type Ledger struct {
	limits Limits
	dear   bool // nobody has set Limits.Longest

	mu      sync.Mutex // guards what follows
	hour    hour
	refused map[string]Refusal
}

// A Refusal counts what was refused of one kind.
type Refusal struct {
	Count int       `json:"count"`
	Last  time.Time `json:"last"`
	Why   string    `json:"why"` // the last time
}

// Status is a Ledger's account.
type Status struct {
	// in the last 60 minutes, predictions not settled yet included; Longest is of those settled
	Spent   Cost               `json:"spent"`
	Limits  Limits             `json:"limits"`  // with their defaults
	Refused map[string]Refusal `json:"refused"` // by kind, since New
}

// New returns a ledger that continues from a state, the zero State if there is none. Limits that contradict each other
// (Validate) all hold.
func New(limits Limits, st State, now time.Time) *Ledger {
	l := &Ledger{limits: limits.withDefaults(), dear: limits.Longest == 0, hour: newHour(now),
		refused: make(map[string]Refusal)}
	l.hour.restore(st)
	return l
}

// A Grant is the permission to take one capture. It is in the ledger with its prediction until it is settled.
type Grant struct {
	ledger *Ledger
	minute int64
	cost   Cost // what the ledger has for it; guarded by Ledger.mu
}

// Ask asks for a capture that is predicted to cost something, and reserves that. The error is a *RefusedError.
func (l *Ledger) Ask(now time.Time, kind string, predicted Cost) (*Grant, error) {
	return l.ask(now, kind, predicted, l.limits.Longest)
}

// AskDear is Ask for what nothing cheaper can tell: where nobody has set Limits.Longest, it may stop the world for as
// long as DearLongest. Who asks does so once a case.
func (l *Ledger) AskDear(now time.Time, kind string, predicted Cost) (*Grant, error) {
	longest := l.limits.Longest
	if l.dear && longest >= DefaultLongest {
		longest = DearLongest
	}
	return l.ask(now, kind, predicted, longest)
}

func (l *Ledger) ask(now time.Time, kind string, predicted Cost, longest time.Duration) (*Grant, error) {
	predicted = predicted.sane()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hour.advance(now)
	if e := l.refuse(predicted, longest); e != nil {
		e.Kind = kind
		l.count(now, kind, e)
		return nil, e
	}
	predicted.Longest = 0 // the account lists stops that were measured
	g := &Grant{l, l.hour.minute(), predicted}
	l.hour.spend(g.minute, predicted)
	return g, nil
}

// refuse is why the hour cannot pay a cost, nil if it can. longest bounds a single stop; negative for no bound.
func (l *Ledger) refuse(c Cost, longest time.Duration) *RefusedError {
	if longest >= 0 && c.Longest > longest {
		return &RefusedError{Resource: longestStop, Predicted: number.Duration(c.Longest),
			Limit: number.Duration(longest)}
	}
	spent := l.hour.spent()
	for _, r := range resources() {
		limit, want, had := r.limit(l.limits), r.of(c), r.of(spent)
		if limit < 0 || want == 0 {
			continue
		}
		usable := limit
		if want > r.cheap {
			usable = limit - limit/4
		}
		if had <= usable-want { // not had+want: a sum might wrap around
			continue
		}
		e := &RefusedError{Resource: r.name, Predicted: r.format(want), Spent: r.format(had), Limit: r.format(limit),
			Reserved: had <= limit-want}
		if wait, ok := l.hour.fits(r.of, usable-want); ok {
			e.Again = l.hour.last.Add(wait + bucket - 1).Truncate(bucket) // people read minutes
		}
		return e
	}
	return nil
}

// maxKinds bounds the counters; casefile has 14 kinds.
const maxKinds = 64

func (l *Ledger) count(now time.Time, kind string, e error) {
	r, known := l.refused[kind]
	if !known && len(l.refused) >= maxKinds {
		return
	}
	l.refused[kind] = Refusal{r.Count + 1, now, e.Error()}
}

// Settle replaces what was predicted by what the capture did cost, its zero value for one that did not come about. A
// nil Grant and a grant whose hour is over have nothing to settle. The last of several calls counts.
func (g *Grant) Settle(now time.Time, actual Cost) {
	if g == nil {
		return
	}
	actual = actual.sane()
	l := g.ledger
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hour.advance(now)
	l.hour.replace(g.minute, g.cost, actual)
	g.cost = actual
}

// Status tells what the last hour has cost, and what was refused.
func (l *Ledger) Status(now time.Time) Status {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hour.advance(now)
	st := Status{Spent: l.hour.spent(), Limits: l.limits, Refused: make(map[string]Refusal, len(l.refused))}
	for kind, r := range l.refused {
		st.Refused[kind] = r
	}
	return st
}

// Refused reports whether err is, or wraps, a refusal.
func Refused(err error) bool {
	var e *RefusedError
	return errors.As(err, &e)
}
