package diagnose

import (
	"context"
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/traces"
)

// oneSyncScale is syscallTimeScale of a request that makes one call, or a few share one: it is as quick as its disk. A
// turning disk takes 10 ms. It is for half of the requests and not for their mean: what others write makes some of the
// calls many times as long.
func oneSyncScale() Scale { return Scale{Worth: 0.02, Hurts: 0.2, Top: 2} }

// syscallRequests are how many must make the calls, for a mean. Of calls that each request makes again and again fewer
// requests tell as much: it is the calls that are measured.
const (
	syscallRequests = 20
	repeatedLeast   = 5
	repeatedCalls   = 100
)

// enough reports whether a mean of the calls means anything.
func (c *servedCall) enough() bool {
	return c.Took.Count >= syscallRequests || c.Took.Count >= repeatedLeast && c.Calls >= repeatedCalls
}

// severalSyncs is from how many calls a request on they can be joined. One commit of a database may take two: of its
// data, and of the page or log that says where they are.
const severalSyncs = 2.5

func ioFsync() Detector {
	return Detector{
		ID:         "IO004",
		Kind:       "io-fsync",
		Title:      "Requests wait until the disk has what they wrote",
		OtherNames: []string{"io-unbatched"},
		Text: `Reads an execution trace: the calls of fsync, fdatasync and the like that take 100 µs or more while a
request to a net/http or gRPC server is served, by the user's line. A database in the process (bbolt, goleveldb,
SQLite) makes them, too, for each commit. Others (badger, Pebble) have a goroutine that makes them for all callers: then
it is the requests' waiting for that goroutine, as far as it was in such calls while it was busy.

The measures and limits are those of syscall-long: 2 and 50 ms a request on average, and 25 and 75 % of its time; the
lower score counts. A request that makes one call or two, as one commit of a database does, is as quick as its disk (0.1
to 10 ms each): then it is worth knowing from 20 ms in half of the requests, and hurts from 200. At least 20 requests
must be in the trace, or 5 that make 100 calls together.`,
		Needs:    needTrace(),
		Before:   `for _, v := range votes { f.Write(line(v)); f.Sync() } // each waits for the disk`,
		After:    `f.Write(lines(votes)); f.Sync() // one for all; remedy/batch does it for several requests`,
		Remedies: fsyncRemedies(),
		// A rename after fsync waits for the journal; who hands over waits for the channel.
		Absorbs:    related(SameFunction, "io-small", "syscall-long", "chan-bottleneck"),
		NeedsPlace: true,
		Run:        runIOFsync,
	}
}

// forcesDisk reports whether a system call ends when the disk has what was written.
func forcesDisk(name string) bool {
	return slices.Contains([]string{"fsync", "fdatasync", "sync_file_range", "syncfilerange", "msync", "syncfs",
		"sync"}, name)
}

func runIOFsync(_ context.Context, r *Reading) Answer {
	s, from := r.Trace()
	w, ok := worstSync(r, s)
	if !ok {
		return Answer{}
	}
	f := w.finding(r)
	f.Summary = w.summary()
	f.Explanation = "Each call ends when the disk has everything that was written before it, 0.1 to 10 ms. One call " +
		"does it for as many records as have been written by then. The CPU profile does not show the wait."
	f.Impact.Gain = fsyncGain(w.share(), w.perRequest())
	place := tracedPlace(w.at)
	if w.does.Function != "" {
		place = tracedPlace(w.does)
		f.Title = fmt.Sprintf("Requests wait for %s by %s at %s", w.name, short(w.by), place)
		f.Where = slices.Insert(f.Where, 0, tracedFrame(w.does, w.share(), "forces to the disk what they hand over"))
	}
	f.Remedies = remediesAt(place, w.remedies(s)...)
	f.Evidence = from
	return found(f)
}

// worstSync is the line at which requests wait longest for the disk; ok is false if that is not worth knowing.
func worstSync(r *Reading, s *traces.Summary) (worst servedCall, ok bool) {
	worst, ok = worstLine(append(servedLines(r, s, func(name string, stack traces.Stack) bool {
		return forcesDisk(name) && !logs(r, stack)
	}), awaitedSyncs(r, s)...))
	if worst.perRequest() < severalSyncs {
		worst.score = min(worst.score, oneSyncScale().Score(worst.Took.P50.Seconds()))
	}
	return worst, ok && worst.score >= worthKnowing
}

// perRequest is how many of the calls a request makes.
func (c *servedCall) perRequest() float64 { return float64(c.Calls) / float64(max(c.Took.Count, 1)) }

func (c *servedCall) summary() string {
	how := fmt.Sprintf("in %s at %s: %s each (p99 %s), in %s", c.name, tracedPlace(c.at),
		seconds(c.Took.Mean().Seconds()), seconds(c.Took.P99.Seconds()), things(float64(c.Calls), "call"))
	if c.by != "" {
		how = fmt.Sprintf("waiting at %s for %s by %s: %s each, in %s", tracedPlace(c.at), c.name, short(c.by),
			seconds(c.Took.Mean().Seconds()), things(float64(c.Calls), "wait"))
	}
	return fmt.Sprintf("%s spend %s of their time %s, %s a request.", things(float64(c.Took.Count), "request"),
		percent(c.share()), how, count(c.perRequest()))
}

// fsyncGain is what one call instead of several saves of a request, and half of the wait where it makes one: two
// requests that share it.
func fsyncGain(share, per float64) casefile.Gain {
	high := share * max(1-1/per, 0.5)
	return casefile.Gain{Low: roundShare(high / 2), High: roundShare(high),
		Arithmetic: fmt.Sprintf("one call instead of %s, of %s of the requests' time; half of that if some cannot be "+
			"joined", count(max(per, 2)), percent(share))}
}
