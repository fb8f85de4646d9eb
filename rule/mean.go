package rule

import (
	"time"

	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// maxMean bounds Mean: a longer one answers when the trouble is over.
const maxMean = 10 * time.Minute

// value is what a test judges of a signal: its value in the sample, or with Mean the mean up to there. whole says that
// the process has been watched for that long.
func (n *node) value(id vitals.ID, m moment) (v float64, ok, whole bool) {
	v, ok = m.sample.Get(id)
	window := time.Duration(n.cond.Mean)
	if !ok || window == 0 {
		return v, ok, true
	}
	if mean, count := m.history.Mean(id, m.since(window)); count > 0 {
		v = (mean*float64(count) + v) / float64(count+1)
	}
	return v, true, m.sample.Time.Sub(m.began) >= window
}

// before is the mean of the Over before what is judged, and of how many samples: before the sample, or before the time
// of Mean. Its own beginning would hide what is new.
func (n *node) before(id vitals.ID, m moment) (mean float64, count int) {
	window, over := time.Duration(n.cond.Mean), n.cond.over()
	mean, count = m.history.Mean(id, m.since(over+window))
	if window == 0 || count == 0 {
		return mean, count
	}
	judged, late := m.history.Mean(id, m.since(window))
	if late == 0 {
		return mean, count
	}
	return (mean*float64(count) - judged*float64(late)) / float64(max(count-late, 1)), count - late
}

// seen is the value that the test judged last, in the sample s.
func (n *node) seen(s *vitals.Sample) (v float64, ok bool) {
	if n.cond.Mean > 0 && n.read.state != unknown {
		return n.read.have, true
	}
	return s.Get(n.id)
}

// ofMean says that a value is a mean: " in the mean of 20s".
func (c *Condition) ofMean() string {
	if c.Mean == 0 {
		return ""
	}
	return " in the mean of " + number.Setting(time.Duration(c.Mean))
}

func validateMean(c *Condition, path string, fault faultFunc) {
	bounded(c.Mean, maxMean, path, fault)
	if c.Mean != 0 && c.Above == nil && c.Below == nil && c.Rise == nil {
		fault(path, "belongs to above, below or rise, none of which is set")
	}
}
