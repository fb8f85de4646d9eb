package rule

import (
	"fmt"
	"math"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// An Outcome is what a rule would have done on recorded vitals.
type Outcome struct {
	Rule    *Rule
	Firings []Firing
	Last    string // why it did not fire on the last sample, or the last firing's text
	Closest []Near // how close each of its tests came; empty if it fired
}

// A Near is how close a condition came to being true.
type Near struct {
	Condition string    // in words
	Time      time.Time // of the closest sample; zero if none could be judged
	Text      string    // what the signal was then, or why it could not be judged
}

const (
	// replayGap is a silence that starts again, like a restart: recordings of two incidents are not one time span. A
	// watch samples once a minute at least.
	replayGap = 2 * time.Minute
	// maxReplay is the most samples of the past that rules see, 62 MB of them.
	maxReplay = 100_000
)

// Replay says what rules would have done on samples of a catalog, which must be in the order of their times. absent has
// the reasons for signals that are missing, by name; it may be nil.
//
// The recording is treated as the whole watch: warm-ups start with its first sample, and so does the past that rules
// look at.
func Replay(rules []Rule, samples []vitals.Sample, catalog *vitals.Catalog, absent map[string]string) ([]Outcome,
	error) {
	e, err := NewEngine(rules, catalog)
	if err != nil {
		return nil, err
	}
	out := make([]Outcome, len(rules))
	seen := make([]record, len(rules))
	for i := range rules {
		out[i].Rule = &e.rules[i]
		e.state[i].when.all(func(n *node) {
			seen[i].nodes = append(seen[i].nodes,
				nodeRecord{node: n, gap: math.Inf(1)})
		})
	}
	h := vitals.NewHistory(min(len(samples), maxReplay))
	last := vitals.NewSample(time.Time{})
	for k := range samples {
		s := &samples[k]
		if k > 0 && s.Time.Sub(last.Time) > replayGap {
			e.Reset()
			e.eachNode(func(n *node) {
				if n.kind.resume != nil {
					n.kind.resume(n)
				}
			})
		}
		fired := e.Step(s, h)
		for i := range out {
			seen[i].add(s, e.state[i].pace.pause == warmingUp)
			for _, f := range fired {
				if f.Rule == out[i].Rule {
					out[i].Firings = append(out[i].Firings, f)
				}
			}
		}
		h.Add(*s)
		last = *s
	}
	for i, v := range e.Explain(&last, absent) {
		out[i].Last = v.Reason
		if len(out[i].Firings) == 0 {
			out[i].Closest = seen[i].closest(absent)
		}
	}
	return out, nil
}

// A record is what a replay remembers of a rule.
type record struct {
	nodes   []nodeRecord
	warming int // samples in which the condition was true during the warm-up
}

// A nodeRecord is the closest that a condition came.
type nodeRecord struct {
	node  *node
	gap   float64 // the smaller, the closer; infinite: never judged
	at    time.Time
	value float64
	read  reading
	state any           // of the node then
	held  time.Duration // the longest
}

func (r *record) add(s *vitals.Sample, warming bool) {
	if warming {
		r.warming++
	}
	for i := range r.nodes {
		r.nodes[i].add(s)
	}
}

func (r *nodeRecord) add(s *vitals.Sample) {
	n := r.node
	if !n.since.IsZero() {
		r.held = max(r.held, s.Time.Sub(n.since))
	}
	if len(n.kids) > 0 {
		return
	}
	v, ok := n.seen(s)
	if !ok {
		v, ok = n.level()
	}
	if !ok && n.cond.Signal != "" || n.read.state == unknown || !n.read.enough {
		return
	}
	gap, is, was := n.gap(v), n.read.state == yes, r.read.state == yes
	if is && !was || is == was && gap < r.gap { // what was true came closest, whatever floors and caps did to others
		r.gap, r.at, r.value, r.read = gap, s.Time, v, n.read
		if n.kind.keep != nil {
			r.state = n.kind.keep(n)
		}
	}
}

// gap says how far a test is from being true: the smaller, the closer. It compares readings of the same test only.
func (n *node) gap(v float64) float64 {
	need := n.read.need
	if n.cond.Min != nil {
		need = max(need, *n.cond.Min)
	}
	if n.kind.gap != nil {
		return n.kind.gap(n, v, need)
	}
	return need - n.read.have
}

func (r *record) closest(absent map[string]string) []Near {
	var near []Near
	for i := range r.nodes {
		if n := &r.nodes[i]; len(n.node.kids) == 0 || n.held > 0 && n.node.cond.For > 0 {
			near = append(near, n.near(absent))
		}
	}
	if r.warming > 0 {
		near = append(near, Near{Condition: "the rule as a whole",
			Text: fmt.Sprintf("true in %d samples, all during the warm-up", r.warming)})
	}
	return near
}

func (r *nodeRecord) near(absent map[string]string) Near {
	n := r.node
	out := Near{Condition: n.words(), Time: r.at}
	wanted := time.Duration(n.cond.For)
	switch {
	case len(n.kids) > 0:
		out.Text = heldText(r.held, n.cond) + " at most"
		return out
	case r.at.IsZero() && n.read.state == unknown:
		out.Text = n.neverJudged(absent)
		return out
	case n.kind.undated != nil:
		due := r.read.state == yes
		if out.Text = n.kind.undated(due); !due {
			out.Time = time.Time{}
		}
		return out
	case r.at.IsZero():
		out.Text = "never enough history" + n.whyReading(absent)
		return out
	}
	then := node{cond: n.cond, kind: n.kind, catalog: n.catalog, read: r.read, state: r.state}
	out.Text = fmt.Sprintf("%s was %s%s", n.signal().Name, n.signal().Unit.Format(r.value), then.whyReading(absent))
	if r.read.state == yes && r.held < wanted {
		out.Text += "; " + heldText(r.held, n.cond) + " at most"
	} else if r.read.state == yes {
		out.Text += "; true"
	}
	return out
}

// neverJudged says which signal a test did not get.
func (n *node) neverJudged(absent map[string]string) string {
	if n.kind.unrecorded != "" {
		return n.kind.unrecorded
	}
	name := n.signal().Name
	if n.other().Name != "" && absent[n.other().Name] != "" {
		name = n.other().Name
	}
	if reason := absent[name]; reason != "" {
		return fmt.Sprintf("%s is absent: %s", name, reason)
	}
	return fmt.Sprintf("%s is missing in the recording", name)
}
