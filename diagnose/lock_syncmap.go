package diagnose

import (
	"context"
	"fmt"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/internal/number"
)

// syncMapScale is in shares of the CPU that writing to sync.Map takes. A map with a mutex would take a third to a half
// of that; below a tenth of the CPU the change is not worth the work.
func syncMapScale() Scale { return Scale{Worth: 0.10, Hurts: 0.35, Top: 0.70} }

func lockSyncMap() Detector {
	return Detector{
		ID:    "LK003",
		Kind:  "lock-syncmap",
		Title: "A sync.Map is written more than it is read",
		Text: `sync.Map is made for keys that are written once and read often, or for goroutines that use disjoint keys.
Each write allocates an entry, boxes the key and the value, and since Go 1.24 walks a hash trie; before, every so many
misses copied the whole map.

Adds up the CPU below Store, Swap, LoadOrStore, Delete and similar methods, including allocating and collecting for them
if it shows in the stack. Worth knowing from 10 % of the CPU, hurting from 35 %; nothing if reading takes more CPU than
writing. Capped at 74: only a trial shows what a map with a mutex would cost.`,
		Needs:      needCPU("what sync.Map takes is not in other evidence"),
		Before:     `sessions.Store(id, time.Now()) // in every request`,
		After:      `s := &shards[hash(id)%64]; s.mu.Lock(); s.m[id] = time.Now(); s.mu.Unlock()`,
		Remedies:   syncMapRemedies(),
		Absorbs:    related(SameFunction, "alloc-site", "cpu-hot-function"),
		NeedsPlace: true,
		Run:        runLockSyncMap,
	}
}

func runLockSyncMap(_ context.Context, r *Reading) Answer {
	v := r.cpu()
	if v.samples < minCPUSamples || v.level.idle() {
		return Answer{} // evidence-few-samples says so
	}
	writes := v.below(r, withWork(known.WritesSyncMap))
	reads := v.below(r, withWork(known.ReadsSyncMap))
	score := min(syncMapScale().Score(writes.share), capUnsure, v.level.cap())
	// LoadOrStore and LoadAndDelete begin like Load: writing is subtracted from reading.
	if score < worthKnowing || len(writes.lines) == 0 || max(reads.share-writes.share, 0) > writes.share {
		return Answer{}
	}
	at := r.Place(writes.lines[0].Key)
	return found(casefile.Finding{
		Title:      fmt.Sprintf("Writing to the sync.Map at %s takes %s of the CPU", at, percent(writes.share)),
		Score:      score,
		Confidence: Confidence(writes.share, v.samples),
		Summary: fmt.Sprintf("Storing into and deleting from sync.Map takes %s of the CPU, most of it at %s.",
			percent(writes.share), at),
		Explanation: "sync.Map makes reads of stable keys cheap and writes expensive: one allocation or more each, " +
			"boxed keys and values, and work for the " +
			"collector. A plain map behind one mutex, or a few shards, writes in place.",
		Where:    writes.where(r, "writes the map", 4),
		Evidence: Basis(v.set),
		Remedies: remediesAt(at, syncMapRemedies()...),
		Impact: onCPU(writes.share, saves(writes.share/2, writes.share*2/3, fmt.Sprintf("%s of CPU in writes; a "+
			"sharded map takes a third to a half of it: a gain of %s", percent(writes.share),
			number.Estimate(writes.share/2, writes.share*2/3)))),
	})
}

func syncMapRemedies() []Remedy {
	return []Remedy{
		byChange("", "A map with a mutex, in shards", "At {line}: [64]struct{ sync.Mutex; m map[K]V } by a hash of "+
			"the key (hash/maphash.Comparable): no boxing, no allocation to overwrite.",
			"no consistent view of all keys"),
		byPackage("", "A concurrent map built for writes", "github.com/puzpuzpuz/xsync's Map is typed and writes in "+
			"place.", "a dependency"),
	}
}
