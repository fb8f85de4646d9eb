package instance

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"

	"github.com/gocasebook/casebook/internal/room"
)

// For a census a goroutine profile is decoded here and not by google/pprof, which makes structs of every record: a
// watch of many targets takes hundreds of censuses a second. TestStackProfileAgrees checks that both read the same.

// A stackProfile is what a census needs of a profile, with the memory for it.
type stackProfile struct {
	packed    [64 << 10]byte // what most profiles have without their compression
	names     []string       // the string table
	functions map[uint64]uint64
	locations map[uint64]stackLocation
	lines     []uint64 // IDs of functions, those of a location in a row
	samples   []string // not decoded
	types     int      // values of a sample

	ids, values, addresses []uint64 // of the sample that is being read
	stack                  []stackLocation
}

// A stackLocation is an address, and the IDs of the functions that run there, from the innermost.
type stackLocation struct {
	address uint64
	lines   []uint64
}

var stackProfiles = sync.Pool{New: func() any {
	return &stackProfile{functions: make(map[uint64]uint64), locations: make(map[uint64]stackLocation)}
}}

// maxKeptRecords is how many records the memory of a stackProfile is kept for.
const maxKeptRecords = 4096

var errStacks = errors.New("parsing the profile: its records do not fit together")

// readPlaces says where the goroutines of a gzipped profile are, and how many frames they have in the mean. It waits
// for others that parse profiles. The names share one copy of the profile.
func readPlaces(ctx context.Context, data []byte) (places placeSet, frames float64, err error) {
	waited := parsing.Do(ctx, func() {
		p := stackProfiles.Get().(*stackProfile)
		defer p.free()
		var raw []byte
		if raw, err = p.unpack(data); err != nil {
			return
		}
		if err = checkRecords(raw); err != nil {
			return
		}
		places, frames, err = p.read(string(raw))
	})
	if waited != nil {
		err = fmt.Errorf("waiting for another profile to be parsed: %w", waited)
	}
	return places, frames, err
}

// unpack is the profile without its compression.
func (p *stackProfile) unpack(data []byte) ([]byte, error) {
	n, whole := 0, false
	err := unzip(data, func(r io.Reader) error {
		for n < len(p.packed) && !whole {
			k, err := r.Read(p.packed[n:])
			n += k
			if whole = err == io.EOF; err != nil && !whole {
				return err
			}
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, cutProfile(err)
	case !whole:
		return inflate(data, min(maxInflated, int(room.Parsing())))
	}
	return p.packed[:n], nil
}

func (p *stackProfile) read(text string) (set placeSet, frames float64, err error) {
	if !eachWire(text, p.add) || p.types == 0 && len(p.samples) > 0 {
		return nil, 0, errStacks
	}
	for _, name := range p.functions {
		if name >= uint64(len(p.names)) && name > 0 {
			return nil, 0, errStacks
		}
	}
	set = make(placeSet)
	depth, goroutines := 0, 0
	for _, sample := range p.samples {
		n, ok := p.decode(sample)
		if !ok {
			return nil, 0, errStacks
		}
		if n <= 0 || n > math.MaxInt32 {
			continue
		}
		depth, goroutines = depth+int(n)*len(p.stack), goroutines+int(n)
		set.add(hashPCs(p.addresses), int(n), p.functionsOf)
	}
	return set, float64(depth) / float64(max(goroutines, 1)), nil
}

// add takes a field of Profile{sample_type = 1, sample = 2, location = 4, function = 5, string_table = 6}.
func (p *stackProfile) add(f wireField) bool {
	switch f.number {
	case 1:
		p.types++
	case 2:
		p.samples = append(p.samples, f.data)
	case 4:
		return p.addLocation(f)
	case 5:
		return p.addFunction(f)
	case 6:
		p.names = append(p.names, f.data)
	default:
		return true
	}
	return f.kind == wireBytes
}

// addLocation takes Location{id = 1, address = 3, line = 4}, and of these Line{function_id = 1}.
func (p *stackProfile) addLocation(of wireField) bool {
	var id uint64
	var l stackLocation
	first := len(p.lines)
	ok := eachWire(of.data, func(f wireField) bool {
		switch f.number {
		case 1:
			id = f.v
		case 3:
			l.address = f.v
		case 4:
			var function uint64
			inner := eachWire(f.data, func(f wireField) bool {
				if f.number == 1 {
					function = f.v
				}
				return true
			})
			p.lines = append(p.lines, function)
			return inner
		}
		return true
	})
	l.lines = p.lines[first:len(p.lines):len(p.lines)]
	_, twice := p.locations[id]
	p.locations[id] = l
	return ok && of.kind == wireBytes && id != 0 && !twice
}

// addFunction takes Function{id = 1, name = 2}.
func (p *stackProfile) addFunction(of wireField) bool {
	var id, name uint64
	ok := eachWire(of.data, func(f wireField) bool {
		switch f.number {
		case 1:
			id = f.v
		case 2:
			name = f.v
		}
		return true
	})
	_, twice := p.functions[id]
	p.functions[id] = name
	return ok && of.kind == wireBytes && id != 0 && !twice
}

// decode reads Sample{location_id = 1, value = 2} into stack and addresses. n is the first value.
func (p *stackProfile) decode(sample string) (n int64, ok bool) {
	p.ids, p.values, p.addresses, p.stack = p.ids[:0], p.values[:0], p.addresses[:0], p.stack[:0]
	ok = eachWire(sample, func(f wireField) bool {
		switch f.number {
		case 1:
			return f.numbers(&p.ids)
		case 2:
			return f.numbers(&p.values)
		}
		return true
	})
	if !ok || len(p.values) != p.types {
		return 0, false
	}
	for _, id := range p.ids {
		l, known := p.locations[id]
		if !known {
			return 0, false
		}
		p.stack, p.addresses = append(p.stack, l), append(p.addresses, l.address)
	}
	return int64(p.values[0]), true
}

// functionsOf gives the functions of the stack from the top.
func (p *stackProfile) functionsOf(yield func(string) bool) {
	for _, l := range p.stack {
		for _, id := range l.lines {
			if name, known := p.functions[id]; known && name < uint64(len(p.names)) && !yield(p.names[name]) {
				return
			}
		}
	}
}

// free gives the memory back for the next profile, unless one was large.
func (p *stackProfile) free() {
	if len(p.names)+len(p.locations)+len(p.functions)+len(p.samples) > maxKeptRecords {
		return
	}
	clear(p.names) // they and the samples are parts of the text
	clear(p.samples)
	clear(p.functions)
	clear(p.locations)
	p.names, p.samples, p.lines, p.types = p.names[:0], p.samples[:0], p.lines[:0], 0
	stackProfiles.Put(p)
}
