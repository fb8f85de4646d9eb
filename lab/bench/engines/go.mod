module github.com/gocasebook/casebook/lab/bench/engines

go 1.26.0

require (
	connectrpc.com/connect v1.16.2
	github.com/gocasebook/casebook v0.0.0
	github.com/gocasebook/casebook/app v0.0.0
	github.com/google/pprof v0.0.0-20261016150608-1facf8f91b50
	github.com/grafana/pyroscope/api v1.2.0
	google.golang.org/protobuf v1.36.12
)

require (
	github.com/gorilla/mux v1.8.0 // indirect
	github.com/planetscale/vtprotobuf v0.6.1-0.20240319094008-0393e58bdf10 // indirect
	golang.org/x/net v0.61.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/text v0.43.0 // indirect
	google.golang.org/genproto/googleapis/rpc v0.0.0-20260817212433-ac3dfec99bb1 // indirect
	google.golang.org/grpc v1.85.0 // indirect
)

replace (
	github.com/gocasebook/casebook => ../../..
	github.com/gocasebook/casebook/app => ../../../app
	github.com/gocasebook/casebook/remedy => ../../../remedy
)
