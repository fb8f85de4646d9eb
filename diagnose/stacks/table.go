package stacks

import (
	"encoding/binary"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/diagnose/known"
)

// A Table holds every function and every frame once. Sets that share a table can be compared by ID.
type Table struct {
	Funcs  []Func
	Frames []Frame

	module   string // the main module: given, or learnt from where main.main is
	funcIDs  map[funcKey]FuncID
	frameIDs map[Frame]FrameID
	labelIDs map[funcKey]FuncID // of labels' values; see labelFrame
	compiled []compiled         // by frame, as far as any was seen; see Inlined
	held     int64              // bytes, about, of names and of the samples of all sets
	room     int64              // bytes that held may reach; see readable
}

type funcKey struct{ name, file string }

// NewTable returns an empty table. module is the path of the build's main module, "" when it is not known.
func NewTable(module string) *Table {
	return &Table{
		module:   module,
		room:     readable(),
		funcIDs:  make(map[funcKey]FuncID),
		frameIDs: make(map[Frame]FrameID),
	}
}

// intern returns the frame of a function's line, adding what is new.
func (t *Table) intern(name, file string, line int64) FrameID {
	return t.frame(t.fn(name, file), line)
}

func (t *Table) frame(fn FuncID, line int64) FrameID {
	f := Frame{Func: fn, Line: plausibleLine(line)}
	id, ok := t.frameIDs[f]
	if !ok {
		id = FrameID(len(t.Frames))
		t.Frames = append(t.Frames, f)
		t.frameIDs[f] = id
	}
	return id
}

// compiled says how the compiler made the code of a frame, as profiles show it.
type compiled uint8

const (
	inlined compiled = 1 << iota // into the function that calls it
	called
)

func (t *Table) compile(id FrameID, how compiled) {
	for len(t.compiled) <= int(id) {
		t.compiled = append(t.compiled, 0)
	}
	t.compiled[id] |= how
}

// Inlined reports whether the code of a frame was inlined into its caller wherever it was seen. Only pprof's files say
// so: an address has a line each for the function and what it was inlined into.
func (t *Table) Inlined(id FrameID) bool {
	return id >= 0 && int(id) < len(t.compiled) && t.compiled[id] == inlined
}

// plausibleLine is a line number that fits; a crafted profile may have any.
func plausibleLine(line int64) int32 { return int32(min(max(line, 0), 1<<30)) }

func (t *Table) fn(name, file string) FuncID {
	name, file = plainName(short(name, maxName)), short(file, maxName)
	id, ok := t.funcIDs[funcKey{name, file}]
	if ok {
		return id
	}
	id = FuncID(len(t.Funcs))
	t.funcIDs[funcKey{name, file}] = id
	if pkg := packageOf(name); pkg == "main" && t.module == "" && !inlinedLiteral(name, pkg) {
		t.learnModule(file)
	}
	t.held += int64(len(name) + len(file))
	t.Funcs = append(t.Funcs, FuncOf(name, file, t.module))
	return id
}

// FuncOf is a function as a table of the module would have it.
func FuncOf(name, file, module string) Func {
	name = plainName(name)
	pkg := packageOf(name)
	is := known.Of(name)
	class := classOf(name, pkg, is)
	return Func{
		Name: name, Package: pkg, File: file,
		Owner: ownerOf(name, pkg, file, module), Class: class, known: is, parks: parksIn(is, class),
		observer: isCasebook(pkg) || is.Roles&(known.Profiles|known.WrapsWork) == known.Profiles,
		around:   isAround(pkg), border: borderOf(name, pkg, is),
	}
}

// Is reports whether a function is known to have a role.
func (f *Func) Is(role known.Role) bool { return f.known.Roles&role != 0 }

// Does reports whether a function is known to do one of the works.
func (f *Func) Does(works ...known.Work) bool { return f.known.Does(works...) }

// learnModule takes the main module from where package main is, if that is the module cache: a program installed with
// `go install path@version` has its own code there, beside its dependencies'.
func (t *Table) learnModule(file string) {
	mod, ok := cachedModule(file)
	if !ok {
		return
	}
	t.module = mod
	for i := range t.Funcs {
		if f := &t.Funcs[i]; f.Owner != LabelValue {
			f.Owner = ownerOf(f.Name, f.Package, f.File, t.module)
		}
	}
}

// WithoutTypes drops type arguments: "(*Pool[go.shape.*uint8]).Acquire" is "(*Pool).Acquire".
func WithoutTypes(name string) string {
	depth := 0
	return strings.Map(func(r rune) rune {
		switch {
		case r == '[':
			depth++
		case r == ']':
			depth--
		case depth <= 0:
			return r
		}
		return -1
	}, name)
}

// plainName replaces type arguments by "...", as go tool pprof shows them. Instantiations of one function are one place
// in the code, and their shapes ("[go.shape.struct { … }]") can be longer than everything else.
func plainName(name string) string {
	open := strings.IndexByte(name, '[')
	if open <= 0 { // "[vdso]" is not a name with arguments
		return name
	}
	var b strings.Builder
	depth := 0
	for _, r := range name {
		switch {
		case r == '[':
			if depth == 0 {
				b.WriteString("[...]")
			}
			depth++
		case r == ']':
			depth = max(depth-1, 0)
		case depth == 0:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// packageOf is the import path in a function's name: "net/http" in "net/http.(*conn).serve". Names without a dot after
// the last slash (assembly, C) have none.
func packageOf(name string) string {
	if i := strings.IndexByte(name, '['); i >= 0 {
		name = name[:i] // type arguments contain slashes and dots of their own
	}
	base := strings.LastIndexByte(name, '/') + 1
	dot := strings.IndexByte(name[base:], '.')
	if dot < 0 {
		return ""
	}
	// The linker escapes dots in the last element: gopkg.in/yaml%2ev3.
	return strings.ReplaceAll(name[:base+dot], "%2e", ".")
}

// Receiver is the type whose method a function is, with its package and without a star: "main.Store"; closures are
// their methods'. A plain function is its own, and no method.
func Receiver(name string) (owner string, method bool) {
	name = strings.ReplaceAll(name, "[...]", "")
	slash := strings.LastIndexByte(name, '/') + 1
	parts := strings.Split(name[slash:], ".")
	if len(parts) >= 3 && (strings.HasPrefix(parts[1], "(") || upper(parts[1]) &&
		!strings.HasPrefix(parts[2], "func")) {
		return name[:slash] + parts[0] + "." + strings.Trim(parts[1], "(*)"), true
	}
	return name[:slash] + strings.Join(parts[:min(len(parts), 2)], "."), false
}

func upper(s string) bool { return s != "" && s[0] >= 'A' && s[0] <= 'Z' }

// stackIDs numbers distinct stacks from 0. A map whose keys are stacks as text took 330 bytes for each of 300,000: this
// takes 30. The hash has a seed, so that nobody can make a file with stacks that collide.
type stackIDs struct {
	seed  maphash.Seed
	heads map[uint64]int32 // the last stack with the hash
	next  []int32          // the one before it; -1: none
	known [][]FrameID
	bytes []byte // reused
}

func newStackIDs(n int) *stackIDs {
	return &stackIDs{seed: maphash.MakeSeed(), heads: make(map[uint64]int32, n), next: make([]int32, 0, n),
		known: make([][]FrameID, 0, n)}
}

// add returns the number of a stack, the next free one if it is new.
func (s *stackIDs) add(stack []FrameID) int {
	h := s.hash(stack)
	head, ok := s.heads[h]
	if !ok {
		head = -1
	}
	if id := s.from(head, stack); id >= 0 {
		return id
	}
	id := len(s.known)
	s.known, s.next, s.heads[h] = append(s.known, stack), append(s.next, head), int32(id)
	return id
}

// find returns the number of a stack, -1 for one that was not added.
func (s *stackIDs) find(stack []FrameID) int {
	head, ok := s.heads[s.hash(stack)]
	if !ok {
		return -1
	}
	return s.from(head, stack)
}

func (s *stackIDs) from(head int32, stack []FrameID) int {
	for id := head; id >= 0; id = s.next[id] {
		if slices.Equal(s.known[id], stack) {
			return int(id)
		}
	}
	return -1
}

func (s *stackIDs) hash(stack []FrameID) uint64 {
	s.bytes = s.bytes[:0]
	for _, id := range stack {
		s.bytes = binary.LittleEndian.AppendUint32(s.bytes, uint32(id))
	}
	return maphash.Bytes(s.seed, s.bytes)
}
