// Package budget says what a capture will cost the process it looks at, and whether the hour can still pay for it.
//
// The problem: evidence is taken from a service that is in trouble already. A goroutine dump of 100,000 goroutines
// stops it for ten seconds; a rule that trips each minute turns cheap profiles into a load. So each capture is asked
// for beforehand: Predict estimates its cost from the size of the process, a Ledger compares that with what captures
// have cost in the last hour, and grants or refuses. What a granted capture did cost replaces its prediction.
//
// The package is a pure core: it reads no clock, no file and no process, and starts nothing. One Ledger serves all
// captures of a process, those a person asks for too, and its State survives restarts.
//
// Limits: predictions come from measurements on two virtual cores (predict.go names them). Work and long stops are
// right to about a factor of three, erring on the expensive side; a short stop is predicted as a busy process has it,
// an idle one's is 40 times shorter. What the sampler could not learn is assumed. A capture counts at the moment it is
// asked for, not spread over the time it takes.
package budget

import (
	"fmt"
	"time"
)

// A Cost is what one capture, or an hour of captures, takes from the process it looks at.
type Cost struct {
	CPU     time.Duration `json:"cpu_ns,omitempty"`     // processor time, on all cores together
	Bytes   int64         `json:"bytes,omitempty"`      // of evidence to keep
	Pause   time.Duration `json:"pause_ns,omitempty"`   // all stops of the world together
	Longest time.Duration `json:"longest_ns,omitempty"` // the longest single stop of the world
}

// Limits bound what captures cost in any 60 minutes, Longest each single stop. A zero field means its default, a
// negative one that there is no limit.
type Limits struct {
	CPU     time.Duration `json:"cpu_ns"`
	Bytes   int64         `json:"bytes"`
	Pause   time.Duration `json:"pause_ns"`
	Longest time.Duration `json:"longest_ns"`
}

// Defaults of Limits' zero fields.
const (
	// DefaultCPU is 1 % of one core over an hour: what Casebook promises to stay below.
	DefaultCPU = 36 * time.Second
	// DefaultBytes is half of the default retention (1 GiB), so that one bad hour cannot push out all older cases; it
	// is 150 KB/s, which no disk notices.
	DefaultBytes = 512 << 20
	// DefaultPause takes one request in 7,200 the chance to meet a stop: far below a 99.9th percentile.
	DefaultPause = 500 * time.Millisecond
	// DefaultLongest is what a request of 10 ms or more can lose without a person noticing, and ten times a bad pause
	// of the garbage collector.
	DefaultLongest = 10 * time.Millisecond
	// DearLongest is what one stop a case may take where nobody has set Longest (AskDear): a dump of some 4,000
	// goroutines, which people feel no more than a slow packet. Eight fit into DefaultPause.
	DearLongest = 60 * time.Millisecond
)

// Validate names the fields that contradict each other.
func (l Limits) Validate() error {
	l = l.withDefaults()
	if l.Pause > 0 && l.Longest > l.Pause {
		return fmt.Errorf("budget: field Longest is %s, more than field Pause, %s, allows in a whole hour: lower "+
			"Longest or raise Pause",
			l.Longest, l.Pause)
	}
	return nil
}

// withDefaults gives zero fields their defaults. Longest's is lower where a lower Pause was set.
func (l Limits) withDefaults() Limits {
	l.CPU = orDefault(l.CPU, DefaultCPU)
	l.Bytes = orDefault(l.Bytes, DefaultBytes)
	if l.Pause == 0 {
		l.Pause = max(DefaultPause, l.Longest)
	}
	if l.Longest == 0 {
		l.Longest = DefaultLongest
		if l.Pause > 0 {
			l.Longest = min(l.Longest, l.Pause)
		}
	}
	return l
}

func orDefault[T time.Duration | int64](v, def T) T {
	if v == 0 {
		return def
	}
	return v
}

// plus adds two costs. Sums saturate: a state from a damaged file must not wrap around to a negative sum, which would
// grant anything.
func (c Cost) plus(d Cost) Cost {
	return Cost{add(c.CPU, d.CPU), add(c.Bytes, d.Bytes), add(c.Pause, d.Pause), max(c.Longest, d.Longest)}
}

// sane is the cost without negative fields, and with Longest no longer than Pause.
func (c Cost) sane() Cost {
	c.CPU, c.Bytes, c.Pause, c.Longest = max(c.CPU, 0), max(c.Bytes, 0), max(c.Pause, 0), max(c.Longest, 0)
	c.Pause = max(c.Pause, c.Longest)
	return c
}

// ceiling is where sums stop growing: far above any limit, and half of what would overflow. As nanoseconds since 1970
// it is the year 2116.
const ceiling = 1 << 62

// add adds two numbers that are not negative.
func add[T time.Duration | int64](a, b T) T {
	return min(a, ceiling-min(b, ceiling)) + min(b, ceiling)
}

// mostOff bounds what a capture that was answered is charged, in times of its prediction. Predictions are right to a
// factor of three when the sizes are known; ten leaves room for sizes that had to be assumed.
const mostOff = 10

// Price is the CPU time that a capture is charged. A target that is starved or stopped answers late without working. If
// one such wait counted as work, the whole hour would be spent, with nothing captured.
//
// predicted is Predict's. waited is the time to answer beyond what the capture spans. used is the CPU time of the whole
// process meanwhile, which no capture exceeds; 0 when it is not known. A capture that was not answered may yet be
// worked on by the target, how much nobody knows: it is charged its prediction.
func Price(predicted, waited, used time.Duration, answered bool) time.Duration {
	if !answered {
		return max(min(waited, predicted), 0)
	}
	price := min(waited, mostOff*min(predicted, ceiling/mostOff))
	if used > 0 {
		price = min(price, used)
	}
	return max(price, 0)
}
