package rule

import (
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// A kind is one kind of condition as a value: its name in a rules file, its checks, its words, and how the engine
// judges it. Nothing else in this package checks the kind of a condition. A function that a kind does not need is nil.
//
// A function on a node finds in n.read what the test read last, and in n.state what start made. Those that run with
// every sample (measure, now, spent, level, way, nearness) must not allocate.
//
// No function of a kind may use the list kinds, not even through Condition.Words: Go would have to initialize the list
// before itself. Code that walks the conditions walks their parts, too.
type kind struct {
	name  string // of its field in JSON
	class class
	edge  bool // true in single samples only, so that it cannot be held and does not end
	clock bool // true by the time alone, so that another condition that was true explains a firing better

	// The condition as it is written. Groups have parts and compose instead of validate and words.
	set      func(c *Condition) bool // whether it has the field of this kind
	validate func(c *Condition, path string, catalog *vitals.Catalog, fault faultFunc)
	words    func(c *Condition, signal vitals.Signal, catalog *vitals.Catalog) string // without the signal's name
	parts    func(c *Condition) []part
	compose  func(parts []phrase) string
	// lookback is how much of the past it looks at.
	lookback func(c *Condition) time.Duration
	// limit names the signal that has its limit, threshold is the number that it has in the signal's own unit.
	limit     func(c *Condition) string
	threshold func(c *Condition) *float64

	// The condition in the engine. Groups have now and nearness instead of measure and way.

	// start makes what a node remembers, and returns a pointer to it. keep copies that, so that a sample of the past
	// can be explained. reset forgets it when the target starts again.
	start func(n *node, catalog *vitals.Catalog) any
	keep  func(n *node) any
	reset func(n *node)
	// share gives a node what it remembers together with others.
	share func(n *node, all *shared)
	// measure judges a sample in which the signal is v. When now returns yes, it also returns the test that decided.
	measure func(n *node, v float64, m moment) reading
	now     func(n *node, m moment) (truth, *node)
	spent   func(n *node) // it is true and has been for its For
	// level is the signal's value when a sample has none, if the test remembers one. Without it such a sample is
	// unknown.
	level func(n *node) (v float64, ok bool)
	// way and nearness are the share of the way to the limit. A kind without gives no warning.
	way      func(n *node, v float64) float64
	nearness func(n *node, now time.Time) float64
	// census gets each census of the goroutines; settled says that it counted the places where they wait. wants says
	// whether it must count a place.
	census func(n *node, c *census, at time.Time, settled bool)
	wants  func(n *node, p *vitals.Place) bool

	// The condition for a person.

	// saw says what a test found, fired says it when the test was true (nil: saw).
	saw, fired func(n *node) string
	// why says why the condition is not true (nil: the signal's value and saw), report why it was true (nil: the same
	// with fired, and for how long).
	why    func(n *node, s *vitals.Sample, absent map[string]string) string
	report func(n *node, s *vitals.Sample) string
	// shown is the test whose signal represents the condition (nil: itself), value the number if no signal does.
	shown func(n *node, s *vitals.Sample) *node
	value func(n *node) float64

	// The condition on recorded vitals.

	// gap is how far it is from true: the smaller, the closer. need includes the floor. If nil, it is need minus have.
	gap func(n *node, v, need float64) float64
	// unrecorded says why recordings cannot decide it, undated how close it came if its values say nothing.
	unrecorded string
	undated    func(true bool) string
	resume     func(n *node) // the recording continues after a gap
}

// A class is what a condition is about.
type class int

const (
	groups class = iota // other conditions
	alone               // the time, or goroutines
	tests               // one signal
)

// A part is a condition in a group.
type part struct {
	place string // "all[1]"
	cond  *Condition
}

// A phrase is a part in words.
type phrase struct {
	text  string
	loose bool // it needs brackets beside others
}

// whole puts brackets around a phrase that needs them.
func (p phrase) whole() string {
	if p.loose {
		return "(" + p.text + ")"
	}
	return p.text
}

// kept copies the state of a node: the usual keep.
func kept[S any](n *node) any {
	s := *n.state.(*S)
	return &s
}

// cleared forgets the state of a node: the usual reset.
func cleared[S any](n *node) {
	var none S
	*n.state.(*S) = none
}

// started makes an empty state: the usual start.
func started[S any](*node, *vitals.Catalog) any { return new(S) }
