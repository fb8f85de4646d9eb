package diagnose

import (
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// A merging is what a log-structured store costs that writes its sorted files again: its compaction, by what the work
// grows with. What grows with bytes is copying, checksums, compressing and system calls; the rest is done for each key.
type merging struct {
	v     *cpuView
	ns    float64 // of all merging
	ticks float64
	part  storePart // of it
	flush storePart // of writing what was gathered in memory to its first file

	files   float64                    // ns of merging in system calls on files
	samples []*stacks.Sample           // of merging
	entered map[stacks.FuncID]float64  // the outermost function that merges
	own     map[stacks.FrameID]float64 // the user's lines that merge, where the store is the user's
}

// A storePart divides CPU, in ns.
type storePart struct {
	moves    float64 // copying, checksums, system calls: for each byte
	compress float64 // compressing and decompressing: for each byte
	keys     float64 // comparing, iterating, encoding: for each key
	writes   float64 // of moves, system calls that write
}

func (p storePart) all() float64 { return p.moves + p.compress + p.keys }

// bytesShare is how much of the work grows with bytes.
func (p storePart) bytesShare() float64 { return (p.moves + p.compress) / max(p.all(), 1) }

// storeStep says which step of a store a function enters.
type storeStep uint8

const (
	noStep storeStep = iota
	flushes
	merges
)

// stepOf reads it off the last part of the name: goleveldb's mCompaction and memCompaction, LevelDB's minor compaction
// and Prometheus' compactHead write what is in memory.
func stepOf(f *stacks.Func) storeStep {
	if f.Owner == stacks.Std || f.Owner == stacks.Runtime {
		return noStep
	}
	name := f.Name[strings.LastIndexByte(f.Name, '/')+1:]
	switch lower := strings.ToLower(name); {
	case hasAny(lower, "flush", "memtable", "memcompact", "minorcompact", "compacthead", "compactmem"),
		strings.HasSuffix(name, ".mCompaction"):
		return flushes
	case hasAny(lower, "compact", ").merge", ".merge"):
		return merges
	}
	return noStep
}

// newMerging walks the CPU profile; nil if nothing in it merges files.
func newMerging(r *Reading, v *cpuView) *merging {
	m := &merging{v: v, entered: map[stacks.FuncID]float64{}, own: map[stacks.FrameID]float64{}}
	steps := make([]storeStep, len(r.Table.Funcs))
	for i := range steps {
		steps[i] = stepOf(&r.Table.Funcs[i])
	}
	ticks := stacks.ByValue(v.set.Value("samples", "count"))
	for i := range v.set.Samples {
		s := &v.set.Samples[i]
		w := float64(v.weight(s))
		at, step := entry(r.Table, s.Stack, steps)
		if w <= 0 || step == noStep || s.Class.GC() {
			continue
		}
		if step == flushes {
			m.flush.add(r.Table, s, w)
			continue
		}
		m.part.add(r.Table, s, w)
		m.samples = append(m.samples, s)
		m.ns += w
		m.ticks += float64(max(ticks(s), 0))
		m.entered[r.Table.FuncID(s.Stack[at])] += w
		if s.Class == stacks.Syscall {
			m.files += w
		}
		if r.Table.Func(s.Stack[at]).Owner == stacks.User {
			m.own[innermost(r.Table, s.Stack[:at+1], steps)] += w
		}
	}
	if m.ns == 0 || !m.known(r.Table) && m.part.writes < leastWrites*m.ns {
		return nil
	}
	return m
}

// leastWrites is the part of merging that goes to system calls that write, at least: what merges lists in memory has
// none. It is for stores that are known only by the names of their functions.
const leastWrites = 0.02

// entry is the outermost function that flushes or merges.
func entry(t *stacks.Table, stack []stacks.FrameID, steps []storeStep) (at int, step storeStep) {
	for at := len(stack) - 1; at >= 0; at-- {
		fn := t.FuncID(stack[at])
		if steps[fn] != noStep {
			return at, steps[fn]
		}
	}
	return -1, noStep
}

// innermost is the frame nearest to the leaf that merges.
func innermost(t *stacks.Table, stack []stacks.FrameID, steps []storeStep) stacks.FrameID {
	i := slices.IndexFunc(stack, func(id stacks.FrameID) bool { return steps[t.FuncID(id)] == merges })
	return stack[i]
}

// known reports whether most of the merging is a known store's.
func (m *merging) known(t *stacks.Table) bool {
	sum := 0.0
	for fn, w := range m.entered {
		if t.Funcs[fn].Does(known.MergesTables) {
			sum += w
		}
	}
	return 2*sum > m.ns
}

// add divides a sample by what is at its leaf.
func (p *storePart) add(t *stacks.Table, s *stacks.Sample, w float64) {
	var bytes, compresses, writes bool
	for _, id := range s.Stack[:min(len(s.Stack), leafDepth)] {
		f := t.Func(id)
		bytes = bytes || f.Does(known.SumsBytes, known.EncryptsOrSigns, known.MakesLarge)
		compresses = compresses || f.Does(known.Compresses)
		writes = writes || strings.Contains(f.Name, "rite") && f.Is(known.NamesSystemCall)
	}
	switch {
	case compresses:
		p.compress += w
	case bytes, s.Class == stacks.Memmove, s.Class == stacks.Syscall:
		p.moves += w
	default:
		p.keys += w
	}
	if s.Class == stacks.Syscall && writes {
		p.writes += w
	}
}

// leafDepth is how many frames from the leaf a checksum, a compressor or a system call is looked for.
const leafDepth = 12

// again is how many bytes merging writes for each byte that a flush writes, about; 0 where the profile shows too little
// of either. System calls that write tell. A store that maps its files has none: then it is what is moved, which is
// low: badger's own benchmark moves 2.4 times as much in merges as in flushes (testdata/compaction/badger-bench-large), and
// a flush walks the memory table, too.
func (m *merging) again() float64 {
	const least = 5 * 1e7 // ns: five ticks, ±90 % at 95 %
	switch {
	case m.flush.writes >= least && m.part.writes > 0:
		return m.part.writes / m.flush.writes
	case m.flush.moves+m.flush.compress >= least:
		return (m.part.moves + m.part.compress) / (m.flush.moves + m.flush.compress)
	}
	return 0
}

// rate is how many bytes a second a part writes, by the kernel's count; 0 where that is not known.
func (m *merging) rate(r *Reading, part storePart) float64 {
	all, n := r.MeanDuring(vitals.WriteRate, m.v.set)
	if n == 0 || part.writes == 0 {
		return 0
	}
	written := 0.0
	for i := range m.v.set.Samples {
		s := &m.v.set.Samples[i]
		var p storePart
		if w := float64(m.v.weight(s)); w > 0 && s.Class == stacks.Syscall {
			p.add(r.Table, s, w)
			written += p.writes
		}
	}
	return all * min(part.writes/max(written, 1), 1)
}

// leastApart is the size in bytes from which values are kept beside the merged files (largeRemedies).
const leastApart = 4 << 10

// givenSmall reports whether what the store is given is known to be small: the function that gives it makes as many
// bytes a second, in smaller objects, as half of what is written to first files. Who hands on a value that others have
// made has the key alone, a small part of that.
func (m *merging) givenSmall(r *Reading) bool {
	g, lib := r.costs().garbage, m.library(r.Table)
	at, ok := m.writer(r)
	if !ok || g.set == nil || !g.diff || g.set.Seconds <= 0 {
		return false
	}
	objects, small := stacks.ByValue(g.set.Value("alloc_objects", "count")), 0.0
	for i := range g.set.Samples {
		s := &g.set.Samples[i]
		line, u := r.Table.UserFrame(s.Stack)
		made := float64(g.weight(s))
		if u >= 0 && r.Table.FuncID(line) == r.Table.FuncID(at) && !writesInto(r.Table, s.Stack[:u], lib) &&
			made < leastApart*float64(objects(s)) {
			small += made
		}
	}
	first := m.rate(r, m.flush)
	return first > 0 && small/g.set.Seconds >= first/2
}

// storeWrites are what the functions are called by which stores take what they keep.
var storeWrites = [...]string{"Set", "Put", "Write", "Apply", "Commit", "Update", "Insert", "Add", "Append", "Save",
	"Store", "Merge", "Batch", "Ingest", "SetEntry", "put", "set", "write"}

// writer is the user's line that writes most into the store; a sample of CPU tells first, then one of allocation, and
// of waiting.
func (m *merging) writer(r *Reading) (stacks.FrameID, bool) {
	if id, ok := heaviest(m.own); ok {
		return id, true
	}
	lib := m.library(r.Table)
	for _, kinds := range [][]string{{casefile.CPU}, {casefile.Allocs, casefile.Heap}, {casefile.Block, casefile.Mutex},
		{casefile.Goroutine}} {
		lines := map[stacks.FrameID]float64{}
		for _, set := range r.All(kinds...) {
			for i := range set.Samples {
				line, u := r.Table.UserFrame(set.Samples[i].Stack)
				if u > 0 && writesInto(r.Table, set.Samples[i].Stack[:u], lib) {
					lines[line] += weightOf(set.Samples[i].Values)
				}
			}
		}
		if id, ok := heaviest(lines); ok {
			return id, true
		}
	}
	return stacks.NoFrame, false
}

// weightOf is the largest value: of CPU its time, of memory the bytes, of waiting its time.
func weightOf(values []int64) float64 {
	most := 1.0 // a sample whose memory is free again counts, too
	for _, v := range values {
		most = max(most, float64(v))
	}
	return most
}

// library is the module, about, whose functions merge: the first three parts of its path.
func (m *merging) library(t *stacks.Table) string {
	best, most := "", 0.0
	for fn, w := range m.entered {
		if w > most || w == most && t.Funcs[fn].Package < best {
			best, most = t.Funcs[fn].Package, w
		}
	}
	parts := strings.SplitN(best, "/", 4)
	return strings.Join(parts[:min(len(parts), 3)], "/")
}

// writesInto reports whether a stack below the user's line enters a library by a function that takes what it keeps.
func writesInto(t *stacks.Table, stack []stacks.FrameID, lib string) bool {
	for _, id := range slices.Backward(stack) {
		f := t.Func(id)
		if f.Package != lib && !strings.HasPrefix(f.Package, lib+"/") {
			continue
		}
		method := f.Name[strings.LastIndexByte(f.Name, '.')+1:]
		return hasPrefix(method, storeWrites[:])
	}
	return false
}
