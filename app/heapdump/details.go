package heapdump

import (
	"cmp"
	"io"
	"strings"

	"github.com/gocasebook/casebook/diagnose/refs"
)

// details reads the dump once more, for the objects on the chains: at which offset the pointer to the next one is, and
// which type an object has, where that is known.
func (a *analysis) details(f io.ReaderAt, out *refs.Summary) {
	next := make(map[uint64][]*refs.Step) // steps after an object, by its address
	self := make(map[uint64][]*refs.Step)
	for i := range out.Holders {
		for _, p := range out.Holders[i].Parts {
			for j := range p.Chain {
				s := &p.Chain[j]
				self[s.Address] = append(self[s.Address], s)
				if j > 0 && s.Skipped == 0 {
					next[p.Chain[j-1].Address] = append(next[p.Chain[j-1].Address], s)
				}
			}
		}
	}
	w := newWire(f, 0)
	_ = w.visit(&visitor{object: func(address uint64, m *memory, pointers pointerFunc) { // the survey met its error
		for _, s := range self[address] {
			s.Type = cmp.Or(a.closure(w, m), a.headerType(w, m))
		}
		steps := next[address]
		if len(steps) == 0 {
			return
		}
		pointers(func(offset, value uint64) { a.follow(w, m, steps, offset, value) })
	}})
}

// follow notes a pointer that leads to the next step, the first one of an object.
func (a *analysis) follow(w *wire, m *memory, steps []*refs.Step, offset, value uint64) {
	for _, s := range steps {
		if s.Offset != 0 || value < s.Address || value >= s.Address+s.Size {
			continue
		}
		s.Offset = offset
		if offset >= wordSize && s.Type == "" { // the data of an interface
			s.Type = a.typeName(a.itabs[m.word(w, offset-wordSize)])
		}
	}
}

// Sizes of objects whose first word is the address of their type (runtime/mbitmap.go since Go 1.22).
const (
	leastHeader = 512
	mostHeader  = 32 << 10
)

// headerType is the type of an object of a size that has a header, if the dump names it: types of values in interfaces
// with methods are named.
func (a *analysis) headerType(w *wire, m *memory) string {
	if m.size <= leastHeader || m.size > mostHeader {
		return ""
	}
	return a.typeName(m.word(w, 0))
}

// closure is the function of a closure, whose first word is the address of its code.
func (a *analysis) closure(w *wire, m *memory) string {
	code := m.word(w, 0)
	if f := a.symbols.find(code); f != nil && f.code && f.address == code-a.symbols.slide {
		return "closure " + f.name
	}
	return ""
}

// typeName is the name of a type, if the dump has it: of a pointer's type it has the package only.
func (a *analysis) typeName(address uint64) string {
	name := a.types[address]
	if strings.HasSuffix(name, ".") {
		return ""
	}
	return name
}
