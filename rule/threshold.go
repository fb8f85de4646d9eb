package rule

import "github.com/gocasebook/casebook/vitals"

// compare reads Above or Below. A multiple of 0 is no limit.
func (n *node) compare(r reading, m moment) reading {
	c := n.cond
	of := 1.0
	if c.Of != "" {
		v, ok := m.sample.Get(n.limit)
		if !ok {
			return reading{state: unknown}
		}
		of, r.enough = v, v > 0
	}
	switch {
	case c.Above != nil:
		if r.need = *c.Above * of; r.enough && r.have > r.need {
			r.state = yes
		}
	case c.Below != nil:
		if r.need = *c.Below * of; r.enough && r.have < r.need {
			r.state = yes
		}
	}
	return r
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
		return word + limit(signal.Unit, *v)
	case signal.Unit == other.Unit:
		return word + limit(vitals.Share, *v) + " of " + c.Of
	}
	return word + limit(signal.Unit, *v) + " × " + c.Of
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
		fault(path, "%s is in %s, %s in %s; wants the same unit, a count or cores", c.Of, other.Unit, c.Signal, signal.Unit)
	}
	for _, v := range [...]*float64{c.Above, c.Below} {
		if v != nil && *v <= 0 {
			fault(path, "wants a multiple above 0, not %g", *v)
		}
	}
}
