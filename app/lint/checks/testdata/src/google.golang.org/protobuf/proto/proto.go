// Package proto stands for google.golang.org/protobuf/proto.
package proto

type Message interface{ ProtoReflect() }

func Marshal(m Message) ([]byte, error)   { return nil, nil }
func Unmarshal(b []byte, m Message) error { return nil }
func Clone(m Message) Message             { return m }
