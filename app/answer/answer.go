// Package answer reads what anybody says of a case, and checks it against the case's facts.
//
// The problem: an answer by a person, a script or an agent may be right, and may name a line that is not there, a
// number that nobody measured, a release that nobody made, or a cure for another fault; they read alike. The approach:
// Parse takes the parts of an answer, also out of prose, and Check holds each part against a facts.Sheet, the source
// and the modules on this machine: places, facts, numbers, gain, versions and settings, the diff, and whether something
// measured contradicts the cure. Each part gives reasons, and the worst of them is the verdict.
//
// The limits: what a change in words means is guessed from a small table of verbs and things (classes.go), so that a
// class that was guessed refuses only where facts name another resource at the place. That the change helps, no check
// says: a proof does.
package answer

import "github.com/gocasebook/casebook/casefile"

// An Answer is what somebody says of a case. Its JSON form is in docs/answer.md.
type Answer struct {
	Author  string          `json:"author,omitempty"`
	Place   []casefile.At   `json:"place"` // the first is the one to change
	Cause   string          `json:"cause"`
	Change  string          `json:"change,omitempty"`
	Diff    string          `json:"diff,omitempty"`
	Rests   []string        `json:"rests,omitempty"` // IDs of facts
	Numbers []Number        `json:"numbers,omitempty"`
	Gain    *casefile.Claim `json:"gain,omitempty"`
	Uses    []Use           `json:"uses,omitempty"`
}

// A Number is one that an answer names.
type Number struct {
	Fact  string  `json:"fact,omitempty"` // by whose ID; "" where the answer does not say
	Name  string  `json:"name,omitempty"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit,omitempty"`
}

// A Use is a module, a release of it, or one of its settings that an answer's change uses.
type Use struct {
	Module  string `json:"module,omitempty"` // its path, or a package of the standard library
	Version string `json:"version,omitempty"`
	Name    string `json:"name,omitempty"` // of a setting, a field or a function
}

// What is taken of an answer. Agents write a page at most; case.json has 4 MiB for everything.
const (
	MaxBytes   = 1 << 20  // of what is parsed
	maxDiff    = 64 << 10 // bytes of a diff: a change of thousands of lines is none that a check can judge
	maxText    = 4000     // characters of the cause, and of the change
	maxName    = 500      // characters of a name
	maxPlaces  = 20
	maxRests   = 50
	maxNumbers = 50
	maxUses    = 20
)
