package jsonroundtrip

import (
	"encoding/json"
	"log"

	"google.golang.org/protobuf/proto"
)

func patch(data []byte) ([]byte, error) {
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil { // want `read into a map and written again`
		return nil, err
	}
	m["seen"] = true
	delete(m, "secret")
	return json.Marshal(m)
}

func indent(data []byte) []byte {
	m := map[string]interface{}{}
	json.Unmarshal(data, &m) // want `read into a map and written again`
	out, _ := json.MarshalIndent(m, "", "  ")
	return out
}

type order struct{ ID, Name string }

func clone(o *order) (*order, error) {
	data, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	var out order
	err = json.Unmarshal(data, &out) // want `copies a value by way of JSON`
	return &out, err
}

func toMap(o order) map[string]any {
	b, _ := json.Marshal(o)
	var m map[string]any
	json.Unmarshal(b, &m) // want `copies a value by way of JSON`
	return m
}

type trace struct{ spans []string }

func (*trace) ProtoReflect() {}

func copyTrace(t *trace) (*trace, error) {
	data, err := proto.Marshal(t)
	if err != nil {
		return nil, err
	}
	out := &trace{}
	err = proto.Unmarshal(data, out) // want `this copies a message by encoding and decoding it: use proto.Clone`
	return out, err
}

// What follows is fine.

func raw(data []byte) ([]byte, error) {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, err
	}
	return json.Marshal(m)
}

func reads(data []byte) any {
	var m map[string]any
	json.Unmarshal(data, &m)
	return m["id"]
}

func elsewhere(data []byte, f func(map[string]any)) []byte {
	var m map[string]any
	json.Unmarshal(data, &m)
	f(m)
	out, _ := json.Marshal(m)
	return out
}

func logged(o order) (out order) {
	b, _ := json.Marshal(o)
	log.Printf("%s", b)
	json.Unmarshal(b, &out)
	return out
}

func decode(v any) (out order, err error) {
	b, err := json.Marshal(v)
	if err != nil {
		return out, err
	}
	err = json.Unmarshal(b, &out)
	return out, err
}

func typed(data []byte) []byte {
	var o order
	json.Unmarshal(data, &o)
	out, _ := json.Marshal(o)
	return out
}

type traceV2 struct{ spans []string }

func (*traceV2) ProtoReflect() {}

func newer(t *trace) (*traceV2, error) { // another type
	data, err := proto.Marshal(t)
	if err != nil {
		return nil, err
	}
	out := &traceV2{}
	return out, proto.Unmarshal(data, out)
}

func stored(t *trace, files chan []byte) error {
	data, err := proto.Marshal(t)
	files <- data
	if err != nil {
		return err
	}
	return proto.Unmarshal(data, &trace{})
}
