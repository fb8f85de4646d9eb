package tables

import (
	"context"

	"github.com/gocasebook/casebook/lab/tables/listing"
)

const codecsTitle = "JSON, Protobuf, Avro, FlatBuffers: write, read all, read three fields"

// A codec writes the example listing and reads it in one format.
type codec struct {
	name string
	// encode writes the listing. The bytes may be used until the next call.
	encode func() ([]byte, error)
	// readAll and readBrief read an encoded listing, all of it or three fields, and return the sums of package listing.
	readAll, readBrief func(b []byte) (uint64, error)
}

func codecsTable(ctx context.Context, p pace) (Table, error) {
	t := Table{
		Name:    "codecs",
		Title:   codecsTitle,
		Text:    "CPU time, garbage collection included, for an offer of a classified-ads site: 13 fields, a nested record, lists of 5 strings, 4 photos and 6 attributes. \"Three fields\" reads an id, a price and a phone number, into a type that declares only these where the package works that way. Objects: those on the heap that \"all\" makes.",
		Columns: []string{"format", "bytes", "write", "read all", "objects", "three fields"},
		Said: "FlatBuffers' own page (flatbuffers.dev/benchmarks; C++, another record): read all a million times in 0.08 s, Protobuf LITE 302 s, RapidJSON 583 s; " +
			"write 3.2, 185, 650 s; 344, 228, 1475 bytes.",
		Note: "FlatBuffers reads in place: it pays for what is read, and makes nothing. The price is paid by the writer, and by the bytes. Its advantage over Protobuf is far smaller in Go than on that page: " +
			"there the freeing of memory counts, and its strings are read without a copy. Protobuf and Avro skip fields that the reader does not declare; JSON has to scan every byte to find the next one. " +
			"JSON v2 is github.com/go-json-experiment/json, the code of encoding/json/v2, which the standard library of Go 1.26 has only with GOEXPERIMENT=jsonv2.",
	}
	cs, err := codecs(listing.Example())
	if err != nil {
		return Table{}, err
	}
	rows, err := p.measureCodecs(ctx, cs)
	t.Rows = rows
	return t, err
}

// measureCodecs measures what the codecs do, one operation after the other.
func (p pace) measureCodecs(ctx context.Context, cs []codec) ([][]string, error) {
	encoded := make([][]byte, len(cs))
	for i, c := range cs {
		b, err := c.encode()
		if err != nil {
			return nil, err
		}
		encoded[i] = append([]byte{}, b...)
	}
	writes, err := p.measure(ctx, contestantsOf(cs, func(i int) func(int) (uint64, error) { return cs[i].write }))
	if err != nil {
		return nil, err
	}
	alls, err := p.measure(ctx, contestantsOf(cs, func(i int) func(int) (uint64,
		error) {
		return read(cs[i].readAll, encoded[i])
	}))
	if err != nil {
		return nil, err
	}
	briefs, err := p.measure(ctx, contestantsOf(cs,
		func(i int) func(int) (uint64, error) { return read(cs[i].readBrief, encoded[i]) }))
	if err != nil {
		return nil, err
	}
	var rows [][]string
	for i, c := range cs {
		objects := middleOf(alls[i], func(c cost) float64 { return c.allocs })
		rows = append(rows, []string{c.name, whole(len(encoded[i])), middleOf(writes[i], cpuOf).timed(),
			middleOf(alls[i], cpuOf).timed(),
			whole(int(objects.median + 0.5)), middleOf(briefs[i], cpuOf).timed()})
	}
	return rows, nil
}

// contestantsOf gives each codec something to run.
func contestantsOf(cs []codec, run func(i int) func(n int) (uint64, error)) []contestant {
	contestants := make([]contestant, len(cs))
	for i, c := range cs {
		contestants[i] = contestant{c.name, run(i)}
	}
	return contestants
}

// write encodes n times. Its result is the sum of what can be read back of the last.
func (c codec) write(n int) (uint64, error) {
	var b []byte
	for range n {
		var err error
		if b, err = c.encode(); err != nil {
			return 0, err
		}
	}
	return c.readAll(b)
}

// read reads the same bytes n times.
func read(from func([]byte) (uint64, error), b []byte) func(n int) (uint64, error) {
	return func(n int) (uint64, error) {
		var total uint64
		for range n {
			sum, err := from(b)
			if err != nil {
				return 0, err
			}
			total += sum
		}
		return total, nil
	}
}

// codecs are the contestants for one listing.
func codecs(l listing.Listing) ([]codec, error) {
	avro, err := avroCodec(&l)
	if err != nil {
		return nil, err
	}
	return []codec{jsonCodec(&l), json2Codec(&l), protobufCodec(&l), avro, flatCodec(&l)}, nil
}
