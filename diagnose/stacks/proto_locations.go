package stacks

import (
	"cmp"
	"fmt"
	"strings"
)

// frames reads all locations, Location{id = 1, mapping_id = 2, address = 3, line = 4}, into frames of the table.
func (p *proto) frames(t *Table) (*locationTable, error) {
	byID := newLocationTable(len(p.locations))
	for _, b := range p.locations {
		id, l, err := p.location(t, b)
		if err != nil {
			return nil, err
		}
		if id == 0 || !byID.add(id, l) {
			return nil, fmt.Errorf("an address without an ID of its own")
		}
	}
	return byID, nil
}

// location reads one: a line each for the function and what it was inlined into, the innermost first. An address
// without a line becomes a frame too: otherwise its time would count for the caller.
func (p *proto) location(t *Table, b []byte) (id uint64, frames []FrameID, err error) {
	var mapping uint64
	err = eachField(b, func(f field) error {
		switch f.num {
		case 1:
			id = f.number()
		case 2:
			mapping = f.number()
		case 4:
			frame, ok, err := p.line(t, f.data)
			if ok {
				frames = append(frames, frame)
			}
			return err
		}
		return nil
	})
	for i, frame := range frames {
		how := inlined
		if i == len(frames)-1 {
			how = called
		}
		t.compile(frame, how)
	}
	if isKernel(p.mappings[mapping]) {
		return id, nil, err // see outside.go
	}
	if err == nil && len(frames) == 0 {
		frames = []FrameID{t.intern(Nameless(p.mappings[mapping]), "", 0)}
	}
	return id, frames, err
}

// line reads Line{function_id = 1, line = 2}. ok is false for one without a function.
func (p *proto) line(t *Table, b []byte) (frame FrameID, ok bool, err error) {
	var function uint64
	var line int64
	err = eachField(b, func(f field) error {
		switch f.num {
		case 1:
			function = f.number()
		case 2:
			line = int64(f.number())
		}
		return nil
	})
	if err != nil || function == 0 {
		return NoFrame, false, err
	}
	i, there := p.byID[function]
	if !there {
		return NoFrame, false, fmt.Errorf("no function %d", function)
	}
	fn := &p.functions[i]
	if !fn.known {
		fn.id, fn.known = t.fn(fn.name, fn.file), true
		if fn.start > 0 {
			t.Funcs[fn.id].Start = fn.start
		}
	}
	return t.frame(fn.id, line), true, nil
}

// Nameless is how an address without a function is called, after the binary or library it lies in: "[libvips.so]", as
// perf and go tool pprof do. "[unknown]" if that is not known either.
func Nameless(binary string) string { return "[" + cmp.Or(binary, "unknown") + "]" }

// IsNameless reports whether a function has no name: only an address, or what stands for one.
func IsNameless(name string) bool {
	return name == "" || name == "??" || strings.HasPrefix(name, "0x") || strings.HasPrefix(name, "[")
}
