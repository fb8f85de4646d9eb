// Package quotespb is generated from quotes.proto.
package quotespb

//go:generate protoc --go_out=. --go_opt=paths=source_relative --go-grpc_out=. --go-grpc_opt=paths=source_relative quotes.proto
