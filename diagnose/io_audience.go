package diagnose

import (
	"slices"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// An audience is among how many connections writes may be divided: each may get one of what looks like many.
type audience struct {
	peers float64 // connections that are no HTTP server's or client's
	web   float64 // goroutines that are
	known bool
}

// ownFiles is how many files a process has open beside its connections: standard input, output and error, the
// network's poller and the event that wakes it up, a listener or two, a log.
const ownFiles = 8

func (p *pieces) audience(r *Reading) (c audience) {
	if set := r.Goroutines(); set != nil {
		c.known = true
		of := set.Count()
		for i := range set.Samples {
			s := &set.Samples[i]
			switch use := transportOf(r.Table, s.Stack).use; {
			case r.Table.Has(s.Stack, withWork(known.SpeaksHTTP)):
				c.web += float64(of(s))
			case use == readsDirect || use == readsBuffered || use == otherwise,
				slices.ContainsFunc(s.Stack, func(id stacks.FrameID) bool { return r.Table.FuncID(id) == p.fn }):
				c.peers += float64(of(s))
			}
		}
	}
	if files, n := r.MeanNear(vitals.OpenFiles, p.v.set); n > 0 {
		c.peers, c.known = max(c.peers, files-c.web-ownFiles), true
	}
	return c
}

// maxPeers is among how many connections the writes of one message may be divided before they say nothing of pieces.
const maxPeers = 8

// explains reports whether the audience explains that there are so many times as many writes as there are causes. What
// comes in is a cause where it comes from the audience; writes that nothing from outside causes may go to everybody.
func (c audience) explains(p *pieces, times float64) bool {
	if !c.caused(p) {
		return c.peers >= maxPeers
	}
	return c.peers >= max(maxPeers, times/crowdError)
}

// caused reports whether what comes in from the audience is a cause of the writes.
func (c audience) caused(p *pieces) bool {
	return p.request > 0 || p.asked > 0 || c.web <= ownWeb && p.counts.reads >= 2*c.peers
}

// crowdError is by how much the number of peers may be too low. How many times as many writes there are as reads is no
// estimate that is too high: each second read may find nothing.
const crowdError = 1.25

// ownWeb is how many goroutines of HTTP the profiles themselves need.
const ownWeb = 3
