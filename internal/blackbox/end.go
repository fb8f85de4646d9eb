package blackbox

import (
	"math"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// An end is the last samples of a process that is gone.
type end struct {
	target   casefile.Target
	history  *vitals.History // but for the last
	last     vitals.Sample
	interval time.Duration // between the last two samples
}

func newEnd(d casefile.Target, samples []vitals.Sample) *end {
	e := &end{target: d, history: vitals.NewHistory(len(samples)), last: vitals.NewSample(time.Time{}),
		interval: time.Second}
	for i, s := range samples {
		if i == len(samples)-1 {
			e.last = s
			break
		}
		e.history.Add(s)
	}
	if n := len(samples); n > 1 {
		e.interval = min(max(samples[n-1].Time.Sub(samples[n-2].Time), 0), time.Minute)
	}
	return e
}

// fresh is how old a value may be to count as the last: some signals are not read each time.
const fresh = 15 * time.Second

// latest is the last value of a signal.
func (e *end) latest(id vitals.ID) (float64, bool) {
	if v, ok := e.last.Get(id); ok {
		return v, true
	}
	for i := e.history.Len() - 1; i >= 0; i-- {
		if e.last.Time.Sub(e.history.Time(i)) > fresh {
			break
		}
		if v, ok := e.history.Get(i, id); ok {
			return v, true
		}
	}
	return math.NaN(), false
}

func (e *end) span() time.Duration {
	if e.history.Len() == 0 {
		return 0
	}
	return max(e.last.Time.Sub(e.history.Time(0)).Round(time.Second), time.Second)
}

// A memory is what a process used of its limit.
type memory struct {
	share, limit float64
	rate         float64 // bytes per second that RSS rose at the end; 0 when it did not, or that is not known
}

// notableOver is within what time a rise must take a hundredth of the limit to be worth a word.
const notableOver = time.Minute

// risingOver is the time that the rate is taken over: long enough for a line with some ten samples a second apart.
const risingOver = 10 * time.Second

// readMemory reports false when the limit, or the memory used, is not known.
func (e *end) readMemory() (m memory, ok bool) {
	rss, hasRSS := e.latest(vitals.RSS)
	if m.limit, ok = e.latest(vitals.MemoryLimit); !ok {
		m.limit = float64(e.target.Limits.MemoryBytes)
	}
	if m.share, ok = e.latest(vitals.MemoryShare); !ok && hasRSS {
		m.share, ok = rss/m.limit, true
	}
	if !ok || !(m.limit > 0) {
		return m, false
	}
	m.rate = e.rise(m.limit)
	return m, true
}

// bigStep is the share of the limit that RSS takes between two samples when that alone tells of a rise: noise is not
// so large, and a line over what was before it would hide it.
const bigStep = 0.1

// rise is how fast RSS rose at the end: by the last step if it is big, otherwise by the line of the last seconds if
// that rises with 99 % confidence.
func (e *end) rise(limit float64) float64 {
	if n := e.history.Len(); n > 0 {
		was, ok := e.history.Get(n-1, vitals.RSS)
		is, also := e.last.Get(vitals.RSS)
		if took := e.last.Time.Sub(e.history.Time(n - 1)).Seconds(); ok && also && took > 0 && is-was >= bigStep*limit {
			return (is - was) / took
		}
	}
	line := e.history.Line(vitals.RSS, e.last.Time.Add(-risingOver), &e.last)
	if low, _ := line.SlopeBounds(); low > 0 {
		return line.Slope
	}
	return 0
}

func (m memory) String() string {
	text := "memory was at " + vitals.Share.Format(m.share) + " of " + vitals.Bytes.Format(m.limit) + " (memory_share)"
	if m.rate*notableOver.Seconds() >= 0.01*m.limit {
		text += ", rising " + vitals.BytesPerSecond.Format(m.rate)
	}
	return text
}

// vitals are the last values for people, for a process in which nothing is unusual.
func (e *end) vitals() string {
	var words []string
	if m, ok := e.readMemory(); ok {
		words = append(words, m.String())
	} else if rss, ok := e.latest(vitals.RSS); ok {
		words = append(words, "memory was at "+vitals.Bytes.Format(rss))
	}
	for _, c := range []struct {
		id   vitals.ID
		noun string
	}{{vitals.CPU, " in use"}, {vitals.Goroutines, " goroutines"}, {vitals.Threads, " threads"}} {
		if v, ok := e.latest(c.id); ok {
			words = append(words, c.id.Signal().Unit.Format(v)+c.noun)
		}
	}
	if len(words) == 0 {
		return "no sample had been taken yet"
	}
	return strings.Join(words, ", ")
}
