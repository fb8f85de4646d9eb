package diagnose

import (
	"strings"

	"github.com/gocasebook/casebook/casefile"
)

// What a finding is made of, for code that decides by it; the texts beside are for people.

// Parts of places that only this package asks about.
const (
	madePart    = "makes-channels"
	piecesPart  = "moves-pieces"
	insidePart  = "called-inside"  // by a dependency; not on its stack
	packagePart = "calls-package"  // of a dependency; not on its stack
	startsPart  = "leads-to-start" // the user's line behind goroutines of a dependency
	startedPart = "starts"         // a go statement
	worksPart   = "works"          // what the few do who do the work that waits
	rootPart    = "goroutine"      // the function that a goroutine was started with
	awaitsPart  = "awaits-others"  // a WaitGroup's Wait
	knownPart   = "known"          // of a row about its module
)

// formPerQuery is the form of a finding.
const formPerQuery = "goroutine-per-query"

// Names of remedies that others look for.
const (
	boundRemedy   = "bound"
	whoRemedy     = "see-holder"
	cheaperRemedy = "cheaper-work"
	callOutRemedy = "never-call-out"
	holdLess      = "held-for-less"
	moreReaders   = "more-readers"
	closeIt       = "close-channel"
	copyOrBoundIt = "copy-or-bound"
	generalRemedy = "general" // of any program of which only so much is known: a row about the module says more
)

// as says what a place is to its finding.
func as(part string, f casefile.Frame) casefile.Frame {
	f.Part = part
	return f
}

// withName gives a remedy its name.
func withName(name string, r casefile.Remedy) casefile.Remedy {
	r.Name = name
	return r
}

// withNeeds says what must be so in the source for a remedy.
func withNeeds(what string, r casefile.Remedy) casefile.Remedy {
	r.Needs = what
	return r
}

// withEnv says which variables a remedy sets.
func withEnv(env string, r casefile.Remedy) casefile.Remedy {
	r.Env = env
	return r
}

// withSets says which setting in code a remedy changes, by a name of one word.
func withSets(name string, r casefile.Remedy) casefile.Remedy {
	if !strings.Contains(name, " ") {
		r.Sets = name
	}
	return r
}

// namesCost reports whether a finding's summary says its share of something.
func namesCost(f casefile.Finding, of string) bool {
	for _, c := range f.Costs {
		if c.Of == of {
			return true
		}
	}
	return false
}
