package rule

import (
	"fmt"
	"strings"
	"time"

	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// A Polling tests whether some goroutine checks again and again whether there is something to do, and never waits for
// it.
//
//	{"polling": {"for": "1m"}}
//
// It is judged on the same censuses as Stuck. A function polls when every census of the last For found it running, at
// least twenty, and an eighth of them or more in a check: a select with a default, runtime.Gosched, the Err or Done of
// a context. The runtime stops a goroutine at a call. So a loop that does little besides checking is found in a check
// in 5 to 40 of 40 censuses, and work that checks something in each round in none to 3 (diagnose/testdata/polls).
//
// What this cannot tell: a loop that checks a queue of its own under a lock, or reads an atomic, looks like work.
type Polling struct {
	// For is how long it must have been so, from 30s to 24h.
	For Duration `json:"for"`
	// In limits the test to functions whose name begins with it, as for Stuck.
	In string `json:"in,omitempty"`
}

// polling is a Polling as a kind.
var polling = kind{
	name: "polling", class: alone,
	set:      func(c *Condition) bool { return c.Polling != nil },
	validate: validatePolling,
	words: func(c *Condition, _ vitals.Signal, _ *vitals.Catalog) string {
		return c.Polling.words()
	},
	start:      started[asking],
	reset:      cleared[asking],
	measure:    (*node).polling,
	census:     func(n *node, c *census, at time.Time, _ bool) { *n.state.(*asking) = c.poller(n.cond.Polling, at) },
	way:        func(n *node, _ float64) float64 { return ratio(n.read.have, n.read.need) },
	why:        (*node).whyNotPolling,
	report:     func(n *node, _ *vitals.Sample) string { return n.state.(*asking).text() },
	value:      func(*node) float64 { return 1 },
	unrecorded: noStacks,
}

const (
	// A loop that works and checks in each round was found in a check in up to 3 of 40 censuses, one that only checks
	// in 5 or more. Of 31 censuses an eighth or more are checks in 1 of 100 cases of the first, and in 8 of 10 of the
	// second.
	minRunning = 20
	pollShare  = 0.12
)

// A polled function is one that each census since some time found running.
type polled struct {
	since  time.Time
	number uint64 // of the last census that had it
	seen   int    // censuses
	asking int    // of them
	asks   bool   // in this one
}

// addRunning counts a function of the census under way.
func (c *census) addRunning(p *vitals.Place, at time.Time) {
	f := c.running[p.Func]
	if f == nil {
		if len(c.running) >= maxPlaces {
			return
		}
		f = &polled{since: at}
		c.running[strings.Clone(p.Func)] = f
	}
	if f.number != c.number {
		f.number, f.asks = c.number, false
		f.seen++
	}
	if p.Polls && !f.asks {
		f.asks = true
		f.asking++
	}
}

// settleRunning ends a census for the functions that run: those that it did not have are forgotten.
func (c *census) settleRunning() {
	for name, f := range c.running {
		if f.number != c.number {
			delete(c.running, name)
		}
	}
}

// poller is the function that polls by a Polling and has done so for the longest, otherwise the one that is closest to
// it.
func (c *census) poller(p *Polling, at time.Time) asking {
	best := asking{at: at}
	for name, f := range c.running {
		a := asking{at: at, fn: name, since: f.since, seen: f.seen, asking: f.asking}
		if f.asking > 0 && (p.In == "" || within(name, p.In)) && a.before(&best) {
			best = a
		}
	}
	return best
}

// An asking is what the last census saw of a Polling.
type asking struct {
	at           time.Time // of the census, zero before the first
	fn           string    // "" if none polls
	since        time.Time // of the first census that found it running
	seen, asking int
}

func (a *asking) polls() bool {
	return a.seen >= minRunning && float64(a.asking) >= pollShare*float64(a.seen)
}

func (a *asking) before(other *asking) bool {
	switch {
	case other.fn == "" || a.polls() != other.polls():
		return other.fn == "" || a.polls()
	case !a.since.Equal(other.since):
		return a.since.Before(other.since)
	}
	return a.fn < other.fn
}

// polling reads a Polling: have is for how many seconds the function has been running, need how many it takes.
func (n *node) polling(_ float64, m moment) reading {
	a := n.state.(*asking)
	if a.at.IsZero() || m.sample.Time.Sub(a.at) > staleCensus {
		return reading{state: unknown}
	}
	r := reading{state: no, enough: true, need: time.Duration(n.cond.Polling.For).Seconds()}
	if a.fn != "" && a.polls() {
		r.have = a.at.Sub(a.since).Seconds()
	}
	if r.have >= r.need {
		r.state = yes
	}
	return r
}

// text says what polls: "relay.copy never waits: it ran in each of 60 censuses within 2m, and in 9 of them it asked
// whether there is something to do".
func (a *asking) text() string {
	return fmt.Sprintf("%s never waits: it ran in each of %d censuses within %s, and in %d of them it asked whether "+
		"there is something to do",
		a.fn, a.seen, number.Setting(a.at.Sub(a.since).Round(time.Second)), a.asking)
}

// whyNotPolling says why a Polling does not hold.
func (n *node) whyNotPolling(*vitals.Sample, map[string]string) string {
	switch a := n.state.(*asking); {
	case a.at.IsZero():
		return "no census of the goroutines yet"
	case n.read.state == unknown:
		return "the last census of the goroutines is older than " + number.Setting(staleCensus)
	case a.fn == "":
		return "no goroutine asks without waiting"
	default:
		return a.text()
	}
}

// words are the test for a person.
func (p *Polling) words() string {
	text := "a goroutine that polls"
	if p.In != "" {
		text += " in " + p.In
	}
	return text + " for " + number.Setting(time.Duration(p.For))
}

func validatePolling(c *Condition, path string, _ *vitals.Catalog, fault faultFunc) {
	if d := time.Duration(c.Polling.For); d < minStuckFor || d > maxStuckFor {
		fault(path+".polling.for", "wants a time from %s to %s, not %s", number.Setting(minStuckFor),
			number.Setting(maxStuckFor),
			c.Polling.For)
	}
	if c.For != 0 {
		fault(path+".for", "belongs inside polling")
	}
}
