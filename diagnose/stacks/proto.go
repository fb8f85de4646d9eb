package stacks

import (
	"fmt"
	"strings"
)

// A profile is decoded here and not by google/pprof, whose structs use 20 times the memory of the stacks that are
// needed: a million samples of 25 frames took 1.1 GB. The records mean the same, and TestProtoAgrees checks that.
// Addresses are skipped, labels that nobody wants, and everything of the mappings except the names.

// Field numbers of profile.proto that proto needs beside those of wire.go.
const (
	fieldSampleType  = 1
	fieldPeriodType  = 11
	fieldTime        = 9
	fieldDuration    = 10
	fieldPeriod      = 12
	fieldDefaultType = 14
)

// A proto is a profile whose samples have not been decoded yet. It points into the bytes it was read from.
type proto struct {
	data      []byte
	strings   []string
	types     []ValueType
	defaults  string // the default sample type
	functions []protoFunc
	byID      map[uint64]int // of functions
	locations [][]byte
	samples   int
	binary    string            // the name of the first mapping's file, which is the program's; "": not known
	mappings  map[uint64]string // the names of all mappings' files, by ID

	time, duration, period int64
	periodType             ValueType
}

type protoFunc struct {
	name, file string
	start      int32  // line
	id         FuncID // in the table, once it is known
	known      bool
}

// maxNames bounds the bytes of all functions' names and files together: a crafted profile may give one long string to
// each.
const maxNames = 256 << 20

// decodeProto reads everything except the samples. data has passed countWire.
func decodeProto(data []byte) (*proto, error) {
	p := &proto{data: data}
	var types, functions, mappings, periodTypes [][]byte
	var defaultType uint64
	err := eachField(data, func(f field) error {
		switch f.num {
		case fieldSampleType:
			types = append(types, f.data)
		case fieldSample:
			p.samples++
		case fieldMapping:
			mappings = append(mappings, f.data)
		case fieldLocation:
			p.locations = append(p.locations, f.data)
		case fieldFunction:
			functions = append(functions, f.data)
		case fieldString:
			p.strings = append(p.strings, string(short(f.data, maxName)))
		case fieldPeriodType:
			periodTypes = append(periodTypes, f.data)
		case fieldTime:
			p.time = int64(f.number())
		case fieldDuration:
			p.duration = int64(f.number())
		case fieldPeriod:
			p.period = int64(f.number())
		case fieldDefaultType:
			defaultType = f.number()
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := p.addTypes(types, defaultType); err != nil {
		return nil, err
	}
	if err := p.addMappings(mappings); err != nil {
		return nil, err
	}
	for _, b := range periodTypes {
		if p.periodType, err = p.valueType(b); err != nil {
			return nil, err
		}
	}
	return p, p.addFunctions(functions)
}

// addMappings reads Mapping{id = 1, filename = 5} and keeps the last part of the paths.
func (p *proto) addMappings(mappings [][]byte) error {
	p.mappings = make(map[uint64]string, len(mappings))
	for i, b := range mappings {
		var id, name uint64
		err := eachField(b, func(f field) error {
			switch f.num {
			case 1:
				id = f.number()
			case 5:
				name = f.number()
			}
			return nil
		})
		file, err1 := p.text(name)
		if err := firstError(err, err1); err != nil {
			return err
		}
		file = file[strings.LastIndexAny(file, `/\`)+1:]
		if p.mappings[id] = file; i == 0 {
			p.binary = file
		}
	}
	return nil
}

// valueType reads ValueType{type = 1, unit = 2}, both indexes of strings.
func (p *proto) valueType(b []byte) (ValueType, error) {
	var typ, unit uint64
	err := eachField(b, func(f field) error {
		switch f.num {
		case 1:
			typ = f.number()
		case 2:
			unit = f.number()
		}
		return nil
	})
	t, err1 := p.text(typ)
	u, err2 := p.text(unit)
	return ValueType{t, u}, firstError(err, err1, err2)
}

// addTypes reads the sample types.
func (p *proto) addTypes(types [][]byte, defaultType uint64) error {
	for _, b := range types {
		t, err := p.valueType(b)
		if err != nil {
			return err
		}
		p.types = append(p.types, t)
	}
	if len(p.types) == 0 && p.samples > 0 {
		return fmt.Errorf("samples without sample types")
	}
	text, err := p.text(defaultType)
	p.defaults = text
	return err
}

// addFunctions reads Function{id = 1, name = 2, filename = 4, start_line = 5}.
func (p *proto) addFunctions(functions [][]byte) error {
	p.functions, p.byID = make([]protoFunc, 0, len(functions)), make(map[uint64]int, len(functions))
	names := 0
	for _, b := range functions {
		var id, name, file uint64
		var start int64
		err := eachField(b, func(f field) error {
			switch f.num {
			case 1:
				id = f.number()
			case 2:
				name = f.number()
			case 4:
				file = f.number()
			case 5:
				start = int64(f.number())
			}
			return nil
		})
		n, err1 := p.text(name)
		fn, err2 := p.text(file)
		if err := firstError(err, err1, err2); err != nil {
			return err
		}
		if _, twice := p.byID[id]; id == 0 || twice {
			return fmt.Errorf("a function without an ID of its own")
		}
		if names += len(n) + len(fn); names > maxNames {
			return fmt.Errorf("names longer than those of a real profile")
		}
		p.byID[id] = len(p.functions)
		p.functions = append(p.functions, protoFunc{name: n, file: fn, start: plausibleLine(start)})
	}
	return nil
}

// text is an entry of the string table. The table's first entry is empty; a missing table has it too.
func (p *proto) text(i uint64) (string, error) {
	if i >= uint64(len(p.strings)) {
		if i == 0 {
			return "", nil
		}
		return "", fmt.Errorf("no string %d in a table of %d", i, len(p.strings))
	}
	return p.strings[i], nil
}
