package rule

import (
	"fmt"
	"strings"
	"time"

	"github.com/gocasebook/casebook/internal/near"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// rise is true while the signal is this many percent above its earlier mean.
var rise = kind{
	name: "rise", class: tests,
	set: func(c *Condition) bool { return c.Rise != nil },
	validate: func(c *Condition, path string, _ *vitals.Catalog, fault faultFunc) {
		if finite(c.Rise, path+".rise", fault) {
			percentage(*c.Rise, path+".rise", fault)
		}
	},
	words:    func(c *Condition, _ vitals.Signal, _ *vitals.Catalog) string { return c.riseWords() },
	lookback: func(c *Condition) time.Duration { return c.over() + time.Duration(c.Mean) },
	measure:  (*node).rise,
	way: func(n *node, v float64) float64 {
		if n.read.mean <= 0 {
			return 0
		}
		// Half of the rise is warnAt, all of it 1.
		return 2*warnAt - 1 + (2-2*warnAt)*(v/n.read.mean-1)*100 / *n.cond.Rise
	},
	saw: (*node).riseText,
	fired: func(n *node) string {
		return fmt.Sprintf("more than %.0f %% over the mean of the %s before", *n.cond.Rise,
			number.Setting(n.cond.over()))
	},
	gap: func(n *node, v, need float64) float64 {
		if need > 0 {
			return -v / need // the mean moves, so the share counts
		}
		return need - n.read.have
	},
}

// minBaseline is how many samples a mean needs before a rise over it means anything.
const minBaseline = 5

func (c *Condition) over() time.Duration { return orDefault(c.Over, DefaultOver) }

// rise reads a Rise: mean is that of the time before.
func (n *node) rise(v float64, m moment) reading {
	c := n.cond
	r := reading{state: no, have: v}
	var count int
	r.mean, count = n.before(n.id, m)
	r.need, r.enough = r.mean*(1+*c.Rise/100), count >= minBaseline
	if r.enough && v > r.need {
		n.explained(&r, m)
	}
	if r.enough && v > r.need {
		r.state = yes
	}
	return r
}

// explained raises the required rise by the rise of load.
func (n *node) explained(r *reading, m moment) {
	most := 1.0
	for _, id := range n.beyond {
		v, ok, _ := n.value(id, m)
		if mean, count := n.before(id, m); ok && count >= minBaseline && mean > 0 {
			most = max(most, v/mean)
		}
	}
	r.need *= most
}

func (n *node) riseText() string {
	if !n.read.enough {
		return fmt.Sprintf("a mean needs %d values", minBaseline)
	}
	return fmt.Sprintf("the mean of the %s before is %s", number.Setting(n.cond.over()),
		n.signal().Unit.Format(n.read.mean))
}

func (c *Condition) riseWords() string {
	text := fmt.Sprintf("more than %.0f %% over the mean of the last %s", *c.Rise, number.Setting(c.over()))
	if len(c.Beyond) > 0 {
		text += ", beyond the rise of " + or(c.Beyond)
	}
	return text
}

// validateOver checks the fields that only rise uses.
func validateOver(c *Condition, path string, catalog *vitals.Catalog, fault faultFunc) {
	bounded(c.Over, maxOver, path+".over", fault)
	if c.Over != 0 && c.Rise == nil {
		fault(path+".over", "belongs to rise, which is not set")
	}
	if len(c.Beyond) > 0 && c.Rise == nil {
		fault(path+".beyond", "belongs to rise, which is not set; growth and grown have their own inside")
	}
	validateBeyond(c, c.Beyond, path+".beyond", catalog, fault)
}

// maxNear is the length in bytes beyond which a name is not treated as misspelt.
const maxNear = 60

// unknownSignal says which names are similar to an unknown one, or lists all of them.
func unknownSignal(name string, catalog *vitals.Catalog) string {
	var all []string
	for _, s := range catalog.Signals() {
		all = append(all, s.Name)
	}
	text := "unknown signal \"" + clip([]byte(name)) + "\"; "
	if meant := near.Names(name, all); len(name) <= maxNear && len(meant) > 0 {
		return text + "near it: " + strings.Join(meant, ", ")
	}
	return text + "known: " + strings.Join(all, ", ")
}
