package diagnose

import (
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// syscallCrowd answers from goroutine profiles and the kernel's count of writes: each request ends with one.
func syscallCrowd(r *Reading) Answer {
	c, ok := findCrowdedCall(r, crowdFor{inKernel, func(r *Reading, stack []stacks.FrameID) stacks.FrameID {
		at, _ := r.Table.UserFrame(stack)
		return at
	}})
	if !ok {
		return Answer{}
	}
	writes, n := r.MeanNear(vitals.WriteCalls, c.sets[len(c.sets)-1])
	if n == 0 || writes <= 0 {
		return undecided(fmt.Sprintf("%s of %s requests in progress are in a system call at %s, and for how long is "+
			"not known", count(c.mean()), count(float64(c.requests)/float64(len(c.sets))), r.Place(c.at)), captureTrace)
	}
	wait := c.mean() / writes
	score := min(syscallTimeScale().Score(wait), capUnsure)
	if score < worthKnowing {
		return Answer{}
	}
	return found(c.kernelFinding(r, wait, writes, score))
}

// inKernel reports whether goroutines are in a system call that is none on a connection, and no line of a log.
func inKernel(r *Reading, p *pile) bool {
	return p.wait == stacks.WaitSyscall && !r.Table.Has(p.stack, withWork(known.OfSocket)) &&
		!r.Table.Has(p.stack, withRole(known.Logs))
}

func (c *crowdedCall) kernelFinding(r *Reading, wait, writes float64, score int) casefile.Finding {
	place, share := r.Place(c.at), min(float64(c.n)/float64(max(c.requests, 1)), 1)
	name := profiledCall(r, c.stack)
	f := casefile.Finding{
		Title: fmt.Sprintf("Requests wait for %s at %s, %s or longer", name, place, seconds(wait)),
		Score: score, Confidence: 0.7,
		Summary: fmt.Sprintf("%s of %s requests in progress are in %s at %s, in each of %s. The process writes %s "+
			"times a second, and a request ends with a write: so each is there for %s or longer.",
			count(c.mean()), count(float64(c.requests)/float64(len(c.sets))), name, place,
			things(float64(len(c.sets)), "capture"), count(writes), seconds(wait)),
		Explanation: "A system call that blocks holds its thread, and the request waits for the disk, the device or " +
			"the lock behind it. An execution trace shows how long each call takes (" + captureTrace + ").",
		Where: []casefile.Frame{r.Frame(c.at, share, "waits in the kernel (share of the requests in progress)")},
		Impact: casefile.Impact{Resource: "latency", Share: roundShare(share),
			Text: seconds(wait) + " or more of each of these requests"},
		Remedies: remediesAt(place, syscallRemedies(name)...),
	}
	if forcesDisk(name) {
		f.Remedies = remediesAt(place, crowdedSync(r, c).remedies()...)
	}
	for _, set := range c.sets {
		f.Evidence = append(f.Evidence, Basis(set)...)
	}
	return f
}

// crowdedSync is what decides the remedies of a sync that goroutine profiles show. How many a request makes they do
// not.
func crowdedSync(r *Reading, c *crowdedCall) syncing {
	w := syncing{together: c.mean()}
	for _, id := range c.stack[:max(slices.Index(c.stack, c.at), 0)] {
		w.below = append(w.below, r.Table.Func(id).Name)
	}
	return w
}

// profiledCall is the system call of a profile's stack, as kernelCall is of a trace's.
func profiledCall(r *Reading, stack []stacks.FrameID) string {
	names := make([]string, len(stack))
	for i, id := range stack {
		names[i] = r.Table.Func(id).Name
	}
	return systemCall(names)
}
