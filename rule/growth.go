package rule

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// A Growth tests whether the baseline of a signal grows, and is certain to reach some multiple of itself, or a limit.
//
//	{"signal": "goroutines", "growth": {"times": 2, "within": "10m", "over": "3m", "beyond": ["open_files", "alloc_rate"]}}
//
// It differs from Trend in what counts as growth:
//
//   - The baseline, not what comes and goes: the window is cut into 24 slots, and only the lowest value of each counts.
//     A swing, a burst or the sawtooth of the collector must lift its lows to be growth.
//   - Straight or steeper: a curve that flattens is extrapolated as it flattens. A cache fills more and more slowly,
//     because the more it holds the less it misses. If the second half of the window rises at q times the slope of the
//     first, the slope is assumed to keep falling by q every half window. A leak has q = 1.
//   - For the whole window: if the second half is more than twice as steep as the first, growth has only just begun.
//     Data that a batch loads in three minutes is not growth over five.
//   - Beyond load: if one of the signals of Beyond rises by 10 % or more, too, the signal may rise by twice that share.
//     Twice, because both start above zero: 50 files and 5 goroutines belong to the process itself, not to its clients.
//     But six times the requests do not make memory 300 times as much: what they explain of a signal in bytes is as
//     many times what there was as there are more requests. And with Each a connection brings so many and no more.
//
// Certain means the same as in Trend: computed with the 99 % confidence bound of the slope that is closer to zero,
// corrected for autocorrelation. Five slots must have values, and span five sixths of the window. It is judged each
// time a slot ends, and does not change in between.
type Growth struct {
	// Times is the multiple of its present level that the signal must be certain to reach, above 1 and up to 100.
	Times float64 `json:"times,omitempty"`
	// Reach is a limit instead of Times: a number in the signal's unit, or a signal that has it.
	Reach *Level `json:"reach,omitempty"`
	// Within is how soon.
	Within Duration `json:"within"`
	// Over is the window, from 30s to 24h. Zero means DefaultTrendOver.
	Over Duration `json:"over,omitempty"`
	// Values is how many of the 24 slots must have a value, from 4. Zero means 5: a signal that moves only when a
	// collection ends has values in few slots.
	Values int `json:"values,omitempty"`
	// MaxSlope is the pace above which it is not judged, in the signal's unit per second. Zero means none. Code that
	// loads a table does so as fast as it can; data kept per request grows at the pace of requests.
	MaxSlope float64 `json:"max_slope,omitempty"`
	// Room is the floor of the pace, for a signal in bytes: what memory there is would be full within this time, from 1h
	// to 168h. There is the cgroup's limit, or the machine's memory, less rss. No pace below 64 MiB an hour counts, as
	// much as a service loads in its first minutes, and each above 512 MiB an hour does, however large the machine is.
	// Zero means no floor.
	Room Duration `json:"room,omitempty"`
	// Filling is for few values: what bends as a cache that fills does, 1−exp(−t/Filling) or faster, is excluded by a
	// parabola at 99 %, and not by what the second half is of the first. Zero means the latter.
	Filling Duration `json:"filling,omitempty"`
	// Beyond names the signals of load, with alternatives for where one is absent: "http_rate|read_rate". Those that are
	// absent explain nothing.
	Beyond []string `json:"beyond,omitempty"`
	// Each is how many of what the signal counts one of what a signal of Beyond counts brings at most: one connection
	// two requests. Zero means any number.
	Each float64 `json:"each,omitempty"`
	// Record requires that the baseline is higher than at any time of the last Record, from 1h to 168h, before the
	// window: a job that runs every hour is no news. Zero requires nothing. It looks back up to twice as far.
	Record Duration `json:"record,omitempty"`
}

// growth is a Growth as a kind.
var growth = kind{
	name: "growth", class: tests,
	set:      func(c *Condition) bool { return c.Growth != nil },
	validate: validateGrowth,
	words: func(c *Condition, signal vitals.Signal, _ *vitals.Catalog) string {
		return c.Growth.words(signal.Unit)
	},
	limit: func(c *Condition) string { return c.Growth.Reach.signal() },
	start: func(n *node, catalog *vitals.Catalog) any { return newGrowing(n.cond.Growth, catalog) },
	keep:  kept[growing],
	reset: func(n *node) {
		s := n.state.(*growing)
		s.slope, s.began = slope{}, time.Time{} // it starts again with the next sample
	},
	share: func(n *node, all *shared) {
		s, width := n.state.(*growing), n.cond.Growth.over()/numSlots
		s.own = all.slots(n.id, width)
		for _, id := range s.loads.id {
			s.load = append(s.load, all.slots(id, width))
		}
	},
	measure: (*node).growth,
	level: func(n *node) (float64, bool) { // it remembers the values that there were
		s := &n.state.(*growing).slope
		return s.level, s.filled > 0
	},
	way: func(n *node, _ float64) float64 {
		if n.state.(*growing).slope.slowest > 0 {
			return ratio(n.read.have, n.read.need)
		}
		return 0
	},
	saw: (*node).growthText,
	gap: func(n *node, _, need float64) float64 {
		if n.read.need > 0 { // the level moves, so it is the share that counts
			return -n.read.have / n.read.need
		}
		return need - n.read.have
	},
}

const (
	minGrowthOver  = 30 * time.Second
	maxTimes100    = 100
	minFilled      = 4 // slots: a line through fewer proves nothing
	defaultFilled  = 5
	explainedShare = 2   // times the rise of load
	leastRise      = 0.1 // of load within the window: growth itself causes a few percent more work
	endSteps       = 3   // values back: a rise of less than a third of the line's within them has stopped
	recordBy       = 1.1 // times the earlier baseline, because the line has noise
	// times as steep in the second half: growth that doubles within half a window reaches 1.4 of these 2
	maxBend   = 2
	maxBeyond = 8
)

func (g *Growth) filled() int {
	if g.Values == 0 {
		return defaultFilled
	}
	return g.Values
}

func (g *Growth) over() time.Duration { return orDefault(g.Over, DefaultTrendOver) }

// A growing is what a node with a Growth remembers.
type growing struct {
	began time.Time // of the process that it judges
	own   *slots
	loads loads
	load  []*slots // of each of them
	read  reading  // when a slot last ended
	slope slope    // likewise
	floor float64  // of the pace, with Room
	peak  peaks
}

// peaks are the highest baselines in this period and in the one before, without the window.
type peaks struct {
	at, was float64
	ends    time.Time
}

func (p *peaks) add(now time.Time, period time.Duration, v float64) {
	if now.After(p.ends) {
		p.was, p.at, p.ends = p.at, 0, now.Add(period)
	}
	p.at = math.Max(p.at, v)
}

func newGrowing(g *Growth, catalog *vitals.Catalog) *growing {
	return &growing{loads: newLoads(g.Beyond, catalog)}
}

// growth reads a Growth.
func (n *node) growth(v float64, m moment) reading {
	g, s := n.cond.Growth, n.state.(*growing)
	width := g.over() / numSlots
	if !s.began.Equal(m.began) {
		s.began = m.began
		s.own.restart(width, m.began)
		for i := range s.load {
			s.load[i].restart(width, m.began)
		}
		s.read, s.slope, s.peak = reading{state: no}, slope{flat: 1}, peaks{}
	}
	for i := range s.load {
		x, _ := m.sample.Get(s.loads.id[i])
		s.load[i].take(m, x)
	}
	if s.own.take(m, v) {
		s.read = n.judgeGrowth(m)
	}
	return s.read
}

// judgeGrowth judges the closed slots: have is where the signal will be at least, need where it must be, limit the
// highest baseline of Record, 0 without.
func (n *node) judgeGrowth(m moment) reading {
	g, s := n.cond.Growth, n.state.(*growing)
	c := s.own.course(true)
	if g.Record > 0 && c.n > 0 { // the oldest is about to leave the window
		s.peak.add(m.sample.Time, time.Duration(g.Record), c.values[0])
	}
	if n.signal().Unit == vitals.Bytes {
		c.keep()
	}
	s.slope = slopeOf(&c)
	r := reading{state: no, need: g.Times * s.slope.level}
	if g.Reach != nil {
		r.need = g.Reach.Value
	}
	if g.Reach.signal() != "" {
		limit, ok := m.sample.Get(n.limit)
		if !ok {
			s.slope = slope{}
			return reading{state: unknown}
		}
		r.need = limit
	}
	// From the first value to now, and not to the last: what a collection left is valid until the next.
	known := s.own.known(&c)
	if r.enough = c.n >= g.filled() && known >= g.over()*5/6-s.own.width/2; !r.enough {
		return r
	}
	n.explain(&c)
	if g.Filling > 0 {
		s.slope.flat, s.slope.fills = 1, !c.straighter(time.Duration(g.Filling))
	}
	r.have = s.slope.level + s.slope.gain(g.over()/2, time.Duration(g.Within))
	r.limit = math.Max(s.peak.at, s.peak.was)
	s.floor = g.floor(m)
	s.slope.rushed = g.MaxSlope > 0 && s.slope.likely > g.MaxSlope
	if s.slope.lasts() && s.slope.slowest >= s.floor && s.slope.level > recordBy*r.limit && r.have >= r.need {
		r.state = yes
	}
	return r
}

// floor is the pace that Room requires, in bytes a second.
func (g *Growth) floor(m moment) float64 {
	const leastPace, surePace = 64 << 20 / 3600.0, 512 << 20 / 3600.0
	if g.Room == 0 {
		return 0
	}
	limit, ok := m.sample.Get(vitals.MemoryLimit)
	if !ok {
		limit, ok = m.sample.Get(vitals.MachineMemory)
	}
	used, has := m.sample.Get(vitals.RSS)
	if !ok || !has {
		return surePace
	}
	return min(max((limit-used)/time.Duration(g.Room).Seconds(), leastPace), surePace)
}

// explain subtracts the part that the rise of load explains: the load that explains most counts.
func (n *node) explain(own *course) {
	g := n.state.(*growing)
	s, unit := &g.slope, n.signal().Unit
	s.explains = 0
	g.loads.known(func(i int) bool { return g.load[i].has() }, func(i int) {
		means := g.load[i].course(false)
		by := explainedShare * max(rises(means), rises(g.load[i].course(true))) * s.level
		if by > 0 {
			by = min(by, n.cond.Growth.most(own, &means, unit, g.loads.signal[i].Unit)/s.span.Seconds())
		}
		if by > s.explains {
			s.explains, s.by = by, i
		}
	})
	s.slowest -= s.explains
}

// ownMemory is what a Go process that does nothing takes: what it has of its own when load comes.
const ownMemory = 6 << 20

// ownGoroutines is how many goroutines or files a service has that does nothing, and the first requests bring.
const ownGoroutines = 50

// most is how much of a rise within the window load can explain.
func (g *Growth) most(own, load *course, unit, unitOfLoad vitals.Unit) float64 {
	before, now := load.ends()
	switch {
	case unit == vitals.Bytes && before > 0:
		had, _ := own.ends()
		return max(had, ownMemory) * (now/before - 1)
	case unit == vitals.Count && unitOfLoad != vitals.Count && before > 0:
		had, _ := own.ends()
		return max(had, ownGoroutines) * (now/before - 1)
	case unit == vitals.Count && unitOfLoad == vitals.Count && g.Each > 0:
		return g.Each * max(now-before, 0)
	}
	return math.Inf(1)
}

// rises is the share by which a load rises a second; 0 of level load, or noise. Its means show a load that comes and
// goes. Its lows are compared with the lows of the signal: where connections come in steps, with a goroutine each, the
// means have values on the way that the lows have not, and were not certain where the goroutines were.
func rises(c course) float64 {
	l := vitals.FitLine(c.times[:c.n], c.values[:c.n])
	if low, _ := l.SlopeBounds(); c.n < minFilled || !(low > 0) || l.Level <= 0 {
		return 0
	}
	if share := l.Slope / l.Level; share*l.Span.Seconds() >= leastRise {
		return share
	}
	return 0
}

// growthText says what a Growth saw: "growing by 12 MiB a minute for 5m: 4 times as much, 1.2 GiB, in 12m".
func (n *node) growthText() string {
	g, r, seen := n.cond.Growth, &n.read, n.state.(*growing)
	s := &seen.slope
	unit := n.signal().Unit
	span := number.Setting(s.span.Round(time.Second))
	switch {
	case !r.enough:
		return fmt.Sprintf("growth needs values in %d of %d parts of %s, has %d over %s", g.filled(), numSlots,
			number.Setting(g.over()), s.filled, span)
	case !(s.slowest+s.explains > 0):
		return "the baseline is not certain to grow, judging by the last " + span
	}
	text := fmt.Sprintf("the baseline grew by %s a minute for %s", unit.Format(s.likely*60), span)
	if s.explains > 0 {
		text += fmt.Sprintf(", of which the rise of %s explains %s", seen.loads.signal[s.by].Name, unit.Format(s.explains*60))
	}
	if s.flat < 0.9 {
		text += fmt.Sprintf(", the second half at %s of the first", vitals.Share.Format(s.flat))
	}
	switch {
	case s.rushed:
		text += ", which is above the " + unit.Format(g.MaxSlope*60) + " that are judged over so short a time"
	case s.bent:
		text += ", which began but now"
	case s.stopped:
		text += ", and has stopped"
	case s.fills:
		text += ", and may bend as a cache that fills"
	}
	if s.slowest < seen.floor {
		text += fmt.Sprintf(", which is below the %s a minute that matter here", unit.Format(seen.floor*60))
	}
	if g.Record > 0 && s.level <= recordBy*r.limit {
		text += ", and has been at " + unit.Format(r.limit) + " before"
	}
	ahead := math.Max(r.have, s.level)
	text += fmt.Sprintf("; %s from now it is certain to be at %s, ", number.Setting(time.Duration(g.Within)),
		unit.Format(ahead))
	if g.Reach != nil {
		return text + "the limit is " + g.Reach.words(unit, r.need)
	}
	return text + fmt.Sprintf("%s times as much", number.Digits(ahead/s.level))
}

// words are a level for a person, with its value where a signal has it.
func (l *Level) words(unit vitals.Unit, value float64) string {
	if l.Signal == "" {
		return unit.Format(value)
	}
	return l.Signal + " (" + unit.Format(value) + ")"
}

// words are the test for a person.
func (g *Growth) words(unit vitals.Unit) string {
	text := "its baseline certain to be "
	switch {
	case g.Reach == nil:
		text += fmt.Sprintf("%g times as much", g.Times)
	case g.Reach.Signal != "":
		text += "at " + g.Reach.Signal
	default:
		text += "at " + unit.Format(g.Reach.Value)
	}
	text += fmt.Sprintf(" within %s, growing as in the last %s", number.Setting(time.Duration(g.Within)),
		number.Setting(g.over()))
	if g.Filling > 0 {
		text += fmt.Sprintf(", straighter than what fills with a time constant of %s,",
			number.Setting(time.Duration(g.Filling)))
	}
	if g.MaxSlope > 0 {
		text += fmt.Sprintf(" by no more than %s a minute", unit.Format(g.MaxSlope*60))
	}
	if g.Room > 0 {
		text += fmt.Sprintf(", fast enough to fill the memory that there is in %s (at least 64 MiB an hour)",
			number.Setting(time.Duration(g.Room)))
	}
	if len(g.Beyond) > 0 {
		text += " beyond what a rise of " + loadWords(g.Beyond) + " explains"
	}
	if g.Record > 0 {
		text += ", and more than in the last " + number.Setting(time.Duration(g.Record))
	}
	return text
}

func validateGrowth(c *Condition, path string, catalog *vitals.Catalog, fault faultFunc) {
	g := c.Growth
	path += ".growth"
	if g.Within <= 0 || time.Duration(g.Within) > maxWithin {
		fault(path+".within", "wants how soon, such as \"30m\" and up to %s, not %s", number.Setting(maxWithin),
			g.Within)
	}
	if o := time.Duration(g.Over); o != 0 && (o < minGrowthOver || o > maxTrendOver) {
		fault(path+".over", "wants a window from %s to %s, not %s", number.Setting(minGrowthOver),
			number.Setting(maxTrendOver), g.Over)
	}
	if g.Values != 0 && (g.Values < minFilled || g.Values > numSlots) {
		fault(path+".values", "wants %d to %d values, not %d", minFilled, numSlots, g.Values)
	}
	if finite(&g.MaxSlope, path+".max_slope", fault) && g.MaxSlope < 0 {
		fault(path+".max_slope", "wants a pace above 0, not %g", g.MaxSlope)
	}
	bounded(g.Filling, maxWithin, path+".filling", fault)
	if r := time.Duration(g.Record); r != 0 && (r < time.Hour || r > maxOver) {
		fault(path+".record", "wants a time from 1h to %s, not %s", number.Setting(maxOver), g.Record)
	}
	switch {
	case g.Reach != nil && g.Times != 0:
		fault(path, "has times and reach; wants one of them")
	case g.Reach != nil && g.Reach.Signal != "":
		validateReach(c, g.Reach.Signal, path+".reach", catalog, fault)
	case g.Reach != nil:
		finite(&g.Reach.Value, path+".reach", fault)
	default:
		multiple(g.Times, path+".times", fault)
	}
	if r := time.Duration(g.Room); r != 0 && (r < time.Hour || r > maxOver) {
		fault(path+".room", "wants a time from 1h to %s, not %s", number.Setting(maxOver), g.Room)
	} else if _, signal := find(c.Signal, catalog); r != 0 && signal.Unit != vitals.Bytes {
		fault(path+".room", "is for signals in bytes, and %s is not", c.Signal)
	}
	if finite(&g.Each, path+".each", fault) && g.Each < 0 {
		fault(path+".each", "wants a number above 0, not %g", g.Each)
	}
	validateLoads(c, g.Beyond, path+".beyond", catalog, fault)
}

// multiple checks a multiple.
func multiple(v float64, path string, fault faultFunc) {
	if finite(&v, path, fault) && (v <= 1 || v > maxTimes100) {
		fault(path, "wants a multiple above 1 and up to %d, such as 2, not %g", maxTimes100, v)
	}
}

// validateBeyond checks the signals of load.
func validateBeyond(c *Condition, names []string, path string, catalog *vitals.Catalog, fault faultFunc) {
	if len(names) > maxBeyond {
		fault(path, "wants at most %d signals, not %d", maxBeyond, len(names))
	}
	for i, name := range names {
		validateLoad(c, name, fmt.Sprintf("%s[%d]", path, i), catalog, fault)
	}
}

func validateLoad(c *Condition, name, path string, catalog *vitals.Catalog, fault faultFunc) {
	if _, ok := catalog.Lookup(name); !ok {
		fault(path, "%s", unknownSignal(name, catalog))
	} else if name == c.Signal {
		fault(path, "is the signal itself")
	}
}

// Grows reports whether a condition, or one that it is made of, judges how a signal grows over minutes or hours.
func (c *Condition) Grows() bool {
	return c.Growth != nil || c.Grown != nil || c.Trend != nil ||
		slices.ContainsFunc(slices.Concat(c.All, c.Any), func(d Condition) bool { return d.Grows() })
}
