package heapdump

import (
	"cmp"
	"debug/elf"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// symbols names addresses of the process. The zero value knows none.
type symbols struct {
	all   []symbol // by address
	slide uint64   // what the loader added to the addresses of the file
	file  *elf.File
}

type symbol struct {
	address, size uint64
	name          string
	code          bool
}

// data is the global variable at an address; "" if it is not known.
func (s symbols) data(address uint64) string {
	if f := s.find(address); f != nil && !f.code {
		return f.name
	}
	return ""
}

// code is the function at a pc.
func (s symbols) code(pc uint64) string {
	if f := s.find(pc); f != nil && f.code {
		return f.name
	}
	return fmt.Sprintf("code at %#x", pc)
}

func (s symbols) find(address uint64) *symbol {
	address -= s.slide
	i, exact := slices.BinarySearchFunc(s.all, address,
		func(x symbol, a uint64) int { return cmp.Compare(x.address, a) })
	if !exact {
		i--
	}
	if i < 0 || address >= s.all[i].address+max(s.all[i].size, 1) {
		return nil
	}
	return &s.all[i]
}

// errStripped says what to do about a binary without symbols.
var errStripped = errors.New("no symbol table (built with -ldflags=-s, or stripped): " +
	"build the same source without that")

// openBinary reads the symbols of an ELF binary and checks that the dump is of it. A dump has no build ID. It has the
// addresses and lengths of the sections and the functions on all stacks: they have to be the binary's.
func openBinary(path string, s *survey) (symbols, error) {
	f, err := elf.Open(path)
	if err != nil {
		return symbols{}, fmt.Errorf("the symbols of %s cannot be read; only ELF binaries can: %w", path, err)
	}
	all, err := f.Symbols()
	if err != nil || len(all) == 0 {
		return symbols{}, errors.Join(fmt.Errorf("%s: %w", path, errStripped), f.Close())
	}
	out := symbols{file: f}
	for _, x := range all {
		kind := elf.ST_TYPE(x.Info)
		if kind == elf.STT_OBJECT && x.Size > 0 || kind == elf.STT_FUNC { // one without a size is the linker's mark
			name := strings.TrimSuffix(x.Name, ".abi0") // the linker's suffix for assembly
			out.all = append(out.all, symbol{x.Value, x.Size, name, kind == elf.STT_FUNC})
		}
	}
	slices.SortStableFunc(out.all, compareSymbols)
	if err := out.check(s, bounds(all)); err != nil {
		return symbols{}, errors.Join(fmt.Errorf("%s is not the program of this dump: %w", path, err), f.Close())
	}
	return out, nil
}

// compareSymbols puts at the end of an address the one that covers most.
func compareSymbols(a, b symbol) int {
	switch {
	case a.address != b.address && a.address < b.address, a.address == b.address && a.size < b.size:
		return -1
	case a.address == b.address && a.size == b.size:
		return 0
	}
	return 1
}

// bounds are the linker's symbols of where sections begin and end.
func bounds(all []elf.Symbol) map[string]uint64 {
	out := make(map[string]uint64)
	for _, x := range all {
		if name, ok := strings.CutPrefix(x.Name, "runtime."); ok {
			switch name {
			case "data", "edata", "bss", "ebss":
				out[name] = x.Value
			}
		}
	}
	return out
}

// check finds the slide, and compares.
func (s *symbols) check(d *survey, b map[string]uint64) error {
	for _, x := range d.sections {
		if size := b["e"+x.name] - b[x.name]; size != x.size {
			return fmt.Errorf("its section %s has %d bytes, that of the process has %d", x.name, size, x.size)
		}
		slide := x.address - b[x.name]
		if s.slide != 0 && s.slide != slide {
			return errors.New("its sections lie differently")
		}
		s.slide = slide
	}
	for entry, name := range d.entries {
		if f := s.find(entry); f == nil || f.name != name {
			return fmt.Errorf("it has no function %s at %#x", name, entry-s.slide)
		}
	}
	return nil
}

func (s *symbols) close() {
	if s.file != nil {
		_ = s.file.Close() // it was only read
	}
}
