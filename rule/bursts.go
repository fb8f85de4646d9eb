package rule

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// A Bursts tests whether a signal has bursts that return at an even pace of any length, delay the process, and are not
// caused by load: a scheduled job that uses up the CPU.
//
//	{"signal": "cpu_share", "bursts": {"above": 0.75, "late": ["probe_time"], "beyond": ["http_rate"]}}
//
// It differs from Periodic in that the period is not given, and in what counts as a burst:
//
//   - One and a half seconds at Above or more, added up: a burst of two seconds shows as one full sample between two
//     halves. Together the bursts make up 5 % of the time, so that one request in twenty meets them.
//   - Times of them in a row at equal distances, give or take a sample and a half or 5 %.
//   - One of the signals of Late is three times as high in them as between: the process answers late. It does not if
//     the collector marks on idle CPUs, which looks the same in cpu_share.
//   - No signal of Beyond is 50 % higher in them than between: then load comes in bursts.
//
// The condition is true when the next burst is due within three seconds, or two samples, so that a capture that starts
// then covers all of it.
type Bursts struct {
	// Above is the value that the signal must exceed, in its own unit; with Of, a multiple of that signal.
	Above float64 `json:"above"`
	Of    string  `json:"of,omitempty"`
	// Times is how many bursts it takes, from 3 to 60. Zero means 4.
	Times int `json:"times,omitempty"`
	// Late names signals; one of them must be three times as high in the bursts.
	Late []string `json:"late"`
	// Beyond names the signals of load. Those that are absent explain nothing.
	Beyond []string `json:"beyond,omitempty"`
}

// bursts is a Bursts as a kind.
var bursts = kind{
	name: "bursts", class: tests,
	set:      func(c *Condition) bool { return c.Bursts != nil },
	validate: validateBursts,
	words: func(c *Condition, signal vitals.Signal, catalog *vitals.Catalog) string {
		_, of := find(c.Bursts.Of, catalog)
		return c.Bursts.words(signal, of)
	},
	limit: func(c *Condition) string { return c.Bursts.Of },
	start: func(n *node, catalog *vitals.Catalog) any { return newBursting(n.cond.Bursts, catalog) },
	keep: func(n *node) any {
		s := *n.state.(*bursting)
		s.done = slices.Clone(s.done)
		return &s
	},
	measure: (*node).bursts,
	way:     func(n *node, _ float64) float64 { return ratio(n.read.have, n.read.need) },
	saw:     (*node).burstsText,
}

const (
	defaultBursts = 4
	maxBursts     = 60
	burstFull     = 1.5 // seconds at Above
	burstShare    = 0.05
	burstLate     = 3
	burstLoad     = 1.5
	burstAhead    = 3 * time.Second
	minBurstPace  = 8 * time.Second // a shorter one is a level that swings
	maxBurstPace  = 10 * time.Minute
	betweenMemory = 120 // samples that the mean between bursts goes back
	quietRun      = 3   // samples between bursts before the middle one counts as between: a burst's ends are halves
)

func (b *Bursts) times() int { return cmp.Or(b.Times, defaultBursts) }

// A burst is one burst, or the samples between two.
type burst struct {
	began   time.Time              // the first sample above; the burst may have begun within the sample before
	seconds float64                // at Above that it adds up to
	means   [2 * maxBeyond]float64 // of the signals of Late, then of Beyond, in it
	counts  [2 * maxBeyond]float64 // of their values
}

// A bursting is what a node with a Bursts remembers.
type bursting struct {
	began   time.Time
	ids     []vitals.ID // of Late, then of Beyond
	names   []string
	done    []burst // the last Times, oldest first
	open    burst   // the current one, or the one that has just ended
	isOpen  bool
	between burst
	before  vitals.Sample // the last sample
	has     bool
	quiet   int // samples since the last one above
	spacing time.Duration
	late    int // index into ids of what was late when it was last judged; -1
}

func newBursting(b *Bursts, catalog *vitals.Catalog) *bursting {
	s := &bursting{late: -1}
	for _, name := range slices.Concat(b.Late, b.Beyond) {
		id, _ := find(name, catalog)
		s.ids, s.names = append(s.ids, id), append(s.names, name)
	}
	s.done = make([]burst, 0, b.times()+1)
	return s
}

func (s *bursting) reset(began time.Time) {
	s.began, s.done, s.isOpen, s.has, s.quiet, s.late = began, s.done[:0], false, false, 0, -1
	s.between = burst{began: began}
}

// add takes a sample's values into the means, which go back memory samples; 0 for all.
func (b *burst) add(ids []vitals.ID, s *vitals.Sample, memory float64) {
	for i, id := range ids {
		v, ok := s.Get(id)
		if !ok {
			continue
		}
		b.counts[i]++
		n := b.counts[i]
		if memory > 0 {
			n = math.Min(n, memory)
		}
		b.means[i] += (v - b.means[i]) / n
	}
}

// bursts reads a Bursts: have is how many in a row came at an even pace, need how many it takes, mean the seconds from
// one to the next, limit the value above which one begins.
func (n *node) bursts(v float64, m moment) reading {
	b, s := n.cond.Bursts, n.state.(*bursting)
	if !s.began.Equal(m.began) {
		s.reset(m.began)
	}
	r := reading{state: no, enough: true, need: float64(b.times()), limit: b.Above}
	if b.Of != "" {
		of, ok := m.sample.Get(n.limit)
		if !ok {
			return reading{state: unknown}
		}
		r.limit *= of
	}
	if r.limit > 0 {
		s.take(n.id, v, r.limit, m.sample, b.times())
	}
	pace, inARow := s.pace()
	r.have, r.mean = float64(inARow), pace.Seconds()
	if inARow >= b.times() && s.due(pace, m.sample.Time) && s.hurts(b, pace) {
		r.state = yes
	}
	return r
}

// take adds a sample.
func (s *bursting) take(id vitals.ID, v, limit float64, sample *vitals.Sample, times int) {
	dt := 0.0
	if s.has {
		s.spacing = sample.Time.Sub(s.before.Time)
		dt = s.spacing.Seconds()
	}
	part := dt * math.Min(v/limit, 1)
	if v > limit {
		if !s.isOpen {
			s.open, s.isOpen = burst{began: sample.Time}, true
			if was, ok := s.before.Get(id); s.has && ok { // its first part
				s.open.seconds += dt * math.Min(was/limit, 1)
				s.open.add(s.ids, &s.before, 0)
			}
		}
		s.quiet = 0
	} else {
		s.quiet++
	}
	switch {
	case s.isOpen && s.quiet <= 1: // its last part, too
		s.open.seconds += part
		s.open.add(s.ids, sample, 0)
	case s.isOpen:
		s.close(times)
	case s.quiet >= quietRun:
		s.between.add(s.ids, &s.before, betweenMemory)
	}
	s.before, s.has = *sample, true
}

// close ends the burst that is open.
func (s *bursting) close(times int) {
	if s.open.seconds >= burstFull {
		s.done = append(s.done, s.open)
		if over := len(s.done) - times; over > 0 {
			s.done = slices.Delete(s.done, 0, over)
		}
	}
	s.isOpen = false
}

// pace is the time from burst to burst, and how many in a row kept it. It is 0 without.
func (s *bursting) pace() (pace time.Duration, inARow int) {
	if len(s.done) < 2 {
		return 0, len(s.done)
	}
	var apart [maxBursts]time.Duration
	k := len(s.done) - 1
	for i := range k {
		apart[i] = s.done[i+1].began.Sub(s.done[i].began)
	}
	sorted := apart
	slices.Sort(sorted[:k])
	pace = sorted[k/2]
	slack := max(s.spacing*3/2, pace/20)
	for i := k - 1; i >= 0 && (apart[i]-pace).Abs() <= slack; i-- {
		inARow++
	}
	if pace < minBurstPace || pace > maxBurstPace {
		return pace, 0
	}
	return pace, inARow + 1
}

// due reports whether the next burst is about to start.
func (s *bursting) due(pace time.Duration, now time.Time) bool {
	next := s.done[len(s.done)-1].began.Add(pace)
	return !s.isOpen && now.After(next.Add(-max(burstAhead, 2*s.spacing))) && !now.After(next)
}

// hurts reports whether the bursts take enough of the time, delay the process, and are not caused by load.
func (s *bursting) hurts(b *Bursts, pace time.Duration) bool {
	seconds := 0.0
	for i := range s.done {
		seconds += s.done[i].seconds
	}
	if seconds < burstShare*pace.Seconds()*float64(len(s.done)) {
		return false
	}
	s.late = -1
	for i := range s.ids {
		times, ok := s.times(i)
		switch {
		case i >= len(b.Late) && ok && times > burstLoad:
			return false
		case i < len(b.Late) && ok && times >= burstLate && s.late < 0:
			s.late = i
		}
	}
	return s.late >= 0
}

// inside is the mean of a signal in the bursts.
func (s *bursting) inside(i int) (mean float64, ok bool) {
	n := 0.0
	for k := range s.done {
		if b := &s.done[k]; b.counts[i] > 0 {
			mean, n = mean+b.means[i], n+1
		}
	}
	return mean / math.Max(n, 1), n > 0
}

// times is how many times as high a signal is in the bursts as between.
func (s *bursting) times(i int) (times float64, ok bool) {
	in, ok := s.inside(i)
	return in / s.between.means[i], ok && s.between.counts[i] >= minBaseline && s.between.means[i] > 0
}

// burstsText says what a Bursts found.
func (n *node) burstsText() string {
	r, s, unit := &n.read, n.state.(*bursting), n.signal().Unit
	text := fmt.Sprintf("%.0f bursts above %s", r.have, unit.Format(r.limit))
	if r.have < 2 {
		return text + " in a row"
	}
	text += fmt.Sprintf(" in a row every %s", number.Setting(s.round(r.mean)))
	if s.late < 0 {
		return text
	}
	in, _ := s.inside(s.late)
	signal := s.names[s.late]
	return text + fmt.Sprintf(", in which %s is %s times what it is between; the next is "+
		"due", signal, number.Digits(in/s.between.means[s.late]))
}

func (s *bursting) round(seconds float64) time.Duration {
	return time.Duration(seconds * float64(time.Second)).Round(time.Second)
}

// words are the test for a person.
func (b *Bursts) words(signal, of vitals.Signal) string {
	c := Condition{Above: &b.Above, Of: b.Of}
	text := fmt.Sprintf("in bursts %s, %d times at an even pace, in which %s is %d times as "+
		"high", c.threshold(signal, of), b.times(), or(b.Late), burstLate)
	if len(b.Beyond) > 0 {
		text += " and " + or(b.Beyond) + " is not"
	}
	return text
}

func validateBursts(c *Condition, path string, catalog *vitals.Catalog, fault faultFunc) {
	b := c.Bursts
	path += ".bursts"
	if finite(&b.Above, path+".above", fault) && b.Above <= 0 {
		fault(path+".above", "wants a value above 0, not %g", b.Above)
	}
	if b.Times != 0 && (b.Times < minTimes || b.Times > maxBursts) {
		fault(path+".times", "wants %d to %d bursts in a row, not %d", minTimes, maxBursts, b.Times)
	}
	if len(b.Late) == 0 {
		fault(path+".late", "is missing; it needs signals that show when the process is late, such as \"probe_time\"")
	}
	if b.Of != "" {
		of := Condition{Signal: c.Signal, Above: &b.Above, Of: b.Of}
		validateOf(&of, path+".of", catalog, fault)
	}
	validateBeyond(c, b.Late, path+".late", catalog, fault)
	validateBeyond(c, b.Beyond, path+".beyond", catalog, fault)
}
