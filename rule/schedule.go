package rule

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

const (
	minEvery = time.Minute
	maxEvery = 7 * 24 * time.Hour
)

// every is a schedule as a kind. It gives no warning: its coming is no news.
var every = kind{
	name: "every", class: alone, edge: true, clock: true,
	set:      func(c *Condition) bool { return c.Every != 0 },
	validate: validateEvery,
	words:    func(c *Condition, _ vitals.Signal, _ *vitals.Catalog) string { return c.everyWords() },
	start:    started[int64], // the number of the period of the last sample
	measure:  (*node).onTime,
	why:      (*node).scheduleText,
	report:   func(n *node, _ *vitals.Sample) string { return "on schedule, " + n.cond.everyWords() },
	undated: func(true bool) string {
		if true {
			return "due"
		}
		return "not due at any sample of the recording"
	},
	resume: cleared[int64], // what was due in the gap is skipped
}

// scheduled reports whether a condition depends on the time only. Its rule has no cool-down, warm-up or limit per hour
// unless it sets one: an edge during them is lost, and the schedule already sets the pace.
func (c *Condition) scheduled() bool {
	if c.Every > 0 {
		return true
	}
	for i := range c.Any {
		if !c.Any[i].scheduled() {
			return false
		}
	}
	return len(c.Any) > 0
}

// onTime reads a schedule: it is true when a multiple of the period lies between the sample before and this one, which
// may be at it. The first sample starts the count: it cannot tell whether the last multiple was missed.
func (n *node) onTime(_ float64, m moment) reading {
	last := n.state.(*int64)
	now, every := m.sample.Time.UnixNano(), int64(n.cond.Every)
	slot := now / every
	before := *last
	*last = slot
	if slot > before && (before != 0 || now%every == 0) {
		return reading{state: yes, enough: true}
	}
	return reading{state: no, enough: true}
}

// scheduleText says when a schedule is due next.
func (n *node) scheduleText(s *vitals.Sample, _ map[string]string) string {
	now, every := s.Time, int64(n.cond.Every)
	next := time.Unix(0, (now.UnixNano()/every+1)*every)
	return "next at " + clock(next, now)
}

func validateEvery(c *Condition, path string, _ *vitals.Catalog, fault faultFunc) {
	if d := time.Duration(c.Every); d < minEvery || d > maxEvery {
		fault(path+".every", "wants a period from %s to %s, not %s", number.Setting(minEvery),
			number.Setting(maxEvery), c.Every)
	}
	if c.For != 0 {
		fault(path+".for", "is of no use with every, which is true in one sample only")
	}
}

func (c *Condition) everyWords() string {
	return fmt.Sprintf("every %s", number.Setting(time.Duration(c.Every)))
}

// A Duration is a time.Duration that reads and writes as "5s" in JSON.
type Duration time.Duration

func (d Duration) String() string { return time.Duration(d).String() }

// MarshalJSON writes the duration as time.Duration prints it.
func (d Duration) MarshalJSON() ([]byte, error) { return json.Marshal(d.String()) }

// UnmarshalJSON reads what time.ParseDuration reads. A bare number is rejected because it has no unit, and zero because
// it could mean either none or the default.
func (d *Duration) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return fmt.Errorf("a duration is a string with a unit, such as \"5s\", not %s", b)
	}
	v, err := time.ParseDuration(s)
	if err != nil {
		return fmt.Errorf("wants a duration such as \"5s\" or \"1m30s\", not %q", s)
	}
	if v == 0 { // fields take it as the default, people as none
		return errors.New("a duration of 0s is not allowed: leave the field out for its default, or give a short one " +
			"(for no warm-up: \"-1s\")")
	}
	*d = Duration(v)
	return nil
}
