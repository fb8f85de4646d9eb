package load

// Sum is the figures of consecutive windows of one run taken together, such as those between a warm-up and the end.
// Quantiles of the sum are of all its requests, not means of the windows'.
func Sum(windows []Window) Counts {
	var sum Counts
	for i, w := range windows {
		if i == 0 {
			sum.Start = w.Start
		}
		sum.Seconds += w.Seconds
		sum.Sent += w.Sent
		sum.OK += w.OK
		sum.Errors.add(w.Errors)
		for code, n := range w.Codes {
			if sum.Codes == nil {
				sum.Codes = make(map[string]uint64)
			}
			sum.Codes[code] += n
		}
		sum.Latency.add(w.Latency)
	}
	return sum
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
