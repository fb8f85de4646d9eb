package diagnose

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
)

// When no goroutine can go on and nothing outside could wake one, the runtime ends the process: "all goroutines are
// asleep". That proves a deadlock; the goroutines below say of what.

// provenDeadlock is the finding of a process that the runtime has ended so.
func provenDeadlock(r *Reading) (f casefile.Finding, ok bool) {
	set := deadlocked(r)
	if set == nil {
		return f, false
	}
	piles := slices.DeleteFunc(slices.Clone(r.Piles(set)), func(p *view.Pile) bool {
		return !p.User && r.Table.Entered(p.Stack) == stacks.NoFrame // the runtime's own: finalizers, the collector
	})
	slices.SortStableFunc(piles, func(a, b *view.Pile) int {
		return cmp.Or(cmp.Compare(wakeRank(b.Wait), wakeRank(a.Wait)), cmp.Compare(b.N, a.N))
	})
	total := max(float64(set.Total(set.Count())), 1)
	f = casefile.Finding{Title: "All goroutines wait for each other", Score: 100, Confidence: 1, Evidence: Basis(set),
		Explanation: "The runtime has looked at all goroutines: none can run, and no timer, network or signal could " +
			"wake " +
			"one. It ended the process.",
		Impact: endOfProcess(), Remedies: remediesAt("the line that waits", deadlockRemedies()...)}
	for _, p := range piles[:min(len(piles), 5)] {
		f.Where = append(f.Where, r.Frame(p.At, float64(p.N)/total, p.Wait.String()))
	}
	if len(piles) == 0 {
		return f, true
	}
	first := piles[0]
	w := wakeOf(first.Wait)
	if first.Wait == stacks.WaitSend && slices.ContainsFunc(piles, func(p *view.Pile) bool {
		return p.Wait == stacks.WaitGroup
	}) {
		w = awaitedBeforeRead()
	}
	f.Title = fmt.Sprintf("All goroutines sleep: %s at %s", w.lacks, r.Place(first.At))
	f.Summary = "The runtime has proved it, and ended the process"
	for i, p := range piles[:min(len(piles), 3)] {
		sep := ", "
		if i == 0 {
			sep = ": "
		}
		f.Summary += fmt.Sprintf("%s%s %s at %s", sep, things(float64(p.N), "goroutine"), p.Wait, r.Place(p.At))
	}
	f.Remedies = remediesAt(r.Place(first.At), w.cure)
	if outer, again := lockedByItself(r, first, len(piles) == 1); again {
		f.Summary += fmt.Sprintf("; %s, further out on the same stack, may hold the lock", r.Place(outer))
		f.Where = slices.Insert(f.Where, 1, r.Frame(outer, float64(first.N)/total, "calls it, and may hold the lock"))
	}
	f.Summary += "."
	return f, true
}

// deadlocked is the text in which the runtime says that no goroutine can go on; nil without one.
func deadlocked(r *Reading) *stacks.Set {
	for _, s := range slices.Backward(r.Sets) {
		if slices.ContainsFunc(s.Crashes, func(c *stacks.Crash) bool { return c.Kind == stacks.CrashDeadlock }) {
			return s.Set
		}
	}
	return nil
}

// lockedByItself is the next line of the user's on the stack of goroutines that wait for a lock: in another function of
// the same receiver it may hold that very lock, and so may any where there are no other goroutines.
func lockedByItself(r *Reading, p *view.Pile, alone bool) (outer stacks.FrameID, ok bool) {
	_, i := r.Table.UserFrame(p.Stack)
	if !p.Wait.ForLock() || i < 0 {
		return stacks.NoFrame, false
	}
	own, method := stacks.Receiver(r.Table.Func(p.Stack[i]).Name)
	for _, id := range p.Stack[i+1:] {
		of, is := stacks.Receiver(r.Table.Func(id).Name)
		if method && is && of == own || alone && r.Table.Func(id).Owner == stacks.User {
			return id, true
		}
	}
	return stacks.NoFrame, false
}

// A wake is what a wait that never ends needs.
type wake struct {
	lacks string // "nobody receives what is sent"
	cure  Remedy
}

// endRank puts the wait first that says most: who waits for a group or a condition waits for the others.
func wakeRank(w stacks.Wait) int {
	switch w {
	case stacks.WaitNilChan:
		return 4
	case stacks.WaitMutex, stacks.WaitRLock, stacks.WaitRWLock:
		return 3
	case stacks.WaitSend:
		return 2
	case stacks.WaitReceive, stacks.WaitSelect, stacks.WaitCond:
		return 1
	}
	return 0
}

func wakeOf(w stacks.Wait) wake {
	switch w {
	case stacks.WaitNilChan:
		return wake{"the channel is nil", byChange("", "Make the channel before it is used",
			"The channel of {line} is nil: "+
				"make(chan T) where its owner is created.", "none")}
	case stacks.WaitMutex, stacks.WaitRLock, stacks.WaitRWLock:
		return wake{"nobody can give back the lock that is waited for", byChange("", "Do not take a lock again that "+
			"is held",
			"At {line}: split the method into an exported one that locks and an inner one (…Locked) that does not, "+
				"and call "+
				"the inner one under the lock; defer Unlock right after Lock, so that each return gives it back.",
			"none")}
	case stacks.WaitSend:
		return wake{"nobody receives what is sent", byChange("", "Receive what is sent, or give the channel room",
			"For the channel of {line}: a receiver that lives as long as its senders, or as much room as there are "+
				"sends "+
				"(make(chan T, n)), or a select with ctx.Done().", "none")}
	case stacks.WaitReceive:
		return wake{"nobody sends what is received, or closes the channel", byChange("",
			"Close the channel when its last sender ends",
			"For the channel of {line}: who sends closes it (go func() { wg.Wait(); close(ch) }()), so that receive "+
				"and range "+
				"end.", "none")}
	case stacks.WaitGroup:
		return wake{"nobody calls Done of the WaitGroup that is waited for", byChange("", "Call Done on every path",
			"For the WaitGroup of {line}: Add before each go statement, defer Done first in each goroutine, one for "+
				"one; those "+
				"that should have called it have ended, or never began. It must be passed by pointer.", "none")}
	case stacks.WaitCond:
		return wake{"nobody signals the Cond", byChange("", "Signal after each change",
			"For the Cond of {line}: change the state under its lock, then Broadcast.", "none")}
	}
	return wake{"nothing ends the wait", byChange("", "Say what ends the wait", "At {line}: main must wait for work "+
		"that goes on (a WaitGroup, a server, a signal), not for ever; each select needs a case that comes.", "none")}
}

// awaitedBeforeRead is the end of senders whose results are read after all of them have ended.
func awaitedBeforeRead() wake {
	return wake{"what is sent is received only after all have ended", byChange("", "Receive before Wait",
		"For the channel of {line}: go func() { wg.Wait(); close(ch) }(), and range over the channel where Wait "+
			"was; or room "+
			"for all results (make(chan T, n)).", "none")}
}
