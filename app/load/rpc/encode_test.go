package rpc

import (
	"fmt"
	"strings"
	"testing"

	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"
)

// TestEncodeKeepsLittle: bodies of a template are all different and may be large. The memory that keeps them is
// bounded.
func TestEncodeKeepsLittle(t *testing.T) {
	m := newMethod((&grpc_health_v1.HealthCheckRequest{}).ProtoReflect().Descriptor(),
		dynamicpb.NewTypes(protoregistry.GlobalFiles))
	long := strings.Repeat("x", 8<<20)
	for i := range 10 {
		service := fmt.Sprint(i, long)
		b, err := m.encode([]byte(`{"service": "` + service + `"}`))
		if err != nil {
			t.Fatal(err)
		}
		var got grpc_health_v1.HealthCheckRequest
		if err := proto.Unmarshal(b, &got); err != nil || got.Service != service {
			t.Fatalf("request %d names a service of %d bytes, %v; want %d", i, len(got.Service), err, len(service))
		}
	}
	kept := 0
	for body, b := range m.encoded {
		kept += len(body) + len(b)
	}
	if kept == 0 || kept > maxEncodedBytes {
		t.Errorf("%d bytes are kept of %d bodies, want some, and at most %d", kept, len(m.encoded), maxEncodedBytes)
	}
}
