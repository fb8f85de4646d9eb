package rule

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// A Stuck tests whether goroutines wait at one place and none of them makes progress.
//
//	{"stuck": {"for": "5m", "in": "mycompany/billing", "min": 1}}
//
// It is judged on censuses: every 10 to 30 s the watch counts the goroutines at each stack, by a cheap goroutine
// profile (Engine.Census). A place is stuck when each census of the last For found the same stack with the same count,
// Min or more.
//
// With Growing a pile counts instead of a number: no census of the last For found fewer goroutines at the place than
// the one before, and the last found twice as many as the first, and Min more. This is how a lock looks whose holder is
// too slow for those that come, and so do sends whose receiver has left. A pool that waits has one size, and a queue
// that is served falls now and then.
//
// With Arriving goroutines arrive at any place but a sleep, evenly, and none leaves: twelve or Min more within For,
// beyond what Beyond explains. That is a leak at any load and any number.
//
// What this cannot tell. A cheap profile has no goroutine IDs: workers that take turns at a lock, as many at each
// census, look like workers that are stuck; Min and a long For make that unlikely. A queue that grows has a new count
// at each census and is not stuck without Growing. An idle pool waits as a stuck one does: so without In only those
// waits count in which nothing idles, for locks and to send into a channel.
type Stuck struct {
	// For is how long the count must have been the same, from 30s to 24h.
	For Duration `json:"for"`
	// In limits the test to functions whose name, with or without the leading elements of its path, begins with it:
	// "billing.(*Queue)" and "shop/billing" find example.com/shop/billing.(*Queue).push. Then any wait counts.
	In string `json:"in,omitempty"`
	// At limits the waits that count: "lock" or "send". Empty means both, and with In any wait.
	At string `json:"at,omitempty"`
	// Min is how many goroutines must wait there; with Growing, how many must have been added. Zero means 1.
	Min int `json:"min,omitempty"`
	// Growing requires a growing pile instead of a constant number.
	Growing bool `json:"growing,omitempty"`
	// Arriving requires that goroutines arrive evenly at one place, of any wait but a sleep, and none leaves.
	Arriving bool `json:"arriving,omitempty"`
	// Beyond names, for Arriving, the signals of load, as Growth.Beyond does: a rise of connections explains twice as
	// many goroutines at a place, and another one twice its share of them.
	Beyond []string `json:"beyond,omitempty"`
}

// stuck is a Stuck as a kind.
var stuck = kind{
	name: "stuck", class: alone,
	set:      func(c *Condition) bool { return c.Stuck != nil },
	validate: validateStuck,
	words: func(c *Condition, _ vitals.Signal, _ *vitals.Catalog) string {
		return c.Stuck.words()
	},
	start: func(n *node, catalog *vitals.Catalog) any {
		return &holding{loads: newLoads(n.cond.Stuck.Beyond, catalog)}
	},
	keep: kept[holding],
	reset: func(n *node) {
		h := n.state.(*holding)
		*h = holding{loads: h.loads, load: h.load}
	},
	share: func(n *node, all *shared) {
		h := n.state.(*holding)
		for _, id := range h.loads.id {
			h.load = append(h.load, all.slots(id, n.cond.Stuck.loadWidth()))
		}
	},
	measure: (*node).stuck,
	census: func(n *node, c *census, at time.Time, settled bool) {
		switch {
		case settled && n.cond.Stuck.Arriving:
			*n.state.(*holding) = c.piling(n, at)
		case settled:
			*n.state.(*holding) = c.longest(n.cond.Stuck, at)
		}
	},
	wants: func(n *node, p *vitals.Place) bool {
		return n.cond.Stuck.wants(p.Func, p.Wait, max(n.cond.Stuck.Min, 1)) ||
			n.cond.Stuck.Arriving && n.cond.Stuck.wants(p.Func, p.Wait, p.Count)
	},
	way:        func(n *node, _ float64) float64 { return ratio(n.read.have, n.read.need) },
	why:        (*node).whyNotStuck,
	report:     func(n *node, _ *vitals.Sample) string { return n.state.(*holding).text() },
	value:      func(n *node) float64 { return float64(n.state.(*holding).count) },
	unrecorded: noStacks,
}

const (
	minStuckFor = 30 * time.Second // a census is taken every 30 s at least: two of them make a hold
	maxStuckFor = 24 * time.Hour

	// staleCensus is the age beyond which a census says nothing about now: four of the slowest were missed.
	staleCensus = 2 * time.Minute
)

// A holding is what the last census found for a Stuck: the place that has been the same for the longest.
type holding struct {
	at    time.Time // of the census, zero before the first
	fn    string
	wait  string
	count int       // zero where no place counts
	since time.Time // of the first census with this count; with Growing, of the first of those that found no fewer
	first int       // with Growing and Arriving: what that one found

	began time.Time // of the process that it judges
	loads loads     // with Arriving
	load  []*slots  // of each of them
}

// wants reports whether a place counts.
func (st *Stuck) wants(fn, wait string, count int) bool {
	switch {
	case st.Arriving:
		return wait != "" && wait != vitals.WaitSleep && (st.In == "" || within(fn, st.In))
	case count < max(st.Min, 1):
		return false
	case st.At == atLock && !slices.Contains(lockWaits[:], wait), st.At == atSend && wait != vitals.WaitChanSend:
		return false
	case st.In != "":
		return within(fn, st.In)
	}
	return wait == vitals.WaitChanSend || slices.Contains(lockWaits[:], wait)
}

// The values of At.
const (
	atLock = "lock"
	atSend = "send"
)

// lockWaits are the waits for locks; idle goroutines do not wait there, nor in sends.
var lockWaits = [...]string{vitals.WaitMutexLock, vitals.WaitRWMutexLock, vitals.WaitRLock}

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
func (n *node) stuck(_ float64, m moment) reading {
	h := n.state.(*holding)
	n.takeLoad(h, m)
	if h.at.IsZero() || m.sample.Time.Sub(h.at) > staleCensus {
		return reading{state: unknown}
	}
	r := reading{state: no, enough: true, need: time.Duration(n.cond.Stuck.For).Seconds()}
	if h.count > 0 {
		r.have = h.at.Sub(h.since).Seconds()
	}
	st := n.cond.Stuck
	piled := !st.Growing || st.Arriving || h.count >= 2*h.first && h.count-h.first >= max(st.Min, 1)
	if h.count > 0 && r.have >= r.need && piled {
		r.state = yes
	}
	return r
}

// takeLoad adds a sample to what is known of load.
func (n *node) takeLoad(h *holding, m moment) {
	restart := len(h.load) > 0 && !h.began.Equal(m.began)
	for i, b := range h.load {
		if restart {
			b.restart(n.cond.Stuck.loadWidth(), m.began)
		}
		v, _ := m.sample.Get(h.loads.id[i])
		b.take(m, v)
	}
	h.began = m.began
}

// loadWidth cuts the time into stretches in which load is looked at.
func (st *Stuck) loadWidth() time.Duration { return time.Duration(st.For) / numSlots }

// text says what waits: "2 goroutines wait in billing.(*Queue).push (chan send), the same for 5m10s".
func (h *holding) text() string {
	noun, wait := "goroutines wait", ""
	if h.count == 1 {
		noun = "goroutine waits"
	}
	if h.wait != "" {
		wait = " (" + h.wait + ")"
	}
	held := number.Setting(h.at.Sub(h.since).Round(time.Second))
	if len(h.loads.id) > 0 && h.count > 0 {
		return fmt.Sprintf("%d %s in %s%s, %d %s before: goroutines arrive there and none leaves", h.count, noun, h.fn, wait,
			h.first, held)
	}
	if h.first > 0 {
		return fmt.Sprintf("%d %s in %s%s, %d %s before and never fewer", h.count, noun, h.fn, wait, h.first, held)
	}
	return fmt.Sprintf("%d %s in %s%s, the same for %s", h.count, noun, h.fn, wait, held)
}

// whyNotStuck says why a Stuck does not hold.
func (n *node) whyNotStuck(*vitals.Sample, map[string]string) string {
	switch h := n.state.(*holding); {
	case h.at.IsZero():
		return "no census of the goroutines yet"
	case n.read.state == unknown:
		return "the last census of the goroutines is older than " + number.Setting(staleCensus)
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
	switch {
	case st.Arriving:
		text = fmt.Sprintf("goroutines arriving at one place, %d more, while none leaves,", max(st.Min, minArrivals))
	case st.Growing:
		text = fmt.Sprintf("goroutines piling up, %d more and twice as many,", max(st.Min, 1))
	}
	if st.In != "" {
		text += " in " + st.In
	}
	switch {
	case st.Arriving:
	case st.At != "":
		text += " at a " + st.At
	case st.In == "":
		text += " at a lock or a send"
	}
	text += " for " + number.Setting(time.Duration(st.For))
	if len(st.Beyond) > 0 {
		text += ", beyond what a rise of " + loadWords(st.Beyond) + " explains"
	}
	return text
}

func validateStuck(c *Condition, path string, catalog *vitals.Catalog, fault faultFunc) {
	st := c.Stuck
	if d := time.Duration(st.For); d < minStuckFor || d > maxStuckFor {
		fault(path+".stuck.for", "wants a time from %s to %s, not %s", number.Setting(minStuckFor),
			number.Setting(maxStuckFor), st.For)
	}
	if st.Min < 0 {
		fault(path+".stuck.min", "is negative (%d)", st.Min)
	}
	if st.At != "" && st.At != atLock && st.At != atSend {
		fault(path+".stuck.at", "wants \"lock\" or \"send\", not %q", st.At)
	}
	longest := (maxMarks - 1) * settleEvery
	switch {
	case st.Arriving && (st.Growing || st.At != ""):
		fault(path+".stuck.arriving", "is not possible together with growing and at")
	case st.Arriving && time.Duration(st.For) > longest:
		fault(path+".stuck.for", "wants up to %s with arriving, not %s", number.Setting(longest), st.For)
	case !st.Arriving && len(st.Beyond) > 0:
		fault(path+".stuck.beyond", "belongs to arriving")
	}
	validateLoads(c, st.Beyond, path+".stuck.beyond", catalog, fault)
	if c.For != 0 {
		fault(path+".for", "belongs inside stuck")
	}
}
