package tables

import (
	"fmt"

	"github.com/hamba/avro/v2"

	"github.com/gocasebook/casebook/lab/tables/listing"
)

// avroCodec reads three fields with the writer's schema into a struct that has only those: the package skips the
// others.
func avroCodec(l *listing.Listing) (codec, error) {
	schema, err := avro.Parse(listing.AvroSchema)
	if err != nil {
		return codec{}, fmt.Errorf("parsing the Avro schema: %w", err)
	}
	unmarshal := func(b []byte, v any) error { return avro.Unmarshal(schema, b, v) }
	return codec{
		name:      "Avro",
		encode:    func() ([]byte, error) { return avro.Marshal(schema, l) },
		readAll:   intoListing(unmarshal),
		readBrief: intoBrief(unmarshal),
	}, nil
}
