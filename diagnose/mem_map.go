package diagnose

import (
	"context"
	"fmt"
	"math"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/hold"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// emptyMapScale is in bytes of tables that are mostly empty.
func emptyMapScale() Scale { return Scale{Worth: 16 << 20, Hurts: 512 << 20} }

const (
	// bytesAnEntry is the table memory per live object from which the table counts as mostly empty. A map with pointers
	// to its values has 16–150 bytes of table per entry.
	bytesAnEntry = 1 << 10
	// madeBeside is how many objects the map's package must have made, and liveBeside how few of them may be alive, for
	// a block to count as a map that was emptied.
	madeBeside = 50_000
	liveBeside = 0.05
	minTables  = 16
)

func memMapNeverShrinks() Detector {
	return Detector{
		ID:    "MEM003",
		Kind:  "mem-map-never-shrinks",
		Title: "A map keeps the memory of its peak size",
		Text: `delete empties a slot of a map and keeps the table, which stays as large as the map ever was. Two things
show that a map was emptied: as many dead blocks of 2 KiB to 512 KiB as live ones (a full table is replaced by two),
and 50,000 objects or more that its package made, of which one in twenty is live, a KiB of table or more for each.
Worth knowing from 16 MiB, hurting from 512 MiB; a notice, or up to 74 if two captures show that the objects fall to a
quarter, or the profile keeps the frames of maps. A map without pointers, or made at its full size, is not found.`,
		Needs:      needHeap("what is live is not in other evidence"),
		Before:     `for id := range sessions { if old(id) { delete(sessions, id) } } // 800 MiB of empty slots remain`,
		After:      `if len(m) < peak/4 { small := make(map[K]V, len(m)); maps.Copy(small, m); m, peak = small, len(small) }`,
		Remedies:   mapRemedies(),
		Explains:   related(nil, "gc-death-spiral", "mem-limit-near"),
		NeedsPlace: true,
		Run:        runMemMap,
	}
}

// A mapTable is the tables that one line grew, and what else its package holds.
type mapTable struct {
	hold.Sum
	at     stacks.FrameID
	sure   bool     // the profile shows that it is a map
	beside hold.Sum // of the same package, tables not counted
	blocks hold.Sum // of the size that most of the table has
}

func runMemMap(_ context.Context, r *Reading) Answer {
	h := heldNow(r)
	t := largestMap(r, h)
	if t == nil {
		return Answer{}
	}
	before := t.emptied(h)
	limit := capUnsure
	switch objects, made := t.beside.Now.Objects, t.beside.Made.Objects; {
	case before != "":
	case t.Now.Bytes < bytesAnEntry*max(objects, 1) || made < madeBeside:
		return Answer{}
	case !t.sure && (objects > liveBeside*made || !t.blocks.HasSplit()):
		return Answer{}
	case !t.sure:
		limit = capNotice
	}
	score := min(emptyMapScale().Score(t.Now.Bytes), limit)
	if score < worthKnowing {
		return Answer{}
	}
	share := t.Now.Bytes / max(h.Now.Bytes, 1)
	f := casefile.Finding{
		Title: fmt.Sprintf("The map that grew at %s seems to hold %s of mostly empty table", r.Place(t.at),
			size(t.Now.Bytes)),
		Score:      score,
		Confidence: Confidence(0.5, t.Now.Bytes/h.Rate),
		Summary: joined(fmt.Sprintf("The blocks that %s allocated hold %s, %s of the live heap, as the table of a "+
			"map does, together with %s",
			r.Place(t.at), size(t.Now.Bytes), percent(share), t.besides()), before) + ".",
		Explanation: "delete frees what the entry referred to, but not its slot. The table stays as large as the map ever " +
			"was, range walks all of it, and the collector scans it if it holds pointers.",
		Where:    []casefile.Frame{r.Frame(t.at, share, "grew the map")},
		Evidence: Basis(h.Last),
		Remedies: remediesAt(r.Place(t.at), mapRemedies()...),
	}
	f.Impact = ofLiveHeap(share, share*0.75, share, fmt.Sprintf("%s of %s live is table; a map with the remaining "+
		"entries needs a quarter of it at most", size(t.Now.Bytes), size(h.Now.Bytes)))
	return found(calledFrom(r, f, t.Held[0].Stack, t.at))
}

// besides says what is live beside the table.
func (t *mapTable) besides() string {
	if t.beside.Now.Objects < 1 {
		return "no other object of its package that was sampled"
	}
	return fmt.Sprintf("%s live objects of its package: %s each", count(t.beside.Now.Objects),
		size(t.Now.Bytes/t.beside.Now.Objects))
}

// largestMap is the line whose maps have the most bytes of table. Blocks that the line allocates without a function in
// between may be tables; those below a function of maps are.
func largestMap(r *Reading, h *hold.Heap) *mapTable {
	of, beside, sure := make(hold.Sums[stacks.FrameID]), make(hold.Sums[string]), make(map[stacks.FrameID]bool)
	tables := r.Funcs(withWork(known.OfMap, known.MakesMap, known.FillsMap, known.CopiesMap))
	for _, b := range h.Held {
		if b.Line == stacks.NoFrame {
			continue
		}
		_, known := tables.BelowUser(r.Table, b.Stack)
		if !known && (b.Stack[0] != b.Line || max(b.Now.Objects, b.Before.Objects) < minTables ||
			!b.MayBeTable()) {
			beside.Add(r.Table.Func(b.Line).Package, b)
			continue
		}
		of.Add(b.Line, b)
		sure[b.Line] = sure[b.Line] || known
	}
	best, most := of.Most(hold.AliveBytes)
	if most == nil {
		return nil
	}
	t := &mapTable{Sum: *most, at: best, sure: sure[best]}
	if s := beside[r.Table.Func(best).Package]; s != nil {
		t.beside = *s
	}
	for _, b := range t.Held {
		if math.Abs(b.Size-t.Held[0].Size) <= t.Held[0].Size/50 { // profiles round
			t.blocks.Add(b)
		}
	}
	return t
}

// emptied says that there were four times the objects beside the same table at the earlier profile; "" if not.
func (t *mapTable) emptied(h *hold.Heap) string {
	if h.First == nil || t.beside.Before.Objects < 4*max(t.beside.Now.Objects, 1) || t.Now.Bytes > 1.1*t.Before.Bytes {
		return ""
	}
	return fmt.Sprintf("%s earlier there were %s objects, and a table of %s",
		seconds(lapse(h.First, h.Last).Seconds()), count(t.beside.Before.Objects), size(t.Before.Bytes))
}

func mapRemedies() []Remedy {
	return []Remedy{
		byChange("", "Copy into a new map when it has become small", "At {line}: when len is below a quarter of the peak, "+
			"copy the rest into make(map[K]V, len(m)) and drop the old one.", "a copy under the map's lock: 50 ns an entry"),
		byChange("", "Split by time or key", "One map for each hour or shard, dropped as a whole when it expires.",
			"a lookup checks two or more maps"),
		byPackage("", "A cache with a bound", "github.com/gocasebook/casebook/remedy/cache is limited in bytes and "+
			"frees whole segments.", "entries are evicted"),
	}
}
