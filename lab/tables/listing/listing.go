// Package listing is the record that package tables encodes: an offer of a classified-ads site, with what such a record
// has: numbers, strings of some bytes and of hundreds, a nested record, lists of strings and of records.
//
// The same fields stand in listing.proto, listing.fbs and listing.avsc. The packages pb and fb below are generated from
// them, by protoc 3.21.12 with protoc-gen-go of the version in app/go.mod (found in $PATH), and by flatc 2.0.8:
// Debian's packages protobuf-compiler and flatbuffers-compiler.
package listing

//go:generate protoc --go_out=. --go_opt=module=github.com/gocasebook/casebook/lab/tables/listing listing.proto
//go:generate flatc --go --go-namespace fb listing.fbs
//go:generate gofmt -s -w fb

import _ "embed"

// AvroSchema is that of a Listing.
//
//go:embed listing.avsc
var AvroSchema string

// FlatSchema is FlatBuffers' schema, for who reads it at run time.
//
//go:embed listing.fbs
var FlatSchema string

// A Listing is one offer.
type Listing struct {
	ID          int64       `json:"id" avro:"id"`
	Title       string      `json:"title" avro:"title"`
	Description string      `json:"description" avro:"description"`
	Price       int64       `json:"price" avro:"price"` // in hundredths
	Currency    string      `json:"currency" avro:"currency"`
	Seller      Seller      `json:"seller" avro:"seller"`
	Tags        []string    `json:"tags" avro:"tags"`
	Photos      []Photo     `json:"photos" avro:"photos"`
	Attributes  []Attribute `json:"attributes" avro:"attributes"`
	Created     int64       `json:"created" avro:"created"` // ms since 1970
	Latitude    float64     `json:"latitude" avro:"latitude"`
	Longitude   float64     `json:"longitude" avro:"longitude"`
	Active      bool        `json:"active" avro:"active"`
}

// A Seller is who offers.
type Seller struct {
	ID       int64   `json:"id" avro:"id"`
	Name     string  `json:"name" avro:"name"`
	Phone    string  `json:"phone" avro:"phone"`
	Rating   float64 `json:"rating" avro:"rating"`
	Verified bool    `json:"verified" avro:"verified"`
}

// A Photo shows what is offered.
type Photo struct {
	URL    string `json:"url" avro:"url"`
	Width  int32  `json:"width" avro:"width"`
	Height int32  `json:"height" avro:"height"`
}

// An Attribute is one property of what is offered.
type Attribute struct {
	Name  string `json:"name" avro:"name"`
	Value string `json:"value" avro:"value"`
}

// A Brief is a Listing for somebody who needs three of its fields.
type Brief struct {
	ID     int64   `json:"id" avro:"id"`
	Price  int64   `json:"price" avro:"price"`
	Seller Contact `json:"seller" avro:"seller"`
}

// A Contact is a Seller for somebody who wants to call.
type Contact struct {
	Phone string `json:"phone" avro:"phone"`
}
