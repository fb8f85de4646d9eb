// Package view answers what several detectors ask of the evidence: which sets of stacks there are, who waits where,
// what a trace shows of a line, how the heap grew, what a signal was, how a place is written, how many processors there
// are. Each question is a method of a View, and says what it is answered from, and what the answer is where that is
// missing. None knows a kind of findings.
package view

import (
	"sync"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// A View is the evidence of one process. Many ask it at once, and nobody may change what it answers.
type View struct {
	Build  casefile.Build  // tells the user's own code from dependencies; may be empty
	Limits casefile.Limits // 0 where a limit is not known or not set
	Table  *stacks.Table   // of the functions and frames of all sets
	Vitals []vitals.Sample // oldest first
	Sets   []Captured      // oldest first
	Made   []Made          // what derivers made of other evidence, in that order

	EarlierSets   []*stacks.Set   // heap and goroutine profiles of evidence that this is compared with, oldest first
	EarlierVitals []vitals.Sample // likewise

	Triggers []casefile.Trigger // what tripped, if rules did
	Started  time.Time          // of the process; zero when not known

	differences differences
	piles       sync.Map // of each goroutine set
}

// A Captured is a set with the phase it was taken in.
type Captured struct {
	*stacks.Set
	Phase     casefile.Phase
	Collected bool // of a heap profile: it shows the moment it was taken
}

// Made is what was made of a piece of evidence for detectors that know its kind.
type Made struct {
	Name  string // of the file
	Kind  string
	Taken time.Time // zero when not known
	Value any
}

// Values are what derivers made of a kind, in the order in which they were made; none where nothing was of that kind.
func (v *View) Values(kind string) []Made {
	var out []Made
	for _, m := range v.Made {
		if m.Kind == kind {
			out = append(out, m)
		}
	}
	return out
}
