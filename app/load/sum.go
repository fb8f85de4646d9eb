package load

// Sum returns the figures of consecutive windows of one run taken together, such as those between a warm-up and the
// end. Quantiles of the sum are of all its requests, not means of the windows'.
func Sum(windows []Window) Counts {
	var sum Counts
	for i := range windows {
		sum.Add(windows[i].Counts)
	}
	return sum
}

// Add takes in the figures of the time that follows. It keeps nothing of o.
func (c *Counts) Add(o Counts) {
	if c.Start.IsZero() {
		c.Start = o.Start
	}
	c.Seconds += o.Seconds
	c.Sent += o.Sent
	c.OK += o.OK
	c.Errors.add(o.Errors)
	for code, n := range o.Codes {
		if c.Codes == nil {
			c.Codes = make(map[string]uint64)
		}
		c.Codes[code] += n
	}
	c.Latency.add(o.Latency)
}

// add counts the failures of o as well.
func (e *Errors) add(o Errors) {
	for _, c := range ErrorClasses() {
		*e.counter(c) += *o.counter(c)
	}
}

// add takes in the values of o. Windows of one run have the same range, so that none is out of it.
func (l *Latency) add(o Latency) {
	switch {
	case o.h == nil:
	case l.h == nil:
		l.h = o.h.Clone()
	default:
		l.h.Merge(o.h)
	}
}
