package diagnose

import (
	"context"
	"fmt"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
)

// emptyMapScale is in bytes of tables that are mostly empty.
func emptyMapScale() Scale { return Scale{Worth: 16 << 20, Hurts: 512 << 20} }

const (
	// bytesAnEntry is the table memory per live object from which the table counts as mostly empty. A map with pointers
	// to its values has 16–150 bytes of table per entry (two words to 128 bytes of key and value, and at least 7/16
	// full after growing); a KiB is far more.
	bytesAnEntry = 1 << 10
	// madeBeside is how many objects the map's package must have made, and liveBeside how few of them may be alive, for
	// a block to count as a map that was emptied.
	madeBeside = 50_000
	liveBeside = 0.05
	// Blocks that may be tables: groups of 8 slots, up to 128 of them since Go 1.24, for keys and values of 128 bytes
	// each at most.
	minTableBlock = 2 << 10
	maxTableBlock = 512 << 10
	minTables     = 16
	// A map that grew to n tables has allocated 2n−1 of their size; with 50 sampled the number has an error of 28 %.
	leastSplit = 1.5
	mostSplit  = 2.6
	// mapUndecided is the share of the live heap in one map's table from which it is worth asking how many entries the
	// map has.
	mapUndecided = 0.5
	minMapTable  = 16 << 20
)

func memMapNeverShrinks() Detector {
	return Detector{
		ID:    "MEM003",
		Kind:  "mem-map-never-shrinks",
		Title: "A map keeps the memory of its peak size",
		Text: `A Go map never releases its table: delete empties a slot and leaves it. A map that once had ten million
entries holds the table for ten million until it is dropped, and is walked at that size by range and, where it holds
pointers, by the collector.

A heap profile of Go leaves out the runtime's own frames, so a table looks like any other block that the line
allocates: since Go 1.24 many of one size, of 2 KiB to 512 KiB each. Two things show that a map was emptied. A full
table of 1,024 slots is replaced by two of its size, so a map that grew has as many dead blocks as live ones. And its
package made 50,000 other objects or more (keys, values and what they refer to) of which hardly one in twenty is live,
so that each has a KiB of table or more, if any was sampled. Worth knowing from 16 MiB, hurting from 512 MiB; a notice
at most, because a full map of values without pointers can look the same; 74 if two captures show that the objects fall
to a quarter while the table stays, or if the profile keeps the frames of maps.

A map without pointers (map[int]int) has no other objects, and one that was made at its full size has no dead tables:
neither is found. Publish len of the map.`,
		Needs:  needHeap("what is live is not in other evidence"),
		Before: `for id := range sessions { if old(id) { delete(sessions, id) } } // 800 MiB of empty slots remain`,
		After: `if len(sessions) < peak/4 {
	m := make(map[K]V, len(sessions))
	maps.Copy(m, sessions)
	sessions, peak = m, len(m)
}`,
		Remedies:   mapRemedies(),
		Explains:   related(nil, "gc-death-spiral", "mem-limit-near"),
		NeedsPlace: true,
		Run:        runMemMap,
	}
}

// mapTables are the functions that allocate a map's table: swiss maps since Go 1.24, buckets before, and what copies
// whole maps.
func mapTables(r *Reading) view.FuncSet {
	return r.Funcs(withWork(known.OfMap, known.MakesMap, known.FillsMap, known.CopiesMap))
}

// A mapTable is the tables that one line grew, and what is live beside them.
type mapTable struct {
	at      stacks.FrameID
	stack   []stacks.FrameID
	bytes   float64
	objects float64 // live, of the same package, tables not counted
	made    float64 // the same, since the process began
	sure    bool    // the profile shows that it is a map
	blocks  float64 // live, of one size
	ever    float64 // of that size, since the process began
	most    int64
}

func runMemMap(_ context.Context, r *Reading) Answer {
	h := r.heap()
	t := largestMap(r, h.set)
	if t == nil || t.bytes < minMapTable {
		return Answer{}
	}
	perObject := t.bytes / max(t.objects, 1)
	emptied, before := emptied(r, h.set, t)
	limit := capUnsure
	switch {
	case emptied:
	case perObject < bytesAnEntry || !t.sure && !t.split():
		return Answer{}
	case t.sure && t.made < madeBeside:
		return mapUnknown(r, t)
	case !t.sure && (t.made < madeBeside || t.objects > liveBeside*t.made):
		return Answer{}
	case !t.sure:
		limit = capNotice
	}
	score := min(emptyMapScale().Score(t.bytes), limit)
	if score < worthKnowing {
		return Answer{}
	}
	share := t.bytes / max(h.liveBytes, 1)
	f := casefile.Finding{
		Title: fmt.Sprintf("The map that grew at %s seems to hold %s of mostly empty table", r.Place(t.at),
			size(t.bytes)),
		Score:      score,
		Confidence: Confidence(0.5, t.bytes/h.rate),
		Summary: joined(fmt.Sprintf("The blocks that %s allocated hold %s, %s of the live heap, as the table of a "+
			"map does, together with %s",
			r.Place(t.at), size(t.bytes), percent(share), t.besides()), before) + ".",
		Explanation: "Deleting from a map frees what the entry referred to, but not its slot. The table stays as " +
			"large as the map ever was, range walks all of it, and if " +
			"it holds pointers the collector scans it in every cycle.",
		Where:    []casefile.Frame{r.Frame(t.at, share, "grew the map")},
		Evidence: Basis(h.set),
		Remedies: remediesAt(r.Place(t.at), mapRemedies()...),
	}
	f.Impact = ofLiveHeap(share, share*0.75, share, fmt.Sprintf("%s of %s live is table; a map with the remaining "+
		"entries needs a quarter of it at most", size(t.bytes), size(h.liveBytes)))
	return found(calledFrom(r, f, t.stack, t.at))
}

// besides says what is live beside the table.
func (t *mapTable) besides() string {
	if t.objects < 1 {
		return "no other object of its package that was sampled"
	}
	return fmt.Sprintf("%s live objects of its package: %s each", count(t.objects), size(t.bytes/t.objects))
}

// largestMap is the line whose maps have the most bytes of table.
func largestMap(r *Reading, set *stacks.Set) *mapTable {
	space, objects := stacks.ByValue(set.Value("inuse_space", "bytes")),
		stacks.ByValue(set.Value("inuse_objects", "count"))
	sums := make(map[stacks.FrameID]int64)
	byLine := make(map[stacks.FrameID]*mapTable)
	beside, made := make(map[string]float64), make(map[string]float64)
	tables, all := mapTables(r), stacks.ByValue(set.Value("alloc_objects", "count"))
	for i := range set.Samples {
		s := &set.Samples[i]
		id, sure := tables.BelowUser(r.Table, s.Stack)
		if id == stacks.NoFrame {
			continue
		}
		if !sure && !blocks(s, id, objects(s), space(s)) {
			beside[r.Table.Func(id).Package] += float64(objects(s))
			made[r.Table.Func(id).Package] += float64(all(s))
			continue
		}
		if byLine[id] == nil {
			byLine[id] = &mapTable{at: id, sure: sure}
		}
		sums[id] += space(s)
		if space(s) > byLine[id].most {
			byLine[id].stack, byLine[id].most = s.Stack, space(s)
		}
	}
	es := entries(sums)
	if len(es) == 0 {
		return nil
	}
	t := byLine[es[0].Key]
	t.countBlocks(set)
	pkg := r.Table.Func(t.at).Package
	t.bytes, t.objects, t.made = float64(es[0].Value), beside[pkg], made[pkg]
	return t
}

// countBlocks counts the blocks of the size that most of the table has, live and ever.
func (t *mapTable) countBlocks(set *stacks.Set) {
	live, bytes := stacks.ByValue(set.Value("inuse_objects", "count")),
		stacks.ByValue(set.Value("inuse_space", "bytes"))
	ever, made := stacks.ByValue(set.Value("alloc_objects", "count")), stacks.ByValue(set.Value("alloc_space", "bytes"))
	var most, each int64
	at := func(s *stacks.Sample) bool { return len(s.Stack) > 0 && s.Stack[0] == t.at }
	for s, n := range set.Counted(ever) {
		if at(s) && bytes(s) > most {
			most, each = bytes(s), made(s)/n
		}
	}
	for s, n := range set.Counted(ever) {
		if at(s) && sameSize(made(s)/n, each) {
			t.blocks, t.ever = t.blocks+float64(live(s)), t.ever+float64(n)
		}
	}
}

// sameSize reports whether two sizes differ by 2 % at most: profiles round.
func sameSize(a, b int64) bool { return 50*max(a-b, b-a) <= b }

// split reports whether as many of the blocks have died as live: tables that were full and made way for two.
func (t *mapTable) split() bool { return t.ever >= leastSplit*t.blocks && t.ever <= mostSplit*t.blocks }

// blocks reports whether a sample may be tables: blocks that the line allocates without a function in between.
func blocks(s *stacks.Sample, line stacks.FrameID, n, bytes int64) bool {
	return len(s.Stack) > 0 && s.Stack[0] == line && n >= minTables && bytes/n >= minTableBlock &&
		bytes/n <= maxTableBlock
}

// mapUnknown asks for the number of entries of a map that has nothing beside it, where it is most of the heap.
func mapUnknown(r *Reading, t *mapTable) Answer {
	h := r.heap()
	if t.bytes < mapUndecided*h.liveBytes || h.liveBytes < squeezedHeap {
		return Answer{}
	}
	return undecided(fmt.Sprintf("the map that grows at %s has a table of %s, %s of the live heap; a profile does "+
		"not show whether it is full",
		r.Place(t.at), size(t.bytes), percent(t.bytes/h.liveBytes)), "publish len of the map (expvar, a log line), "+
		"or compare heap profiles from before and after entries are deleted")
}

// emptied reports whether an earlier capture had four times the objects beside the same table.
func emptied(r *Reading, last *stacks.Set, now *mapTable) (bool, string) {
	for _, s := range r.All(casefile.Heap, casefile.Allocs) {
		if !s.Taken.Before(last.Taken) {
			break
		}
		t := largestMap(r, s)
		if t != nil && lapse(s, last) > 0 && t.at == now.at && t.objects >= 4*max(now.objects, 1) && t.bytes <= 1.1*now.bytes {
			return true, fmt.Sprintf("%s earlier there were %s objects, and a table of %s",
				seconds(lapse(s, last).Seconds()), count(t.objects), size(t.bytes))
		}
	}
	return false, ""
}

func mapRemedies() []Remedy {
	return []Remedy{
		byChange("", "Copy into a new map when it has become small", "At {line}: after deleting, when len is below a "+
			"quarter of the peak, copy the rest into make(map[K]V, len(m)) and drop the old one.",
			"a copy under the map's lock: about 50 ns an entry"),
		byChange("", "Split by time or key", "One map for each hour or shard, dropped as a whole when it expires: no "+
			"deletes at all.", "a lookup checks two or more maps"),
		byPackage("", "A cache with a bound", "github.com/gocasebook/casebook/remedy/cache is limited in bytes and "+
			"frees whole segments; github.com/elastic/go-freelru allocates its memory once.", "entries are evicted"),
	}
}
