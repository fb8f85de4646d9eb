// Package profilespb is generated from profiles.proto.
package profilespb

//go:generate protoc --go_out=. --go_opt=paths=source_relative --go-grpc_out=. --go-grpc_opt=paths=source_relative profiles.proto
