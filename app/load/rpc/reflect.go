package rpc

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/encoding"
	_ "google.golang.org/grpc/encoding/proto" // the codec that reflection is spoken with
	"google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
)

// maxFiles bounds the descriptors that a server may send.
const maxFiles = 5000

// The two versions of the reflection service have the same messages, number by number, so one client speaks both.
const (
	reflectionV1      = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"
	reflectionV1Alpha = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"
)

// reflectFiles asks a server for the file of a service and all that it imports.
func reflectFiles(ctx context.Context, conn *grpc.ClientConn, service string) (*protoregistry.Files, error) {
	r, err := openReflection(ctx, conn, reflectionV1)
	if err == nil {
		var files *protoregistry.Files
		if files, err = r.files(service); err == nil {
			return files, nil
		}
	}
	if status.Code(err) == codes.Unimplemented {
		if r, err = openReflection(ctx, conn, reflectionV1Alpha); err == nil {
			var files *protoregistry.Files
			if files, err = r.files(service); err == nil {
				return files, nil
			}
		}
	}
	switch status.Code(err) {
	case codes.Unimplemented:
		return nil,
			errors.New("the server has no reflection: give its descriptors with --protoset FILE (protoc " +
				"--include_imports --descriptor_set_out=FILE)")
	case codes.Unavailable:
		return nil,
			fmt.Errorf("cannot ask the server for its methods: %s: is it running, and is it grpc:// or grpcs:// (TLS)?",
				status.Convert(err).Message())
	}
	return nil, fmt.Errorf("asking the server for its methods: %w", err)
}

// A reflection is a conversation with a server's reflection service.
type reflection struct{ stream grpc.ClientStream }

func openReflection(ctx context.Context, conn *grpc.ClientConn, method string) (reflection, error) {
	stream, err := conn.NewStream(ctx, &grpc.StreamDesc{ClientStreams: true, ServerStreams: true}, method,
		grpc.ForceCodecV2(encoding.GetCodecV2("proto")))
	return reflection{stream}, err
}

// ask sends one question and waits for its answer.
func (r reflection) ask(q *grpc_reflection_v1.ServerReflectionRequest) (*grpc_reflection_v1.ServerReflectionResponse,
	error) {
	sendErr := r.stream.SendMsg(q) // io.EOF: the stream is broken, and RecvMsg says how
	var a grpc_reflection_v1.ServerReflectionResponse
	if err := r.stream.RecvMsg(&a); err != nil {
		return nil, err
	}
	return &a, sendErr
}

// files gathers the file of a service and its imports, and ends the conversation.
func (r reflection) files(service string) (*protoregistry.Files, error) {
	first, err := r.ask(&grpc_reflection_v1.ServerReflectionRequest{
		MessageRequest: &grpc_reflection_v1.ServerReflectionRequest_FileContainingSymbol{
			FileContainingSymbol: service}})
	if err != nil {
		return nil, err
	}
	if e := first.GetErrorResponse(); e != nil {
		return nil, r.noService(service, e)
	}
	got := make(map[string]*descriptorpb.FileDescriptorProto)
	missing, err := gather(got, first)
	for err == nil && len(missing) > 0 {
		var next []string
		for _, name := range missing {
			var answer *grpc_reflection_v1.ServerReflectionResponse
			if answer, err = r.ask(&grpc_reflection_v1.ServerReflectionRequest{
				MessageRequest: &grpc_reflection_v1.ServerReflectionRequest_FileByFilename{
					FileByFilename: name}}); err != nil {
				break
			}
			var more []string
			if more, err = gather(got, answer); err != nil {
				break
			}
			if got[name] == nil {
				err = wellKnown(got, name)
			}
			next = append(next, more...)
		}
		missing = without(next, got)
	}
	if err != nil {
		return nil, err
	}
	_ = r.stream.CloseSend() // the server's last word is not awaited: the context ends it
	return link(got)
}

// gather keeps the files of an answer and names the imports that are missing still.
func gather(got map[string]*descriptorpb.FileDescriptorProto, a *grpc_reflection_v1.ServerReflectionResponse) ([]string,
	error) {
	var imports []string
	for _, raw := range a.GetFileDescriptorResponse().GetFileDescriptorProto() {
		var f descriptorpb.FileDescriptorProto
		if err := proto.Unmarshal(raw, &f); err != nil {
			return nil, fmt.Errorf("reading a descriptor: %w", err)
		}
		if got[f.GetName()] = &f; len(got) > maxFiles {
			return nil, fmt.Errorf("the server sends more than %d files: give --protoset FILE", maxFiles)
		}
		imports = append(imports, f.Dependency...)
	}
	return without(imports, got), nil
}

// without returns the names that are not in got, each once.
func without(names []string, got map[string]*descriptorpb.FileDescriptorProto) []string {
	var out []string
	seen := make(map[string]bool)
	for _, n := range names {
		if got[n] == nil && !seen[n] {
			out = append(out, n)
		}
		seen[n] = true
	}
	return out
}

// wellKnown takes a file that the server does not have from those that every Go program with protobuf has.
func wellKnown(got map[string]*descriptorpb.FileDescriptorProto, name string) error {
	f, err := protoregistry.GlobalFiles.FindFileByPath(name)
	if err != nil {
		return fmt.Errorf("the server does not have %s, which its own files import: give --protoset FILE", name)
	}
	got[name] = protodesc.ToFileDescriptorProto(f)
	return nil
}

func link(got map[string]*descriptorpb.FileDescriptorProto) (*protoregistry.Files, error) {
	var set descriptorpb.FileDescriptorSet
	for _, f := range got {
		set.File = append(set.File, f)
	}
	files, err := protodesc.NewFiles(&set)
	if err != nil {
		return nil, fmt.Errorf("reading the server's descriptors: %w", err)
	}
	return files, nil
}

// noService says which services there are in place of the one asked for.
func (r reflection) noService(service string, e *grpc_reflection_v1.ErrorResponse) error {
	answer, err := r.ask(&grpc_reflection_v1.ServerReflectionRequest{
		MessageRequest: &grpc_reflection_v1.ServerReflectionRequest_ListServices{ListServices: ""}})
	if err != nil || codes.Code(e.GetErrorCode()) != codes.NotFound {
		return fmt.Errorf("it says about %s: %s", service, e.GetErrorMessage())
	}
	var names []string
	for _, s := range answer.GetListServicesResponse().GetService() {
		if protoreflect.FullName(s.GetName()).IsValid() {
			names = append(names, s.GetName())
		}
	}
	return fmt.Errorf("there is no service %s: there is %s", service, strings.Join(orNone(names), ", "))
}
