package main

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"io"

	"github.com/fxamacker/cbor/v2"
	gojson "github.com/goccy/go-json"
	jsoniter "github.com/json-iterator/go"
	"github.com/vmihailenco/msgpack/v5"
)

// A format is how orders come, and how baskets are copied.
type format struct {
	marshal func(any) ([]byte, error)
	read    func(io.Reader) (order, error)
	clone   func(basket) (basket, error)
}

var formats = map[string]format{
	"json":     {json.Marshal, readJSON, cloneJSON},
	"goccy":    {gojson.Marshal, readGoccy, cloneGoccy},
	"jsoniter": {jsoniter.Marshal, readJSONIter, cloneJSONIter},
	"msgpack":  {msgpack.Marshal, readMsgpack, cloneMsgpack},
	"cbor":     {cbor.Marshal, readCBOR, cloneCBOR},
	"gob":      {marshalGob, readGob, cloneGob},
	"map":      {json.Marshal, readJSON, cloneByMap},
}

func readJSON(body io.Reader) (o order, err error) {
	err = json.NewDecoder(body).Decode(&o)
	return o, err
}

func readGoccy(body io.Reader) (o order, err error) {
	err = gojson.NewDecoder(body).Decode(&o)
	return o, err
}

func readJSONIter(body io.Reader) (o order, err error) {
	err = jsoniter.NewDecoder(body).Decode(&o)
	return o, err
}

func readMsgpack(body io.Reader) (o order, err error) {
	err = msgpack.NewDecoder(body).Decode(&o)
	return o, err
}

func readCBOR(body io.Reader) (o order, err error) {
	err = cbor.NewDecoder(body).Decode(&o)
	return o, err
}

func readGob(body io.Reader) (o order, err error) {
	err = gob.NewDecoder(body).Decode(&o)
	return o, err
}

func marshalGob(v any) ([]byte, error) {
	var buf bytes.Buffer
	err := gob.NewEncoder(&buf).Encode(v)
	return buf.Bytes(), err
}

func cloneJSON(b basket) (own basket, err error) {
	text, err := json.Marshal(b)
	if err != nil {
		return own, err
	}
	err = json.Unmarshal(text, &own)
	return own, err
}

func cloneGoccy(b basket) (own basket, err error) {
	text, err := gojson.Marshal(b)
	if err != nil {
		return own, err
	}
	err = gojson.Unmarshal(text, &own)
	return own, err
}

func cloneJSONIter(b basket) (own basket, err error) {
	text, err := jsoniter.Marshal(b)
	if err != nil {
		return own, err
	}
	err = jsoniter.Unmarshal(text, &own)
	return own, err
}

func cloneMsgpack(b basket) (own basket, err error) {
	raw, err := msgpack.Marshal(b)
	if err != nil {
		return own, err
	}
	err = msgpack.Unmarshal(raw, &own)
	return own, err
}

func cloneCBOR(b basket) (own basket, err error) {
	raw, err := cbor.Marshal(b)
	if err != nil {
		return own, err
	}
	err = cbor.Unmarshal(raw, &own)
	return own, err
}

func cloneGob(b basket) (own basket, err error) {
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(b); err != nil {
		return own, err
	}
	err = gob.NewDecoder(&buf).Decode(&own)
	return own, err
}

// cloneByMap has the basket as a map, to take out what is nobody's business, and then as a struct again.
func cloneByMap(b basket) (own basket, err error) {
	text, err := json.Marshal(b)
	if err != nil {
		return own, err
	}
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		return own, err
	}
	delete(fields, "note")
	if text, err = json.Marshal(fields); err != nil {
		return own, err
	}
	err = json.Unmarshal(text, &own)
	return own, err
}
