package stacks

import (
	"encoding/binary"
	"fmt"
)

// Before a profile is decoded (proto.go), its protobuf records are counted: in a crafted file a record of two bytes
// becomes a struct many times as large. So a file with too many records, or with more than fit into memory, is refused
// before anything is allocated for it. Counting takes a few nanoseconds a record, and finds the byte at which a
// truncated profile ends.

// Field numbers of profile.proto: of Profile, and of Sample and Location inside it.
const (
	fieldSample    = 2
	fieldMapping   = 3
	fieldLocation  = 4
	fieldFunction  = 5
	fieldString    = 6
	fieldLocations = 1 // Sample.location_id
	fieldValues    = 2 // Sample.value
	fieldLabel     = 3 // Sample.label
)

// A wireCount is how many records a profile holds.
type wireCount struct {
	samples, table, parts, ids int

	largest int // parts or IDs of one sample or location
}

// countWire walks the records of a profile. It returns a problem for what is not protobuf, for truncation and for
// counts above the limits.
func countWire(b []byte) (wireCount, *Problem) {
	var c wireCount
	total := len(b)
	for len(b) > 0 {
		f, ok := nextField(b)
		if !ok {
			return c, brokenWire(c, total-len(b), total)
		}
		b = b[f.size:]
		if ok := c.add(f); !ok {
			return c, brokenWire(c, total-len(b), total)
		}
		if p := c.check(); p != nil {
			return c, p
		}
	}
	if c.samples == 0 && c.table == 0 {
		return c, problem(giveProfile, "not a profile: no pprof records in it")
	}
	return c, nil
}

func (c *wireCount) add(f field) bool {
	switch f.num {
	case fieldSample:
		c.samples++
		return c.addParts(f.data, true)
	case fieldLocation:
		c.table++
		return c.addParts(f.data, false)
	case fieldMapping, fieldFunction, fieldString:
		c.table++
	}
	return true
}

// addParts counts what is inside a sample or a location.
func (c *wireCount) addParts(b []byte, sample bool) bool {
	ids, parts := c.ids, c.parts
	defer func() { c.largest = max(c.largest, c.ids-ids, c.parts-parts) }()
	for len(b) > 0 {
		f, ok := nextField(b)
		if !ok {
			return false
		}
		b = b[f.size:]
		switch {
		case sample && (f.num == fieldLocations || f.num == fieldValues):
			c.ids += varints(f.data)
		default:
			c.parts++
		}
	}
	return true
}

func (c *wireCount) check() *Problem {
	const next = "capture less: fewer distinct stacks, no labels of high cardinality"
	switch {
	case c.samples > MaxSamples:
		return problem(next, "more than %d stacks, the most that are read", MaxSamples)
	case c.table > maxTable, c.parts > maxParts, c.ids > maxIDs, c.largest > maxRecord:
		return problem(next, "more records than a real profile has")
	}
	return nil
}

func brokenWire(c wireCount, at, total int) *Problem {
	if c.samples+c.table > 3 {
		return problem(captureAgain, "truncated or damaged: a record at byte %d of %d does not fit", at, total)
	}
	return problem(giveProfile, "not a profile of a kind that is known")
}

// A field is one protobuf field: its number, its bytes when it has a length, and its whole size.
type field struct {
	num  uint64
	data []byte
	size int
}

func nextField(b []byte) (field, bool) {
	tag, n := binary.Uvarint(b)
	if n <= 0 || tag>>3 == 0 {
		return field{}, false
	}
	f := field{num: tag >> 3, size: n}
	rest := b[n:]
	switch tag & 7 {
	case 0:
		_, n = binary.Uvarint(rest)
		if n <= 0 {
			return field{}, false
		}
		f.data, f.size = rest[:n], f.size+n
	case 1:
		f.size += 8
	case 2:
		size, n := binary.Uvarint(rest)
		if n <= 0 || size > uint64(len(rest)-n) {
			return field{}, false
		}
		f.data = rest[n : n+int(size)]
		f.size += n + int(size)
	case 5:
		f.size += 4
	default:
		return field{}, false
	}
	return f, f.size <= len(b)
}

// varints counts the varints in packed bytes: each ends with a byte below 0x80.
func varints(b []byte) int {
	n := 0
	for _, c := range b {
		if c < 0x80 {
			n++
		}
	}
	return n
}

// eachField calls do for every field of a message.
func eachField(b []byte, do func(field) error) error {
	for len(b) > 0 {
		f, ok := nextField(b)
		if !ok {
			return fmt.Errorf("a record that does not fit")
		}
		b = b[f.size:]
		if err := do(f); err != nil {
			return err
		}
	}
	return nil
}

// number is the value of a varint; 0 of anything else.
func (f field) number() uint64 {
	v, n := binary.Uvarint(f.data)
	if n != len(f.data) {
		return 0
	}
	return v
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
