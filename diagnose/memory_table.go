package diagnose

import (
	"cmp"
	"fmt"
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
}

// readApart is the time between two readings from which on a row says when it was read.
const readApart = time.Second

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
	t.addHeap()
	t.addRuntime()
	t.addOutside()
	t.addRest()
	t.addBeside()
	t.table.Text = t.text()
	return &t.table
}

// add adds a row of some bytes from a piece of evidence.
func (t *tabulation) add(kind, name string, of dated, text string) {
	n := int64(math.Round(of.bytes))
	row := casefile.MemoryRow{Kind: kind, Name: name, Bytes: &n, Text: text, File: of.file}
	if !of.taken.IsZero() && of.taken.Sub(t.table.Taken).Abs() > readApart {
		row.Taken = &of.taken
	}
	t.table.Rows = append(t.table.Rows, row)
	t.left -= n
}

func (t *tabulation) unknown(kind, name, why string) {
	t.table.Rows = append(t.table.Rows, casefile.MemoryRow{Kind: kind, Name: name, Text: why})
}

// class is a size from the runtime's account.
func (t *tabulation) class(metrics ...string) dated {
	d := dated{taken: t.of.taken, file: t.of.name}
	for _, m := range metrics {
		d.bytes += t.of.value[m]
	}
	return d
}

// addHeap adds the heap's objects, and the room between and beside them.
func (t *tabulation) addHeap() {
	t.addObjects()
	if t.of == nil {
		return
	}
	t.add("holes", "holes between objects", t.class(metricUnused),
		"fragmentation: in spans that have objects, room for more of their size")
	t.add("free", "free, kept for reuse", t.class(metricFree),
		"spans without objects, not yet given back to the system")
}

// addObjects divides the heap's objects by the last collection. What was allocated since may be garbage or not, unless
// a later collection has shown what was.
func (t *tabulation) addObjects() {
	objects := t.objects()
	switch {
	case objects.bytes == 0:
	case t.live.bytes == 0:
		t.unknown("live", "live heap objects", "no collection ended that shows how much of the objects is alive")
		t.add("objects", "heap objects, live or garbage", objects, "")
	default:
		live, rest := t.live, objects
		live.bytes = min(math.Round(live.bytes), objects.bytes)
		rest.bytes -= live.bytes
		text, told := "allocated since that collection: garbage, and what is still in use of it",
			"left by the last collection"
		if t.after {
			text, told = "dead, going by the collection after it", "left by the next collection"
		}
		t.add("live", "live heap objects", live, told)
		t.add("garbage", "not collected yet", rest, text)
	}
}

// objects are the heap's objects, dead or alive.
func (t *tabulation) objects() dated {
	if t.of != nil {
		return t.class(metricObjects)
	}
	v, ok := t.sample.Get(vitals.HeapAlloc)
	if !ok {
		return dated{}
	}
	return dated{v, t.sample.Time, "vitals"}
}

// addRuntime adds goroutine stacks and what the runtime needs for itself.
func (t *tabulation) addRuntime() {
	if t.of == nil {
		t.addHeldBeside()
		return
	}
	t.add("stacks", "goroutine stacks", t.class(metricStacks), "")
	own := t.class(metricOSStacks, metricSpans, metricSpansFree, metricCaches, metricCachesFree, metricForGC,
		metricBuckets, metricOther)
	parts := t.runtimeParts()
	if m := t.mapped(); m != nil { // what of it is not resident is none of this table's
		most := float64(m.Runtime)
		if m.Runtime == 0 {
			most = float64(max(m.Anonymous-m.CHeap, 0))
		}
		if most < own.bytes {
			parts += fmt.Sprintf("; %s of it are not resident", size(own.bytes-most))
			own.bytes = most
		}
	}
	t.add("runtime", "the Go runtime's own", own, parts)
}

func (t *tabulation) runtimeParts() string {
	var parts []string
	for _, p := range []struct {
		name    string
		metrics []string
	}{
		{"collector", []string{metricForGC}},
		{"spans", []string{metricSpans, metricSpansFree, metricCaches, metricCachesFree}},
		{"profiles", []string{metricBuckets}},
		{"other", []string{metricOther, metricOSStacks}},
	} {
		if v := t.class(p.metrics...).bytes; v > 0 {
			parts = append(parts, p.name+" "+size(v))
		}
	}
	return strings.Join(parts, ", ")
}

// addHeldBeside adds what Go holds beside objects, as far as the vitals tell.
func (t *tabulation) addHeldBeside() {
	rest := t.goHeld
	rest.bytes -= t.objects().bytes
	if v, ok := t.sample.Get(vitals.Stacks); ok {
		t.add("stacks", "goroutine stacks", dated{v, t.sample.Time, "vitals"}, "")
		rest.bytes -= v
	}
	rest.bytes = max(rest.bytes, 0)
	t.add("held", "other memory of Go", rest,
		"holes between objects, free spans, the runtime's own: which, the vitals "+
			"do not say")
}

// mapped is what the mappings tell, if the Go heap is among them.
func (t *tabulation) mapped() *casefile.MappedMemory {
	if t.kernel == nil || t.kernel.Mapped == nil || t.kernel.Mapped.Arenas == 0 {
		return nil
	}
	return t.kernel.Mapped
}

// addOutside adds what is resident and not Go's, by the best that the kernel tells.
func (t *tabulation) addOutside() {
	switch m := t.mapped(); {
	case t.table.What != "resident":
	case m != nil && t.of != nil:
		t.addMapped(m)
	case t.kernel != nil:
		t.addStatus()
	}
}

// ofKernel is a size from the kernel's account.
func (t *tabulation) ofKernel(bytes int64) dated {
	return dated{float64(bytes), t.kernel.taken, t.kernel.file}
}

// addMapped adds what the mappings tell. In the arenas of the heap, the difference between what is resident and what Go
// has not given back is of pages that were never written, or of pages that were given back and are still there.
func (t *tabulation) addMapped(m *casefile.MappedMemory) {
	counted := t.class(metricObjects, metricUnused, metricFree, metricStacks).bytes
	t.addDifference(float64(m.Heap)-counted, m.LazyFree)
	t.add("program", "the program and libraries", t.ofKernel(m.Program), "code and variables")
	t.add("files", "mapped files", t.ofKernel(m.Files), largestText(m.Largest))
	t.add("shared", "shared memory", t.ofKernel(m.Shared), "")
	text := "C, mmap, threads' stacks"
	if m.CHeap > m.Anonymous/100 {
		text = size(float64(m.CHeap)) + " in the heap of C; otherwise mmap, malloc's large blocks, threads' stacks"
	}
	if m.Runtime == 0 {
		text += "; less what of the runtime's own is not resident"
	}
	t.add("anonymous", "outside Go: C and mmap", t.ofKernel(t.outsideGo(m)), text)
}

// outsideGo is anonymous memory that is not Go's. Where the kernel keeps no names, the runtime's own is among it.
func (t *tabulation) outsideGo(m *casefile.MappedMemory) int64 {
	if m.Runtime > 0 {
		return m.Anonymous
	}
	own := int64(0)
	for _, row := range t.table.Rows {
		if row.Kind == "runtime" {
			own = *row.Bytes
		}
	}
	return m.Anonymous - own
}

// addDifference adds the row for memory that is Go's by one account only. lazy is what the kernel says was given back
// by MADV_FREE, and is still resident.
func (t *tabulation) addDifference(more float64, lazy int64) {
	row := dated{more, t.kernel.taken, t.kernel.file}
	switch {
	case more < 0:
		text := "never written to, or swapped out"
		if t.goHeld.taken != t.kernel.taken {
			text += "; or given back between the two readings"
		}
		t.add("untouched", "of these, not resident", row, text)
	case lazy > 0:
		t.add("unreturned", "given back, still resident", row,
			fmt.Sprintf("%s of it the kernel takes when it needs them "+
				"(MADV_FREE: GODEBUG=madvdontneed=0)", size(float64(lazy))))
	default:
		t.add("unreturned", "given back, still resident", row,
			"pages that the kernel has joined to huge ones, or that Go "+
				"took between the two readings")
	}
}

func largestText(files []casefile.MappedFile) string {
	var out []string
	for _, f := range files {
		out = append(out, fmt.Sprintf("%s %s", f.Name, size(float64(f.RSS))))
	}
	return strings.Join(out, ", ")
}

// addStatus adds what /proc/PID/status tells: what is of files, and what is not.
func (t *tabulation) addStatus() {
	const why = "the mappings were not read"
	t.add("files", "program and mapped files", t.ofKernel(t.kernel.File),
		"which, the mappings would say; they were not read")
	t.add("shared", "shared memory", t.ofKernel(t.kernel.Shared), "")
	if more := t.left; more < 0 {
		t.addDifference(float64(more), 0)
		t.unknown("anonymous", "outside Go: C and mmap", why)
		return
	}
	t.add("anonymous", "outside Go: C and mmap", t.ofKernel(t.left),
		"at least: what Go counts and never wrote to comes on top; "+why)
}

// addRest adds what is left over.
func (t *tabulation) addRest() {
	if t.left == 0 {
		return
	}
	text := "readings of different moments"
	if t.kernel == nil && t.table.What == "resident" {
		for _, row := range [...][2]string{{"program", "the program and libraries"}, {"files", "mapped files"},
			{"anonymous", "outside Go: C and mmap"}} {
			t.unknown(row[0], row[1], t.unread)
		}
		text = "these three, less what Go counts and never wrote to"
	}
	t.add("rest", "not explained", dated{bytes: float64(t.left)}, text)
}

// addBeside adds what is not resident in the process and yet belongs to the question.
func (t *tabulation) addBeside() {
	beside := tabulation{memoryAccount: t.memoryAccount}
	beside.table.Taken = t.table.Taken
	if t.of != nil {
		beside.add("released", "given back to the system", t.class(metricReleased),
			"counted by top as virtual memory only")
	}
	if k := t.kernel; k != nil && k.Swapped > 0 {
		beside.add("swapped", "swapped out", t.ofKernel(k.Swapped), "")
	}
	if k := t.kernel; k != nil && k.Group != nil {
		beside.add("page-cache", "page cache of its cgroup", t.ofKernel(k.Group.PageCache),
			"files that were read or written; the cgroup's limit counts it, and the kernel takes it back when "+
				"memory is short")
		if k.Group.Kernel > 0 {
			beside.add("kernel", "the kernel's, for its cgroup", t.ofKernel(k.Group.Kernel), "sockets, page tables, "+
				"names of files; the cgroup's limit counts it")
		}
	} else if t.table.What == "resident" {
		beside.unknown("page-cache", "page cache of its cgroup", "no cgroup of its own that could be read")
	}
	t.table.Beside = beside.table.Rows
}

// text is the largest rows in a line.
func (t *tabulation) text() string {
	rows := slices.DeleteFunc(slices.Clone(t.table.Rows), func(r casefile.MemoryRow) bool {
		return r.Bytes == nil || *r.Bytes <= 0
	})
	slices.SortStableFunc(rows, func(a, b casefile.MemoryRow) int { return cmp.Compare(*b.Bytes, *a.Bytes) })
	var parts []string
	for _, r := range rows[:min(len(rows), picturePlaces)] {
		if share := float64(*r.Bytes) / float64(t.table.Total); share >= pictureLeast {
			parts = append(parts, percent(share)+" "+r.Name)
		}
	}
	return fmt.Sprintf("%s %s: %s", size(float64(t.table.Total)), t.table.What, strings.Join(parts, ", "))
}
