package diagnose

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// A tabulation is a MemoryTable while its rows are gathered. What is added is taken from what is left; the last row is
// the rest, so the table adds up.
type tabulation struct {
	memoryAccount
	table casefile.MemoryTable
	left  int64
	own   int64 // of the runtime's own
}

// rowNames are the names of the rows by their kind.
var rowNames = map[string]string{
	"live": "live heap objects", "garbage": "not collected yet", "objects": "heap objects, live or garbage",
	"holes": "holes between objects", "free": "free, kept for reuse", "stacks": "goroutine stacks",
	"runtime": "the Go runtime's own", "held": "other memory of Go", "untouched": "of these, not resident",
	"unreturned": "given back, still resident", "program": "the program and libraries", "files": "mapped files",
	"shared": "shared memory", "anonymous": "outside Go: C and mmap", "rest": "not explained",
	"released": "given back to the system", "swapped": "swapped out", "page-cache": "page cache of its cgroup",
	"kernel": "the kernel's, for its cgroup",
}

// newMemoryTable says what the resident memory is made of; where that is not known, what Go holds. Nil if neither is.
func newMemoryTable(r *Reading) *casefile.MemoryTable {
	t := tabulation{memoryAccount: newMemoryAccount(r)}
	if t.goHeld.bytes <= 0 {
		return nil
	}
	total := t.rss
	t.table.What = "resident"
	if total.bytes <= 0 {
		total, t.table.What = t.goHeld, "held by Go"
	}
	t.left = int64(total.bytes)
	t.table.Total, t.table.Taken, t.table.File = t.left, total.taken, total.file
	t.addObjects()
	t.addRuntime()
	t.addOutside()
	t.addRest()
	t.addBeside()
	t.table.Text = t.text()
	return &t.table
}

// add adds a row of some bytes from a piece of evidence. It says when it was read if that is a second from the total's
// time.
func (t *tabulation) add(kind string, of dated, text string) {
	n := int64(math.Round(of.bytes))
	row := casefile.MemoryRow{Kind: kind, Name: rowNames[kind], Bytes: &n, Text: text, File: of.file}
	if !of.taken.IsZero() && of.taken.Sub(t.table.Taken).Abs() > time.Second {
		row.Taken = &of.taken
	}
	t.table.Rows = append(t.table.Rows, row)
	t.left -= n
}

func (t *tabulation) unknown(kind, why string) {
	t.table.Rows = append(t.table.Rows, casefile.MemoryRow{Kind: kind, Name: rowNames[kind], Text: why})
}

// addObjects divides the heap's objects by the last collection. What was allocated since may be garbage or not, unless
// a later collection has shown what was.
func (t *tabulation) addObjects() {
	objects, live := t.objects(), t.live
	switch {
	case objects.bytes == 0:
	case live.bytes == 0:
		t.unknown("live", "no collection ended that shows how much of the objects is alive")
		t.add("objects", objects, "")
	default:
		live.bytes = min(math.Round(live.bytes), objects.bytes)
		objects.bytes -= live.bytes
		left, rest := "left by the last collection", "allocated since that collection: garbage, and what is in use of it"
		if t.after {
			left, rest = "left by the next collection", "dead, going by the collection after it"
		}
		t.add("live", live, left)
		t.add("garbage", objects, rest)
	}
}

// objects are the heap's objects, dead or alive.
func (t *tabulation) objects() dated {
	if t.of != nil {
		return t.of.sum(metricObjects)
	}
	return t.vital(vitals.HeapAlloc)
}

// vital is a size from the vitals; 0 where they do not tell.
func (t *tabulation) vital(id vitals.ID) dated {
	if v, ok := t.sample.Get(id); ok {
		return dated{v, t.sample.Time, "vitals"}
	}
	return dated{}
}

// addRuntime adds what Go holds beside objects, as far as the evidence tells.
func (t *tabulation) addRuntime() {
	if t.of == nil {
		stacks, rest := t.vital(vitals.Stacks), t.goHeld
		if stacks.file != "" {
			t.add("stacks", stacks, "")
		}
		rest.bytes = max(rest.bytes-t.objects().bytes-stacks.bytes, 0)
		t.add("held", rest, "holes between objects, free spans, the runtime's own")
		return
	}
	t.add("holes", t.of.sum(metricUnused), "fragmentation: room for more objects of the size of their neighbours")
	t.add("free", t.of.sum(metricFree), "spans without objects, not yet given back to the system")
	t.add("stacks", t.of.sum(metricStacks), "")
	own := t.of.sum(memoryClasses[4:]...)
	if m := t.mapped(); m != nil { // what of it is not resident is none of this table's
		named := m.Runtime
		if named == 0 {
			named = max(m.Anonymous-m.CHeap, 0)
		}
		own.bytes = min(own.bytes, float64(named))
	}
	t.own = int64(math.Round(own.bytes))
	t.add("runtime", own, "for the collector, spans, profiles and the scheduler")
}

// mapped is what the mappings tell, if the Go heap is among them.
func (t *tabulation) mapped() *casefile.MappedMemory {
	if t.kernel == nil || t.kernel.Mapped == nil || t.kernel.Mapped.Arenas == 0 {
		return nil
	}
	return t.kernel.Mapped
}

// ofKernel is a size from the kernel's account.
func (t *tabulation) ofKernel(bytes int64) dated {
	return dated{float64(bytes), t.kernel.taken, t.kernel.file}
}

// addOutside adds what is resident and not Go's, by the best that the kernel tells: the mappings, or /proc/PID/status.
func (t *tabulation) addOutside() {
	const notRead = "the mappings were not read"
	switch m := t.mapped(); {
	case t.kernel == nil:
	case m != nil && t.of != nil:
		t.addMapped(m)
	default:
		t.add("files", t.ofKernel(t.kernel.File), "the program's own, too; "+notRead)
		t.add("shared", t.ofKernel(t.kernel.Shared), "")
		if t.left < 0 {
			t.addDifference(t.left)
			t.unknown("anonymous", notRead)
			return
		}
		t.add("anonymous", t.ofKernel(t.left), "at least: what Go counts and never wrote to comes on top; "+notRead)
	}
}

// addMapped adds what the mappings tell.
func (t *tabulation) addMapped(m *casefile.MappedMemory) {
	t.addDifference(m.Heap - int64(t.of.sum(memoryClasses[:4]...).bytes))
	var largest []string
	for _, f := range m.Largest {
		largest = append(largest, f.Name+" "+size(float64(f.RSS)))
	}
	t.add("program", t.ofKernel(m.Program), "code and variables")
	t.add("files", t.ofKernel(m.Files), strings.Join(largest, ", "))
	t.add("shared", t.ofKernel(m.Shared), "")
	outside, text := m.Anonymous, "mmap, blocks of malloc's, threads' stacks"
	if m.Runtime == 0 { // where the kernel keeps no names, the runtime's own is among it
		outside -= t.own
	}
	if m.CHeap > m.Anonymous/100 {
		text = size(float64(m.CHeap)) + " in the heap of C; otherwise " + text
	}
	t.add("anonymous", t.ofKernel(outside), text)
}

// addDifference adds the row for memory that is Go's by one account only: pages that were never written, or that were
// given back and are still there.
func (t *tabulation) addDifference(more int64) {
	if more < 0 {
		t.add("untouched", t.ofKernel(more), "never written to, swapped out, or given back between two readings")
		return
	}
	t.add("unreturned", t.ofKernel(more), "joined to huge pages, taken between two readings, or the kernel's to take "+
		"when it needs them (MADV_FREE)")
}

// addRest adds what is left over.
func (t *tabulation) addRest() {
	if t.left == 0 {
		return
	}
	text := "readings of different moments"
	if t.kernel == nil && t.table.What == "resident" {
		for _, kind := range [...]string{"program", "files", "anonymous"} {
			t.unknown(kind, t.unread)
		}
		text = "these three, less what Go counts and never wrote to"
	}
	t.add("rest", dated{bytes: float64(t.left)}, text)
}

// addBeside adds what is not resident in the process and yet belongs to the question.
func (t *tabulation) addBeside() {
	beside := *t
	beside.table.Rows = nil
	if t.of != nil {
		beside.add("released", t.of.sum(metricReleased), "counted by top as virtual memory only")
	}
	k := t.kernel
	if k != nil && k.Swapped > 0 {
		beside.add("swapped", t.ofKernel(k.Swapped), "")
	}
	switch {
	case k != nil && k.Group != nil:
		beside.add("page-cache", t.ofKernel(k.Group.PageCache), "files that were read or written: the cgroup's limit "+
			"counts it, and the kernel takes it back when memory is short")
		if k.Group.Kernel > 0 {
			beside.add("kernel", t.ofKernel(k.Group.Kernel), "sockets, page tables, names of files: the cgroup's limit "+
				"counts it")
		}
	case t.table.What == "resident":
		beside.unknown("page-cache", "no cgroup of its own that could be read")
	}
	t.table.Beside = beside.table.Rows
}

// text is the largest rows in a line.
func (t *tabulation) text() string {
	what, of := size(float64(t.table.Total))+" "+t.table.What, t.table.Of()
	if of > t.table.Total {
		what += " of " + size(float64(of))
	}
	rows := slices.DeleteFunc(slices.Clone(t.table.Rows), func(r casefile.MemoryRow) bool {
		return r.Bytes == nil || float64(*r.Bytes) < pictureLeast*float64(of)
	})
	slices.SortStableFunc(rows, func(a, b casefile.MemoryRow) int { return cmp.Compare(*b.Bytes, *a.Bytes) })
	var parts []string
	for _, r := range rows[:min(len(rows), picturePlaces)] {
		parts = append(parts, percent(float64(*r.Bytes)/float64(of))+" "+r.Name)
	}
	return what + ": " + strings.Join(parts, ", ")
}
