package diagnose_test

import (
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// The scale of scores that docs/findings.md promises.
const (
	worthKnowing = 25 // the lowest score of a finding
	capUnsure    = 74 // a warning at most: the evidence cannot show that it hurts
	capNotice    = 49 // a notice at most
)

// What a few kinds give at most, or ask for at least.
const (
	neighbourUnfelt = 34 // jobs on the machine that nobody feels
	ballastUnsure   = 35
	lookAheadCap    = 90 // a surge that has not come yet
	walkSamples     = 60 // at the leaf of a loop
	youngAge        = 5 * time.Minute
	defaultHeapRate = 512 << 10
)

const (
	memLeakKind   = "mem-leak"
	callOutRemedy = "never-call-out"
	putBackTitle  = "Do not put back what has grown large"
)

// undecidedWhy is why a diagnosis could not judge a kind; "" if it could.
func undecidedWhy(us []casefile.Undecided, kind string) string {
	for _, u := range us {
		if u.Kind == kind {
			return u.Reason
		}
	}
	return ""
}
