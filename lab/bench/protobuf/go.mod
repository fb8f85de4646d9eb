module github.com/gocasebook/casebook/lab/bench/protobuf

go 1.26.0

require (
	github.com/gogo/protobuf v1.3.2
	github.com/golang/protobuf v1.3.5
)
