package rule

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// A Stuck tests whether goroutines wait at one place and none of them gets on.
//
//	{"stuck": {"for": "5m", "in": "mycompany/billing", "min": 1}}
//
// It is judged on censuses: every 10 to 30 s the watch counts the goroutines at each stack, by a cheap goroutine profile
// (Engine.Census). A place is stuck when each census of the last For found the same stack with the same count, Min or
// more.
//
// What this cannot tell. A cheap profile has no goroutine IDs: workers that take turns at a lock, as many at each census,
// look like workers that are stuck; Min and a long For make that unlikely. A queue that grows has a new count at each
// census and is not stuck by this measure; a rise of goroutines sees it. An idle pool waits as a stuck one does: so
// without In only those waits count that nobody idles in, for locks and to send into a channel.
type Stuck struct {
	// For is how long the count must have been the same, from 30s to 24h.
	For Duration `json:"for"`
	// In limits the test to functions whose name, with or without the leading elements of its path, begins so:
	// "billing.(*Queue)" and "shop/billing" find example.com/shop/billing.(*Queue).push. Then any wait counts.
	In string `json:"in,omitempty"`
	// Min is how many goroutines must wait there. Zero means 1.
	Min int `json:"min,omitempty"`
}

const (
	minStuckFor = 30 * time.Second // a census is taken every 30 s at the least: two of them make a hold
	maxStuckFor = 24 * time.Hour

	// staleCensus is the age beyond which a census says nothing of now: four of the slowest were missed.
	staleCensus = 2 * time.Minute
)

// A holding is what the last census saw of a Stuck: the place that has been the same for the longest.
type holding struct {
	at    time.Time // of the census, zero before the first
	fn    string
	wait  string
	count int       // zero where no place counts
	since time.Time // of the first census with this count
}

// wants reports whether a place counts.
func (st *Stuck) wants(fn, wait string, count int) bool {
	switch {
	case count < max(st.Min, 1):
		return false
	case st.In != "":
		return within(fn, st.In)
	}
	return slices.Contains(busyWaits[:], wait)
}

// busyWaits are the waits that nobody idles in.
var busyWaits = [...]string{vitals.WaitMutexLock, vitals.WaitRWMutexLock, vitals.WaitRLock, vitals.WaitChanSend}

// within reports whether a function's name begins with prefix, at its beginning or at a later element of its package's
// path. Type arguments in brackets have paths of their own, which do not count.
func within(fn, prefix string) bool {
	path, _, _ := strings.Cut(fn, "[")
	for {
		if strings.HasPrefix(fn, prefix) {
			return true
		}
		i := strings.IndexByte(path, '/')
		if i < 0 {
			return false
		}
		fn, path = fn[i+1:], path[i+1:]
	}
}

// stuck reads a Stuck: have is how many seconds the place has been the same, need how many it takes.
func (n *node) stuck(m moment) reading {
	h := &n.place
	if h.at.IsZero() || m.sample.Time.Sub(h.at) > staleCensus {
		return reading{state: unknown}
	}
	r := reading{state: no, enough: true, need: time.Duration(n.cond.Stuck.For).Seconds()}
	if h.count > 0 {
		r.have = h.at.Sub(h.since).Seconds()
	}
	if h.count > 0 && r.have >= r.need {
		r.state = yes
	}
	return r
}

// text says what waits: "2 goroutines wait in billing.(*Queue).push (chan send), the same for 5m10s".
func (h *holding) text() string {
	noun, wait := "goroutines wait", ""
	if h.count == 1 {
		noun = "goroutine waits"
	}
	if h.wait != "" {
		wait = " (" + h.wait + ")"
	}
	return fmt.Sprintf("%d %s in %s%s, the same for %s", h.count, noun, h.fn, wait, short(h.at.Sub(h.since).Round(time.Second)))
}

// whyNotStuck says why a Stuck does not hold.
func (n *node) whyNotStuck() string {
	switch h := &n.place; {
	case h.at.IsZero():
		return "no census of the goroutines yet"
	case n.read.state == unknown:
		return "the last census of the goroutines is older than " + short(staleCensus)
	case h.count == 0:
		return "no goroutines wait so"
	default:
		return h.text()
	}
}

// words are the test for a person.
func (st *Stuck) words() string {
	text := "goroutines stuck"
	if n := max(st.Min, 1); n > 1 {
		text = fmt.Sprintf("%d goroutines or more stuck", n)
	}
	if st.In == "" {
		text += " at a lock or a send"
	} else {
		text += " in " + st.In
	}
	return text + " for " + short(time.Duration(st.For))
}

func validateStuck(c *Condition, path string, fault faultFunc) {
	st := c.Stuck
	if d := time.Duration(st.For); d < minStuckFor || d > maxStuckFor {
		fault(path+".stuck.for", "wants a time from %s to %s, not %s", short(minStuckFor), short(maxStuckFor), st.For)
	}
	if st.Min < 0 {
		fault(path+".stuck.min", "is negative (%d)", st.Min)
	}
	if c.For != 0 {
		fault(path+".for", "belongs inside stuck")
	}
}
