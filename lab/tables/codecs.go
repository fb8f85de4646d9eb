package tables

import (
	"context"
	"fmt"

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
		Name:  "codecs",
		Title: codecsTitle,
		Text: "CPU time, garbage collection included, for an offer of a classified-ads site: 13 fields, a nested " +
			"record, lists of 5 strings, 4 photos and 6 attributes. \"Three fields\" reads an id, a price and a " +
			"phone number, into a type that declares only these where the package works that way. Objects: those on " +
			"the heap that \"all\" makes.",
		Columns: []string{"format", "bytes", "write", "read all", "objects", "three fields"},
		Said: "FlatBuffers' own page (flatbuffers.dev/benchmarks; C++, another record): read all a million times in " +
			"0.08 s, Protobuf LITE 302 s, RapidJSON 583 s; write 3.2, 185, 650 s; 344, 228, 1475 bytes.",
		Note: "FlatBuffers reads in place: it pays for what is read, and makes nothing. The price is paid by the " +
			"writer, and by the bytes. Its advantage over Protobuf is far smaller in Go than on that page: there the " +
			"freeing of memory counts, and its strings are read without a copy. Protobuf and Avro skip fields that " +
			"the reader does not declare; JSON has to scan every byte to find the next one. JSON v2 is " +
			"github.com/go-json-experiment/json, the code of encoding/json/v2, which the standard library of Go 1.26 " +
			"has only with GOEXPERIMENT=jsonv2. sonic makes machine code at run time, on amd64 and " +
			"arm64. \"Avro, maps\" is linkedin/goavro, which the article used; " +
			"\"Avro\" is hamba/avro. \"By name\" is FlatBuffers with a schema that is read at run time: what the " +
			"article's dynobuffers does, which the module proxy does not serve. Typed has a getter for each type, " +
			"untyped one for all, whose values are interfaces.",
	}
	cs, err := codecs(listing.Example())
	if err != nil {
		return Table{}, err
	}
	read, err := p.measureCodecs(ctx, cs, &t)
	if err != nil {
		return Table{}, err
	}
	t.Holds = codecsHolds(read)
	return t, nil
}

// A codecRead is what reading with a codec took, in ns.
type codecRead struct{ all, brief float64 }

// codecsHolds compares the libraries of the article in its order.
func codecsHolds(read map[string]codecRead) string {
	flat, avro, json := read["FlatBuffers"], read["Avro, maps"], read["JSON"]
	order := func(flat, avro, json float64) string {
		said := "is another today"
		if flat <= avro && avro <= json {
			said = "holds"
		}
		return fmt.Sprintf("%s (%s, %s, %s)", said, duration(flat), duration(avro), duration(json))
	}
	return fmt.Sprintf("The article's order, FlatBuffers, linkedin/goavro, encoding/json (1.1, 23 and 87 µs for all "+
		"fields, 20 ns, 19 and 84 µs for few), %s for all fields, and %s for three. hamba/avro, which reads into "+
		"structs and skips what they lack, takes %s and %s.", order(flat.all, avro.all, json.all),
		order(flat.brief, avro.brief, json.brief), duration(read["Avro"].all), duration(read["Avro"].brief))
}

// measureCodecs measures what the codecs do, one operation after the other, and adds a row for each to the table.
func (p pace) measureCodecs(ctx context.Context, cs []codec, t *Table) (map[string]codecRead, error) {
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
	times := make(map[string]codecRead)
	for i, c := range cs {
		objects := middleOf(alls[i], func(c cost) float64 { return c.allocs })
		all, brief := middleOf(alls[i], cpuOf), middleOf(briefs[i], cpuOf)
		times[c.name] = codecRead{all: all.median, brief: brief.median}
		t.Rows = append(t.Rows, []string{c.name, whole(len(encoded[i])), middleOf(writes[i], cpuOf).timed(),
			all.timed(),
			whole(int(objects.median + 0.5)), brief.timed()})
	}
	return times, nil
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
	maps, err := goavroCodec(&l)
	if err != nil {
		return nil, err
	}
	return []codec{jsonCodec(&l), json2Codec(&l), jsoniterCodec(&l), sonicCodec(&l), protobufCodec(&l), avro, maps,
		flatCodec(&l), flatNamedCodec(&l, true), flatNamedCodec(&l, false)}, nil
}
