package tables

import (
	"encoding/json"

	"github.com/bytedance/sonic"
	json2 "github.com/go-json-experiment/json"
	jsoniter "github.com/json-iterator/go"

	"github.com/gocasebook/casebook/lab/tables/listing"
)

func jsonCodec(l *listing.Listing) codec { return jsonForm("JSON", l, json.Marshal, json.Unmarshal) }

func json2Codec(l *listing.Listing) codec {
	return jsonForm("JSON v2", l, func(v any) ([]byte, error) { return json2.Marshal(v) },
		func(b []byte, v any) error { return json2.Unmarshal(b, v) })
}

func jsoniterCodec(l *listing.Listing) codec {
	api := jsoniter.ConfigCompatibleWithStandardLibrary
	return jsonForm("json-iterator", l, api.Marshal, api.Unmarshal)
}

func sonicCodec(l *listing.Listing) codec {
	return jsonForm("sonic", l, sonic.Marshal, sonic.Unmarshal)
}

// jsonForm is a library with functions such as encoding/json's.
func jsonForm(name string, l *listing.Listing, marshal func(any) ([]byte, error),
	unmarshal func([]byte, any) error) codec {
	return codec{
		name:      name,
		encode:    func() ([]byte, error) { return marshal(l) },
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
