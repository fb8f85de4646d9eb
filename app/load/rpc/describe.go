package rpc

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
)

// A method turns JSON into its input message.
type method struct {
	input   protoreflect.MessageDescriptor
	types   *dynamicpb.Types
	encoded map[string][]byte // by JSON
	bytes   int               // in encoded
}

// findMethod finds the method of a path, /package.Service/Method, in a protoset or through the server's reflection.
func findMethod(ctx context.Context, conn *grpc.ClientConn, protoset []byte, path string) (*method, error) {
	service, name, ok := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if !ok || service == "" || name == "" || strings.Contains(name, "/") {
		return nil, fmt.Errorf("the path %q names no method: %w", path, errNoMethod)
	}
	files, err := filesOf(ctx, conn, protoset, service)
	if err != nil {
		return nil, err
	}
	found, err := files.FindDescriptorByName(protoreflect.FullName(service))
	if err != nil {
		return nil, fmt.Errorf("there is no service %s: there is %s", service, strings.Join(servicesOf(files), ", "))
	}
	s, ok := found.(protoreflect.ServiceDescriptor)
	if !ok {
		return nil, fmt.Errorf("%s is not a service: there is %s", service, strings.Join(servicesOf(files), ", "))
	}
	m := s.Methods().ByName(protoreflect.Name(name))
	if m == nil {
		return nil, fmt.Errorf("the service %s has no method %s: it has %s",
			service, name, strings.Join(methodsOf(s), ", "))
	}
	if m.IsStreamingClient() || m.IsStreamingServer() {
		return nil, fmt.Errorf("the method %s is a stream: only unary methods can be loaded", m.FullName())
	}
	return newMethod(m.Input(), dynamicpb.NewTypes(files)), nil
}

func newMethod(input protoreflect.MessageDescriptor, types *dynamicpb.Types) *method {
	return &method{input: input, types: types, encoded: make(map[string][]byte)}
}

// filesOf returns the descriptors that a service's may be found in.
func filesOf(ctx context.Context, conn *grpc.ClientConn, protoset []byte, service string) (*protoregistry.Files,
	error) {
	if protoset == nil {
		return reflectFiles(ctx, conn, service)
	}
	var set descriptorpb.FileDescriptorSet
	if err := proto.Unmarshal(protoset, &set); err != nil || len(set.File) == 0 {
		return nil, fmt.Errorf("the protoset is not a FileDescriptorSet (%v): make one with protoc --include_imports "+
			"--descriptor_set_out=FILE", err)
	}
	files, err := protodesc.NewFiles(&set)
	if err != nil {
		return nil, fmt.Errorf("reading the protoset: %w: was it made with --include_imports?", err)
	}
	return files, nil
}

func servicesOf(files *protoregistry.Files) []string {
	var names []string
	files.RangeFiles(func(f protoreflect.FileDescriptor) bool {
		for i := range f.Services().Len() {
			names = append(names, string(f.Services().Get(i).FullName()))
		}
		return true
	})
	slices.Sort(names)
	return orNone(names)
}

func methodsOf(s protoreflect.ServiceDescriptor) []string {
	var names []string
	for i := range s.Methods().Len() {
		names = append(names, string(s.Methods().Get(i).Name()))
	}
	return orNone(names)
}

func orNone(names []string) []string {
	if len(names) == 0 {
		return []string{"none"}
	}
	return names
}

// encode returns JSON as the input message. Nothing is an empty message.
func (m *method) encode(body []byte) ([]byte, error) {
	if len(body) == 0 {
		return []byte{}, nil
	}
	if b, ok := m.encoded[string(body)]; ok {
		return b, nil
	}
	message := dynamicpb.NewMessage(m.input)
	if err := (protojson.UnmarshalOptions{Resolver: m.types}).Unmarshal(body, message); err != nil {
		return nil, fmt.Errorf("the body is not %s as JSON: %w; its fields are %s",
			m.input.FullName(), err, strings.Join(fieldsOf(m.input), ", "))
	}
	b, err := proto.Marshal(message)
	if err != nil {
		return nil, fmt.Errorf("encoding the message: %w", err)
	}
	if size := len(body) + len(b); len(m.encoded) < maxEncoded && m.bytes+size <= maxEncodedBytes {
		m.encoded[string(body)] = b
		m.bytes += size
	}
	return b, nil
}

func fieldsOf(m protoreflect.MessageDescriptor) []string {
	var names []string
	for i := range m.Fields().Len() {
		f := m.Fields().Get(i)
		names = append(names, fmt.Sprintf("%s (%s)", f.JSONName(), f.Kind()))
	}
	return orNone(names)
}
