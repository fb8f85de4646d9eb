package rule

import (
	"fmt"
	"math"
	"time"

	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// A Grown tests whether a signal is many times what it was at first.
//
//	{"signal": "goroutines", "grown": {"times": 4, "first": "10m", "beyond": ["open_files", "alloc_rate"]}}
//
// The first value is the mean over the First of the watch, or of the process if that was replaced meanwhile. The
// present value is the lowest mean of five stretches of a tenth of First each. If one of the signals of Beyond has
// grown, too, the signal must have grown Times as much as that one. Nothing is judged before twice First.
type Grown struct {
	// Times is the multiple of the first value, above 1 and up to 100.
	Times float64 `json:"times"`
	// First is the time from the beginning, from 1m to 24h. Zero means DefaultTrendOver.
	First Duration `json:"first,omitempty"`
	// Beyond names the signals of load. Those that are absent explain nothing.
	Beyond []string `json:"beyond,omitempty"`
}

// grown is a Grown as a kind.
var grown = kind{
	name: "grown", class: tests,
	set:      func(c *Condition) bool { return c.Grown != nil },
	validate: validateGrown,
	words: func(c *Condition, _ vitals.Signal, _ *vitals.Catalog) string {
		return c.Grown.words()
	},
	start: func(n *node, catalog *vitals.Catalog) any { return newGrownState(n.cond.Grown, catalog) },
	keep:  kept[grownState],
	reset: func(n *node) { n.state.(*grownState).began = time.Time{} }, // it starts again with the next sample
	share: func(n *node, all *shared) {
		s, first := n.state.(*grownState), n.cond.Grown.first()
		s.own = all.past(n.id, first)
		for _, id := range s.loads.id {
			s.load = append(s.load, all.past(id, first))
		}
	},
	measure: (*node).grown,
	level: func(n *node) (float64, bool) { // it remembers the values that there were
		return n.read.have * n.state.(*grownState).explains * n.read.mean, n.read.enough
	},
	way: func(n *node, _ float64) float64 { return ratio(n.read.have, n.read.need) },
	saw: (*node).grownText,
}

// recentSlots are the stretches that make up the present value.
const recentSlots = 5

func (g *Grown) first() time.Duration { return orDefault(g.First, DefaultTrendOver) }

// A past holds a signal's first and present values. Tests share it as they share slots.
type past struct {
	sum    float64
	n      int
	recent slots
}

func (p *past) restart(width time.Duration, began time.Time) {
	if p.recent.width != width || !p.recent.began.Equal(began) {
		p.sum, p.n = 0, 0
		p.recent.restart(width, began)
	}
}

func (p *past) take(m moment, v float64, first bool) (closed bool) {
	if p.recent.step != m.step && first && !math.IsNaN(v) {
		p.sum, p.n = p.sum+v, p.n+1
	}
	return p.recent.take(m, v)
}

// then and now are the first and the present level; NaN if there are too few values.
func (p *past) levels() (then, now float64) {
	c := p.recent.course(false)
	if p.n < minBaseline || c.n < recentSlots {
		return math.NaN(), math.NaN()
	}
	now = math.Inf(1)
	for _, v := range c.values[c.n-recentSlots : c.n] {
		now = math.Min(now, v)
	}
	return p.sum / float64(p.n), now
}

// A grownState is what a node with a Grown remembers.
type grownState struct {
	began time.Time // of the process that it judges
	own   *past
	loads loads
	load  []*past // of each of them

	read     reading // when a slot last ended
	explains float64 // how many times as much there is of the signal of load that has grown most, at least 1
	by       int     // its index in load
}

func newGrownState(g *Grown, catalog *vitals.Catalog) *grownState {
	return &grownState{loads: newLoads(g.Beyond, catalog)}
}

// grown reads a Grown: have is how many times as much, need how many it takes, mean that of the first minutes.
func (n *node) grown(v float64, m moment) reading {
	g, s := n.cond.Grown, n.state.(*grownState)
	width := g.first() / 10
	if !s.began.Equal(m.began) {
		s.began = m.began
		s.own.restart(width, m.began)
		for i := range s.load {
			s.load[i].restart(width, m.began)
		}
		s.read, s.explains, s.by = reading{state: no, need: g.Times}, 0, 0
	}
	first := m.sample.Time.Sub(m.began) < g.first()
	for i := range s.load {
		x, _ := m.sample.Get(s.loads.id[i])
		s.load[i].take(m, x, first)
	}
	if s.own.take(m, v, first) && m.sample.Time.Sub(m.began) >= 2*g.first() {
		s.read = n.judgeGrown()
	}
	return s.read
}

func (n *node) judgeGrown() reading {
	s := n.state.(*grownState)
	r := reading{state: no, need: n.cond.Grown.Times}
	s.explains, s.by = 1, 0
	then, now := s.own.levels()
	if r.enough = then > 0 && !math.IsNaN(now); !r.enough {
		return r
	}
	s.loads.known(func(i int) bool { return s.load[i].recent.has() }, func(i int) {
		if a, b := s.load[i].levels(); a > 0 && b/a > s.explains {
			s.explains, s.by = b/a, i
		}
	})
	r.mean = then
	r.have = now / then / s.explains
	if r.have >= r.need {
		r.state = yes
	}
	return r
}

// grownText says what a Grown saw: "6.2 times the 120 of the first 10m".
func (n *node) grownText() string {
	r, s := &n.read, n.state.(*grownState)
	first := number.Setting(n.cond.Grown.first())
	if !r.enough {
		return "no judgement before twice the first " + first
	}
	then := n.signal().Unit.Format(r.mean)
	text := fmt.Sprintf("%s times the %s of the first %s", number.Digits(r.have*s.explains), then, first)
	if s.explains > 1.05 {
		text += fmt.Sprintf(", while %s is %s times as much", s.loads.signal[s.by].Name, number.Digits(s.explains))
	}
	return text
}

// words are the test for a person.
func (g *Grown) words() string {
	text := fmt.Sprintf("at least %g times what it was in the first %s", g.Times, number.Setting(g.first()))
	if len(g.Beyond) > 0 {
		text += ", beyond what " + loadWords(g.Beyond) + " has grown"
	}
	return text
}

func validateGrown(c *Condition, path string, catalog *vitals.Catalog, fault faultFunc) {
	g := c.Grown
	path += ".grown"
	multiple(g.Times, path+".times", fault)
	if f := time.Duration(g.First); f != 0 && (f < time.Minute || f > maxTrendOver) {
		fault(path+".first", "wants a time from %s to %s, not %s", number.Setting(time.Minute),
			number.Setting(maxTrendOver), g.First)
	}
	validateLoads(c, g.Beyond, path+".beyond", catalog, fault)
}
