package diagnose

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/traces"
)

// groupWorth is how many records must wait for the disk at once, on average, for one sync to be worth sharing.
const groupWorth = 2

// A syncing is what decides which remedies a sync has.
type syncing struct {
	below    []string // the functions below the user's line, the innermost first
	each     float64  // syncs of a request; 0 where that is not known
	together float64  // requests that wait at once, on average
}

// remedies are those for the library that makes the calls, with how many records one call can be for.
func (c *servedCall) remedies(s *traces.Summary) []Remedy {
	w := syncing{each: c.perRequest(), together: float64(c.Took.Total) / max(float64(s.Span), 1)}
	for _, f := range c.Stack[:max(slices.Index(c.Stack, c.at), 0)] {
		w.below = append(w.below, f.Function)
	}
	return w.remedies()
}

func (w syncing) remedies() (out []Remedy) {
	if r, ok := w.pick(syncOnce()); ok && (w.each == 0 || w.each >= severalSyncs) {
		if w.each > 0 {
			r.Text += fmt.Sprintf(" A request has %s now.", things(math.Round(w.each), "sync"))
		}
		out = append(out, r)
	}
	// Joined within requests first, that many are left to be joined among them.
	left := w.together
	if w.each >= severalSyncs {
		left /= w.each
	}
	if r, ok := w.pick(syncTogether()); ok && left >= groupWorth {
		r.Text += fmt.Sprintf(" On average %s wait at once: so many can share a sync.", things(left, "record"))
		out = append(out, r)
	}
	if r, ok := w.pick(syncLater()); ok {
		out = append(out, r)
	}
	return out
}

// pick is the remedy for the outermost library that has one, which is the one that the user calls; else the one of any
// library. A remedy without a title says that there is none for a library.
func (w syncing) pick(of []Remedy) (r Remedy, ok bool) {
	for _, function := range slices.Backward(w.below) {
		for _, r := range of {
			if r.Calls != "" && strings.HasPrefix(function, r.Calls) {
				return r, r.Title != ""
			}
		}
	}
	return of[len(of)-1], true
}

// fsyncRemedies are all, as the detector's documentation lists them.
func fsyncRemedies() []Remedy {
	return slices.DeleteFunc(slices.Concat(syncOnce(), syncTogether(), syncLater()),
		func(r Remedy) bool { return r.Title == "" })
}

// syncOnce makes one sync of those that a request makes.
func syncOnce() []Remedy {
	const missing = "after a crash all of them are missing, or none"
	oneFile := func(calls string) Remedy {
		return byChange(calls, "One file for all records of a request", "At {line}: write what belongs together into "+
			"one file: each file has a sync of its own, and a rename.", "a change of one record writes all of them")
	}
	return []Remedy{
		byChange(known.RaftBolt, "One call for all entries", "At {line}: StoreLogs with all entries, instead of StoreLog or "+
			"Set for each: one transaction of bbolt.", missing),
		byChange(known.Bbolt, "One transaction for all keys of a request", "At {line}: one db.Update around all keys of a "+
			"request, instead of one for each.", missing),
		byChange(known.Badger, "One transaction for all keys of a request", "At {line}: one db.Update for all keys of a "+
			"request, or a WriteBatch for more than a transaction takes.", missing),
		byChange(known.Pebble, "One batch for all keys of a request", "At {line}: db.NewBatch, a Set for each key, and "+
			"one Commit(pebble.Sync).", missing),
		byChange(known.GoLevelDB, "One batch for all keys of a request", "At {line}: a Put into a leveldb.Batch for each "+
			"key, and one db.Write with opt.WriteOptions{Sync: true}.", missing),
		byChange(known.SQLite, "One transaction for many statements", "At {line}: BEGIN and COMMIT around all statements "+
			"of a request.", missing),
		byChange(known.TidwallWAL, "One batch for all records of a request", "At {line}: a Write into a wal.Batch for each "+
			"record, and one WriteBatch.", missing),
		oneFile(known.Renameio), oneFile(known.AtomicFile),
		byChange("", "One sync for all records of a request", "At {line}: write all records, then call Sync once, "+
			"before the answer.", missing),
	}
}

// syncTogether makes one sync of those of several requests. badger, Pebble and goleveldb do so already.
func syncTogether() []Remedy {
	return []Remedy{
		{Calls: known.Badger}, {Calls: known.Pebble}, {Calls: known.GoLevelDB}, {Calls: known.Renameio},
		{Calls: known.AtomicFile},
		byChange(known.Bbolt, "Commit for many callers together", "At {line}: db.Batch instead of db.Update joins the "+
			"transactions of concurrent callers into one commit (MaxBatchDelay, MaxBatchSize).",
			"the function may run twice"),
		byPackage("", "One sync for several requests (group commit)", "At {line}: "+
			"github.com/gocasebook/casebook/remedy/batch gathers the records of all callers, writes them together "+
			"with one sync, and answers each when it is on the disk.",
			"a record waits for the batch before it, as long as one sync takes"),
	}
}

// syncLater takes the sync out of the request.
func syncLater() []Remedy {
	later := func(calls, text string) Remedy {
		return byChange(calls, "Answer before the disk has it", text, "the last records are lost with the machine")
	}
	return []Remedy{
		later(known.Badger, "SyncWrites only where a crash of the machine must lose nothing; db.Sync on a timer."),
		later(known.Pebble, "pebble.NoSync for what can be made again; db.LogData(nil, pebble.Sync) on a timer."),
		later(known.GoLevelDB, "opt.WriteOptions{Sync: true} only where a crash of the machine must lose nothing."),
		later(known.SQLite, "PRAGMA journal_mode=WAL and synchronous=NORMAL: sync at checkpoints only."),
		later(known.TidwallWAL, "wal.Options{NoSync: true}, and Log.Sync on a timer."),
		later("", "Sync on a timer, where the last second may be lost in a crash."),
	}
}
