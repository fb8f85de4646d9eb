package heapdump

import (
	"fmt"
	"strings"

	"github.com/gocasebook/casebook/diagnose/refs"
)

// Tags of records (runtime/heapdump.go).
const (
	tagEOF = iota
	tagObject
	tagOtherRoot
	tagType
	tagGoroutine
	tagStackFrame
	tagParams
	tagFinalizer
	tagItab
	tagOSThread
	tagMemStats
	tagQueuedFinalizer
	tagData
	tagBSS
	tagDefer
	tagPanic
	tagMemProf
	tagAllocSample
)

// header is the first line of a dump; its version has not changed since Go 1.7.
const header = "go1.7 heap dump\n"

// Is reports whether data begins as a heap dump does.
func Is(data []byte) bool {
	return len(data) >= len(header) && string(data[:len(header)]) == header
}

// A visitor is told what a dump has. The functions that are nil are not called. A memory and its pointers are valid
// during the call only, and the function of a memory has to read all its pointers: pointers(nil) does.
type visitor struct {
	params    func(Params)
	typ       func(typeRecord)
	itab      func(itab, typ uint64)
	object    func(address uint64, m *memory, pointers pointerFunc)
	goroutine func(goroutine)
	frame     func(f frame, m *memory, pointers pointerFunc)
	deferred  func(record, fn uint64)
	panicked  func(argument uint64)
	finalizer func(f finalizer)
	other     func(name string, to uint64)
	section   func(name string, address uint64, m *memory, pointers pointerFunc)
	memStats  func(refs.MemStats)
	bucket    func(b *bucket)
	sample    func(address, bucket uint64)
}

// A pointerFunc calls its argument, if it is not nil, for every pointer of a memory.
type pointerFunc func(func(offset, value uint64))

// Params are what a dump says of the process.
type Params struct {
	Big         bool // byte order
	PointerSize uint64
	Arch        string
	Version     string // of Go
}

type typeRecord struct {
	address, size uint64
	name          string
}

type goroutine struct {
	address, id uint64
	reason      string // why it waits
	context     uint64 // of a goroutine that has not run: the closure it will run
}

type frame struct {
	entry uint64 // where its function begins
	name  string
}

type finalizer struct {
	object, fn, pc uint64 // pc is the code of fn
}

// A bucket is a stack of the heap profile.
type bucket struct {
	id, size uint64 // size of one object
	site     refs.Site
	frames   []refs.Site // outside the runtime, the innermost first; maxFrames at most
}

// key tells stacks apart.
func (b *bucket) key() string {
	var key strings.Builder
	for _, f := range b.frames {
		fmt.Fprintf(&key, "%s:%d\n", f.File, f.Line)
	}
	return key.String()
}

type line struct {
	function, file string
	number         uint64
}

// visit reads a dump from its beginning to its end, or to damage.
func (w *wire) visit(v *visitor) error {
	if !w.fill(len(header)) || !Is(w.buf[w.at:]) {
		return fmt.Errorf("not a heap dump of Go 1.7 or later: it does not begin with %q", header[:len(header)-1])
	}
	w.at += len(header)
	var m memory
	for w.err == nil {
		begin := w.offset()
		tag := w.uint()
		if tag == tagEOF || w.err != nil {
			break
		}
		if !w.record(tag, v, &m) {
			w.fail(fmt.Errorf("%w, or of a version that is not known: record of kind %d at byte %d", errDamaged, tag,
				begin))
		}
	}
	return w.err
}

// record reads one record. It answers false for a tag that it does not know: there are no lengths to skip it by.
func (w *wire) record(tag uint64, v *visitor, m *memory) bool {
	switch tag {
	case tagObject:
		w.object(v, m)
	case tagType, tagItab, tagOSThread, tagParams, tagMemStats:
		w.about(tag, v)
	case tagGoroutine, tagStackFrame, tagDefer, tagPanic:
		w.stack(tag, v, m)
	case tagFinalizer, tagQueuedFinalizer, tagOtherRoot, tagData, tagBSS:
		w.root(tag, v, m)
	case tagMemProf:
		w.bucket(v)
	case tagAllocSample:
		if address, id := w.uint(), w.uint(); v.sample != nil && w.err == nil {
			v.sample(address, id)
		}
	default:
		return false
	}
	return true
}

func (w *wire) object(v *visitor, m *memory) {
	address := w.uint()
	w.memory(m)
	w.contents(m, v.object != nil, func(p pointerFunc) { v.object(address, m, p) })
}

// contents calls f, if somebody wants it, and reads the pointers that f left.
func (w *wire) contents(m *memory, wanted bool, f func(pointerFunc)) {
	read := false
	p := func(each func(offset, value uint64)) {
		read = true
		if each == nil {
			each = func(uint64, uint64) {}
		}
		w.pointers(m, each)
	}
	if wanted && w.err == nil {
		f(p)
	}
	if !read {
		p(nil)
	}
}

// about reads records about the process.
func (w *wire) about(tag uint64, v *visitor) {
	switch tag {
	case tagType:
		t := typeRecord{address: w.uint(), size: w.uint(), name: w.text()}
		w.uint() // whether an interface holds a pointer to it
		if v.typ != nil {
			v.typ(t)
		}
	case tagItab:
		if itab, typ := w.uint(), w.uint(); v.itab != nil {
			v.itab(itab, typ)
		}
	case tagOSThread:
		w.uint()
		w.uint()
		w.uint()
	case tagParams:
		w.params(v)
	default:
		w.memStats(v)
	}
}

func (w *wire) params(v *visitor) {
	p := Params{Big: w.uint() != 0, PointerSize: w.uint()}
	w.uint() // the arena's beginning and end: its parts may have gaps
	w.uint()
	p.Arch, p.Version = w.text(), w.text()
	w.uint() // CPUs
	if w.err == nil && (p.Big || p.PointerSize != wordSize) {
		w.fail(fmt.Errorf("a dump of %s: only 64-bit little-endian processes are read", p.Arch))
	}
	if v.params != nil && w.err == nil {
		v.params(p)
	}
}

// stack reads records of a goroutine.
func (w *wire) stack(tag uint64, v *visitor, m *memory) {
	switch tag {
	case tagGoroutine:
		w.goroutine(v)
	case tagStackFrame:
		w.frame(v, m)
	case tagDefer:
		record := w.uint()
		w.uint() // goroutine, sp, pc
		w.uint()
		w.uint()
		fn := w.uint()
		w.uint() // its code, the next record
		w.uint()
		if v.deferred != nil && w.err == nil {
			v.deferred(record, fn)
		}
	default:
		w.uint() // record, goroutine, type of the argument
		w.uint()
		w.uint()
		argument := w.uint()
		w.uint() // unused, the next record
		w.uint()
		if v.panicked != nil && w.err == nil {
			v.panicked(argument)
		}
	}
}

func (w *wire) goroutine(v *visitor) {
	var g goroutine
	var unused uint64
	w.uints(&g.address, &unused, &g.id) // the second is sp
	// The statement that started it, its status, system, background; since when it waits (0 unless it was scanned).
	w.uints(&unused, &unused, &unused, &unused, &unused)
	g.reason = w.text()
	w.uints(&g.context, &unused, &unused, &unused) // m, first defer, first panic
	if v.goroutine != nil && w.err == nil {
		v.goroutine(g)
	}
}

func (w *wire) frame(v *visitor, m *memory) {
	var f frame
	var unused uint64
	w.uints(&unused, &unused, &unused) // sp, depth, sp of the callee
	w.memory(m)
	w.uints(&f.entry, &unused, &unused) // pc, where it continues
	f.name = w.text()
	w.contents(m, v.frame != nil, func(p pointerFunc) { v.frame(f, m, p) })
}

// root reads records of roots that are no stacks.
func (w *wire) root(tag uint64, v *visitor, m *memory) {
	switch tag {
	case tagData, tagBSS:
		name := map[uint64]string{tagData: "data", tagBSS: "bss"}[tag]
		address := w.uint()
		w.memory(m)
		w.contents(m, v.section != nil, func(p pointerFunc) { v.section(name, address, m, p) })
	case tagOtherRoot:
		if name, to := w.text(), w.uint(); v.other != nil && w.err == nil {
			v.other(name, to)
		}
	default:
		f := finalizer{object: w.uint(), fn: w.uint(), pc: w.uint()}
		w.uint() // types of the argument and of the object
		w.uint()
		if v.finalizer != nil && w.err == nil {
			v.finalizer(f)
		}
	}
}

// maxStack bounds the stacks of the heap profile; the runtime's limit was 32 frames, and is 128 since Go 1.23.
const maxStack = 4096

func (w *wire) bucket(v *visitor) {
	b := bucket{id: w.uint(), size: w.uint()}
	n := w.uint()
	if n > maxStack {
		w.fail(errDamaged)
		return
	}
	stack := make([]line, 0, n) // innermost first
	for range n {
		stack = append(stack, line{w.name(), w.name(), w.uint()})
		if w.err != nil {
			return
		}
	}
	w.uint() // allocations and frees
	w.uint()
	if v.bucket != nil && w.err == nil {
		b.site, b.frames = siteOf(stack), framesOf(stack)
		v.bucket(&b)
	}
}
