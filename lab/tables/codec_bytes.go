package tables

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/gocasebook/casebook/lab/tables/listing"
)

const codecBytesTitle = "What the codecs allocate: to write, to read all, to read three fields"

// codecBytesTable counts what an operation allocates. It is nearly the same each time, so that short turns do.
func codecBytesTable(ctx context.Context, p pace) (Table, error) {
	cs, err := codecs(listing.Example())
	if err != nil {
		return Table{}, err
	}
	all, err := pace{turn: min(p.turn, 20*time.Millisecond), turns: min(p.turns, 5)}.codecGarbage(ctx, cs)
	if err != nil {
		return Table{}, err
	}
	t := Table{
		Name:    "codecbytes",
		Title:   codecBytesTitle,
		Text:    "Bytes on the heap for one operation on the offer of the table before, and objects to read all of it.",
		Columns: []string{"format", "write", "read all", "objects", "three fields"},
		Said: "The article, for all fields and for few: Avro (linkedin/goavro) 11,257 bytes, JSON 14,145 and 11,073, " +
			"FlatBuffers 0.",
		Holds: codecBytesHold(all),
		Note: "Strings are most of what a reader makes. FlatBuffers leaves them where they are; its object is the " +
			"reader.",
	}
	for _, g := range all {
		t.Rows = append(t.Rows, []string{g.codec, size(g.write.bytes), size(g.all.bytes), amount(g.all.allocs),
			size(g.brief.bytes)})
	}
	return t, nil
}

// A garbage is what a codec allocates.
type garbage struct {
	codec             string
	write, all, brief cost
}

func (p pace) codecGarbage(ctx context.Context, cs []codec) ([]garbage, error) {
	all := make([]garbage, len(cs))
	for i, c := range cs {
		b, err := c.encode()
		if err != nil {
			return nil, err
		}
		b, all[i].codec = slices.Clone(b), c.name
		for _, of := range []struct {
			run func(n int) (uint64, error)
			in  *cost
		}{{c.write, &all[i].write}, {read(c.readAll, b), &all[i].all}, {read(c.readBrief, b), &all[i].brief}} {
			costs, err := p.measure(ctx, []contestant{{c.name, of.run}})
			if err != nil {
				return nil, err
			}
			of.in.bytes = middleOf(costs[0], func(c cost) float64 { return c.bytes }).median
			of.in.allocs = middleOf(costs[0], func(c cost) float64 { return c.allocs }).median
		}
	}
	return all, nil
}

// codecBytesHold says who makes the least and the most, in the order of the article.
func codecBytesHold(all []garbage) string {
	of := func(name string) cost {
		i := slices.IndexFunc(all, func(g garbage) bool { return g.codec == name })
		if i < 0 {
			return cost{}
		}
		return all[i].all
	}
	flat, json, avro := of("FlatBuffers"), of("JSON"), of("Avro, maps")
	said := "The order is another"
	switch {
	case flat.bytes <= json.bytes && flat.bytes <= avro.bytes && json.bytes >= avro.bytes:
		said = "Still true"
	case flat.bytes <= json.bytes && flat.bytes <= avro.bytes:
		said = "True of FlatBuffers, which makes the least; linkedin/goavro makes more than encoding/json"
	}
	return fmt.Sprintf("%s: to read all %s by FlatBuffers, %s by encoding/json, %s by linkedin/goavro.", said,
		size(flat.bytes), size(json.bytes), size(avro.bytes))
}
