// Package protobuf decodes and encodes a message of the lab's worker as its article did, before and after: with
// github.com/golang/protobuf of before its second API (v1.3), which follows tables made by reflection, and with the
// code that gogo/protobuf generates.
//
// It is a module of its own because google.golang.org/protobuf, which the lab needs, requires a golang/protobuf that
// is only a shim over itself. What that does, and dynamicpb and vtprotobuf, the benchmark of lab/worker has, on the
// same message.
//
// To generate the code again, with protoc 3.21 and both plugins in the PATH:
//
//	go install github.com/golang/protobuf/protoc-gen-go@v1.3.5
//	go install github.com/gogo/protobuf/protoc-gen-gogofaster@v1.3.2
package protobuf

//go:generate protoc -I ../../worker/event --go_out=paths=source_relative:golang event.proto
//go:generate protoc -I ../../worker/event --gogofaster_out=paths=source_relative:gogo event.proto
//go:generate sed -i "s/^package event$/package golang/" golang/event.pb.go
//go:generate sed -i "s/^package event$/package gogo/" gogo/event.pb.go
//go:generate gofmt -s -w golang gogo
