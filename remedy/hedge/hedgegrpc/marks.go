package hedgegrpc

import (
	"strings"
	"sync"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
)

// marks know which methods their .proto declares to be idempotent.
type marks struct {
	files *protoregistry.Files
	known sync.Map // method → bool; of methods that files has, so it does not grow beyond them
}

// idempotent looks up a method such as "/users.Users/Get".
func (m *marks) idempotent(method string) bool {
	if known, ok := m.known.Load(method); ok {
		return known.(bool)
	}
	full := strings.ReplaceAll(strings.TrimPrefix(method, "/"), "/", ".")
	d, err := m.files.FindDescriptorByName(protoreflect.FullName(full))
	if err != nil { // not linked in: a generic client
		return false
	}
	opts, _ := d.Options().(*descriptorpb.MethodOptions)
	yes := opts.GetIdempotencyLevel() != descriptorpb.MethodOptions_IDEMPOTENCY_UNKNOWN
	m.known.Store(method, yes)
	return yes
}
