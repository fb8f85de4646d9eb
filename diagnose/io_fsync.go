package diagnose

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
)

// oneSyncScale is syscallTimeScale of a request that makes one call, or a few share one: it is as quick as its disk. A
// turning disk takes 10 ms.
func oneSyncScale() Scale { return Scale{Worth: 0.02, Hurts: 0.2, Top: 2} }

// severalSyncs is from how many calls a request on they can be joined. One commit of a database may take two: of its
// data, and of the page or log that says where they are.
const severalSyncs = 2.5

func ioFsync() Detector {
	return Detector{
		ID:    "IO004",
		Kind:  "io-fsync",
		Title: "Requests wait until the disk has what they wrote",
		Text: `Reads an execution trace: the calls of fsync, fdatasync and the like that take 100 µs or more while a
request to a net/http or gRPC server is served, by the user's line. A database in the process (bbolt, badger, Pebble,
SQLite) makes them, too, for each commit.

The measures and limits are those of syscall-long: 2 and 50 ms a request on average, and 25 and 75 % of its time; the
lower score counts. A request that makes one call or two, as one commit of a database does, is as quick as its disk (0.1
to 10 ms each): then it is worth knowing from 20 ms, and hurts from 200. At least 20 requests must be in the trace.`,
		Needs:      needTrace(),
		Before:     `for _, v := range votes { f.Write(line(v)); f.Sync() } // each waits for the disk`,
		After:      `f.Write(lines(votes)); f.Sync() // one for all; remedy/batch does it for several requests`,
		Remedies:   fsyncRemedies(),
		Absorbs:    related(SameFunction, "io-small", "syscall-long"), // a rename after fsync waits for the journal
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
	s, from := r.trace()
	worst, ok := r.worstServed(s, func(name string, stack traces.Stack) bool {
		return forcesDisk(name) && !r.logs(stack)
	})
	if !ok {
		return Answer{}
	}
	per := float64(worst.Calls) / float64(worst.Took.Count)
	if per < severalSyncs {
		worst.score = min(worst.score, oneSyncScale().Score(worst.Took.Mean().Seconds()))
	}
	if worst.score < worthKnowing {
		return Answer{}
	}
	f := worst.finding(r)
	f.Summary = strings.TrimSuffix(f.Summary, ".") + fmt.Sprintf(", %s a request.", count(per))
	f.Explanation = "Each call ends when the disk has everything that was written before it, 0.1 to 10 ms. One call " +
		"does it for as many records as have been written by then. The CPU profile does not show the wait."
	f.Impact.Gain = fsyncGain(worst.share(), per)
	f.Remedies = remediesAt(tracedPlace(worst.at), fsyncRemediesOf(worst.Stack)...)
	f.Evidence = traceBasis(s, from)
	return found(f)
}

// fsyncGain is what one call instead of several saves of a request, and half of the wait where it makes one: two
// requests that share it.
func fsyncGain(share, per float64) casefile.Gain {
	high := share * max(1-1/per, 0.5)
	return casefile.Gain{Low: roundShare(high / 2), High: roundShare(high),
		Arithmetic: fmt.Sprintf("one call instead of %s, of %s of the requests' time; half of that if some cannot be "+
			"joined", count(max(per, 2)), percent(share))}
}

// fsyncRemediesOf are those for the library that makes the call, first.
func fsyncRemediesOf(s traces.Stack) []Remedy {
	all := fsyncRemedies()
	for _, f := range s {
		pkg := stacks.FuncOf(f.Function, f.File, "").Package
		for i, known := range []string{"go.etcd.io/bbolt", "github.com/dgraph-io/badger",
			"github.com/cockroachdb/pebble", "modernc.org/sqlite"} {
			if strings.HasPrefix(pkg, known) {
				return []Remedy{all[i], all[len(all)-1]}
			}
		}
	}
	return all[4:]
}

// fsyncRemedies has those of libraries first; fsyncRemediesOf picks by position.
func fsyncRemedies() []Remedy {
	return []Remedy{
		byChange("go.etcd.io/bbolt.", "Commit for many callers together", "At {line}: db.Batch instead of db.Update "+
			"joins the transactions of concurrent callers into one commit (MaxBatchDelay, MaxBatchSize); one "+
			"transaction for all keys of a request.", "the function may run twice"),
		byChange("github.com/dgraph-io/badger", "Commit for many keys together", "At {line}: one WriteBatch or "+
			"transaction for all keys of a request; SyncWrites only where a crash of the machine must lose nothing.",
			"without SyncWrites the last writes may be lost with the machine"),
		byChange("github.com/cockroachdb/pebble", "Commit for many keys together", "At {line}: one Batch with one "+
			"Commit(pebble.Sync) for all keys of a request; pebble.NoSync for what can be made again.",
			"what is committed with NoSync may be lost with the machine"),
		byChange("modernc.org/sqlite", "One transaction for many statements", "At {line}: BEGIN and COMMIT around all "+
			"statements of a request; PRAGMA journal_mode=WAL and synchronous=NORMAL sync at checkpoints only.",
			"with NORMAL the last transactions may be lost with the machine"),
		byChange("", "One sync for all records of a request", "At {line}: write all records, then call Sync once, "+
			"before the answer.", "after a crash all of them are missing, or none"),
		byPackage("", "One sync for several requests (group commit)", "At {line}: "+
			"github.com/gocasebook/casebook/remedy/batch gathers the records of all callers, writes them with one "+
			"Write and one Sync, and answers each when it is on the disk.",
			"a record waits for the batch before it, as long as one Sync takes"),
		byChange("", "Answer before the disk has it", "Sync on a timer, where the last second may be lost in a crash.",
			"the last records are lost with the machine"),
	}
}
