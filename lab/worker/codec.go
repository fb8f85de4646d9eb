package worker

import (
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/gocasebook/casebook/lab/worker/event"
)

// A codec is protocol buffers. It is used by one goroutine.
type codec interface {
	decode(raw []byte) (*event.Batch, error)
	append(to []byte, b *event.Batch) ([]byte, error)
}

// codecNames are the values of -proto.
var codecNames = []string{"dynamic", "golang", "vtproto"}

func newCodec(name string) (codec, error) {
	switch name {
	case "dynamic":
		return newDynamicCodec(), nil
	case "golang":
		return tableCodec{}, nil
	case "vtproto":
		return vtCodec{}, nil
	}
	return nil, fmt.Errorf("unknown codec %q", name)
}

// A tableCodec is google.golang.org/protobuf with generated messages: it follows tables that it makes of them by
// reflection.
type tableCodec struct{}

func (tableCodec) decode(raw []byte) (*event.Batch, error) {
	b := new(event.Batch)
	return b, proto.Unmarshal(raw, b)
}

func (tableCodec) append(to []byte, b *event.Batch) ([]byte, error) {
	return proto.MarshalOptions{}.MarshalAppend(to, b)
}

// A vtCodec is the code that vtprotobuf has generated.
type vtCodec struct{}

func (vtCodec) decode(raw []byte) (*event.Batch, error) {
	b := new(event.Batch)
	return b, b.UnmarshalVT(raw)
}

func (vtCodec) append(to []byte, b *event.Batch) ([]byte, error) {
	size := b.SizeVT()
	to = slices.Grow(to, size)
	_, err := b.MarshalToSizedBufferVT(to[len(to) : len(to)+size])
	return to[:len(to)+size], err
}
