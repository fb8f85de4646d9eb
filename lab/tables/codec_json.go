package tables

import (
	"encoding/json"

	json2 "github.com/go-json-experiment/json"

	"github.com/gocasebook/casebook/lab/tables/listing"
)

func jsonCodec(l *listing.Listing) codec {
	return codec{
		name:      "JSON",
		encode:    func() ([]byte, error) { return json.Marshal(l) },
		readAll:   intoListing(json.Unmarshal),
		readBrief: intoBrief(json.Unmarshal),
	}
}

func json2Codec(l *listing.Listing) codec {
	unmarshal := func(b []byte, v any) error { return json2.Unmarshal(b, v) }
	return codec{
		name:      "JSON v2",
		encode:    func() ([]byte, error) { return json2.Marshal(l) },
		readAll:   intoListing(unmarshal),
		readBrief: intoBrief(unmarshal),
	}
}

// intoListing reads all with a function such as json.Unmarshal.
func intoListing(unmarshal func([]byte, any) error) func([]byte) (uint64, error) {
	return func(b []byte) (uint64, error) {
		var l listing.Listing
		err := unmarshal(b, &l)
		return l.Sum(), err
	}
}

// intoBrief reads three fields with a function such as json.Unmarshal.
func intoBrief(unmarshal func([]byte, any) error) func([]byte) (uint64, error) {
	return func(b []byte) (uint64, error) {
		var brief listing.Brief
		err := unmarshal(b, &brief)
		return brief.Sum(), err
	}
}
