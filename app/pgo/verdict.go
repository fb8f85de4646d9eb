package pgo

import (
	"fmt"
	"time"

	"github.com/gocasebook/casebook/internal/number"
)

// A Verdict is what a profile is worth to the compiler.
type Verdict string

// The verdicts.
const (
	Good        Verdict = "good"
	Stale       Verdict = "stale"        // the source has changed too much since
	Narrow      Verdict = "narrow"       // it does not represent the service
	NotWorthIt  Verdict = "not worth it" // the compiler can speed up too little of what takes the CPU
	TooFew      Verdict = "too few"      // samples
	NotCompared Verdict = "unknown"      // no source to hold it against
)

// The limits of the verdicts. There is no public figure for how stale a profile may be (golang/go#70291).
const (
	// staleBelow: half of the calls that made the profile worth taking are lost on the compiler.
	staleBelow = 0.5
	// narrowBelow is a share of the overlap that is possible. Measured with CPU profiles of encoding/json's benchmarks
	// (Go 1.26.8): the same load twice 99 %, encoding against half of each 51 to 63 %, encoding against decoding 5 to 7 %.
	narrowBelow = 0.6
	// worthFrom: Go's own figures are 2 to 14 % of the CPU for programs that are Go code all through
	// (https://go.dev/doc/pgo). Of a process with less than this share in such code, 1 to 4 % would be left, which a
	// proof hardly tells from noise.
	worthFrom = 0.3
	// enough samples: 20 s of a busy core, where a call that is on a stack in every twentieth is known to a tenth
	// (1/√100).
	enough = 2000
)

// A Report is what is said of a merged profile.
type Report struct {
	Verdict Verdict  `json:"verdict"`
	Reasons []string `json:"reasons"` // why, and what to do

	Profiles int       `json:"profiles"`
	Votes    int       `json:"votes"` // hosts × hours, each of which counts the same
	Hosts    int       `json:"hosts"`
	From     time.Time `json:"from,omitzero"`
	To       time.Time `json:"to,omitzero"`
	Ticks    int64     `json:"ticks"`
	Calls    int       `json:"calls"`
	GoShare  float64   `json:"go_share"` // of the samples: in Go code that is not the runtime's

	Match    *Match   `json:"match,omitempty"` // nil without a tree
	Age      *Age     `json:"age,omitempty"`   // nil where git does not tell
	Likeness Likeness `json:"likeness"`
	Gaps     []string `json:"gaps,omitempty"` // what could not be judged, and what was left out
}

// Useful reports whether nothing speaks against building with the profile.
func (r *Report) Useful() bool { return r.Verdict == Good || r.Verdict == NotCompared }

// Judge says what a merged profile is worth. A nil tree is not compared with.
func Judge(m *Merged, t *Tree) Report {
	r := Report{
		Profiles: len(m.inputs), Votes: m.Votes, Hosts: m.Hosts, From: m.From, To: m.To,
		Calls: len(m.Calls), Likeness: m.likeness(),
	}
	var compiled int64
	for _, in := range m.inputs {
		r.Ticks += in.ticks
		compiled += in.compiled
	}
	if r.Ticks > 0 {
		r.GoShare = float64(compiled) / float64(r.Ticks)
	}
	if t != nil {
		match := matchOf(m.Calls, t)
		r.Match = &match
	}
	r.conclude()
	return r
}

// conclude decides: what makes the profile useless before what makes it weaker.
func (r *Report) conclude() {
	r.Verdict = Good
	worse := func(v Verdict, format string, args ...any) {
		if r.Verdict == Good {
			r.Verdict = v
		}
		r.Reasons = append(r.Reasons, fmt.Sprintf(format, args...))
	}
	if r.GoShare < worthFrom {
		worse(NotWorthIt, "%s of the CPU is in Go code; the rest is system calls, the collector and the scheduler, "+
			"which a profile does not speed up", number.Percent(r.GoShare))
	}
	if r.Match != nil && r.Match.Share < staleBelow {
		worse(Stale, "the source has only %s of the calls where they were: profile the version that you build",
			number.Percent(r.Match.Share))
	}
	if r.Ticks < enough {
		worse(TooFew, "%d samples: take at least %d, some minutes of each host at several hours", r.Ticks, enough)
	}
	if r.Likeness.Known() && r.Likeness.Share() < narrowBelow {
		worse(Narrow, "before and after %s the profiles have %s of the calls' weight in common, of %s that is possible: "+
			"take more hours", r.Likeness.Until.Format("2 January 15:04"), number.Percent(r.Likeness.Overlap),
			number.Percent(r.Likeness.Ceiling))
	}
	if r.Verdict == Good && r.Match == nil {
		r.Verdict = NotCompared
	}
}
