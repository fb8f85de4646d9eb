package rule

import "github.com/gocasebook/casebook/vitals"

// above is true while the signal is above a value, or a multiple of another signal.
var above = kind{
	name: "above", class: tests,
	set: func(c *Condition) bool { return c.Above != nil },
	validate: func(c *Condition, path string, _ *vitals.Catalog, fault faultFunc) {
		finite(c.Above, path+".above", fault)
	},
	words:     (*Condition).thresholdWords,
	limit:     func(c *Condition) string { return c.Of },
	threshold: func(c *Condition) *float64 { return c.Above },
	measure: func(n *node, v float64, m moment) reading {
		r := n.compare(v, *n.cond.Above, m)
		if r.enough && v > r.need {
			r.state = yes
		}
		return r
	},
	way:   func(n *node, _ float64) float64 { return ratio(n.read.have, n.read.need) },
	saw:   (*node).limitText,
	fired: (*node).thresholdText,
}

// below is true while the signal is below such a value.
var below = kind{
	name: "below", class: tests,
	set: func(c *Condition) bool { return c.Below != nil },
	validate: func(c *Condition, path string, _ *vitals.Catalog, fault faultFunc) {
		finite(c.Below, path+".below", fault)
	},
	words:     (*Condition).thresholdWords,
	limit:     func(c *Condition) string { return c.Of },
	threshold: func(c *Condition) *float64 { return c.Below },
	measure: func(n *node, v float64, m moment) reading {
		r := n.compare(v, *n.cond.Below, m)
		if r.enough && v < r.need {
			r.state = yes
		}
		return r
	},
	way:   func(n *node, v float64) float64 { return ratio(n.read.need, v) },
	saw:   (*node).limitText,
	fired: (*node).thresholdText,
	gap:   func(n *node, _, _ float64) float64 { return n.read.have - n.read.need },
}

// compare reads the limit of Above or Below. A multiple of 0 is none. The state is unknown if the other signal is
// absent.
func (n *node) compare(v, value float64, m moment) reading {
	r := reading{state: no, enough: true, have: v, need: value}
	if n.cond.Of == "" {
		return r
	}
	of, ok := m.sample.Get(n.limit)
	if !ok {
		return reading{state: unknown}
	}
	r.need, r.enough = value*of, of > 0
	return r
}

// limitText says what Of made of the limit.
func (n *node) limitText() string {
	switch {
	case n.cond.Of == "":
		return ""
	case !n.read.enough:
		return n.other().Name + " is 0, so no multiple of it can be a limit"
	}
	return "the limit is " + n.signal().Unit.Format(n.read.need)
}

func (n *node) thresholdText() string {
	text := n.cond.threshold(n.signal(), n.other())
	if n.cond.Of != "" {
		text += " (" + n.signal().Unit.Format(n.read.need) + ")"
	}
	return text
}

func (c *Condition) thresholdWords(signal vitals.Signal, catalog *vitals.Catalog) string {
	_, other := find(c.Of, catalog)
	return c.threshold(signal, other)
}

// threshold is Above or Below in words: "above 15 %", "above 95 % of go_memory_limit", "above 0.5 cores × gomaxprocs".
func (c *Condition) threshold(signal, other vitals.Signal) string {
	word, v := "above ", c.Above
	if v == nil {
		word, v = "below ", c.Below
	}
	switch {
	case v == nil:
		return word + "nothing"
	case c.Of == "":
		return word + signal.Unit.Format(*v)
	case signal.Unit == other.Unit && *v == 1:
		return word + c.Of
	case signal.Unit == other.Unit:
		return word + vitals.Share.Format(*v) + " of " + c.Of
	}
	return word + signal.Unit.Format(*v) + " × " + c.Of
}

// validateOf checks that a multiple of the other signal is a value of the tested one.
func validateOf(c *Condition, path string, catalog *vitals.Catalog, fault faultFunc) {
	id, signal := find(c.Signal, catalog)
	otherID, other := find(c.Of, catalog)
	switch {
	case c.Above == nil && c.Below == nil:
		fault(path, "belongs to above or below, which are not set")
	case otherID == noID:
		fault(path, "%s", unknownSignal(c.Of, catalog))
	case id == otherID:
		fault(path, "is the signal itself")
	case id != noID && other.Unit != signal.Unit && other.Unit != vitals.Count && other.Unit != vitals.Cores:
		fault(path, "%s is in %s, %s in %s; wants the same unit, a count or cores", c.Of, other.Unit, c.Signal,
			signal.Unit)
	}
	for _, v := range [...]*float64{c.Above, c.Below} {
		if v != nil && *v <= 0 {
			fault(path, "wants a multiple above 0, not %g", *v)
		}
	}
}
