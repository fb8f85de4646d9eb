module github.com/gocasebook/casebook/lab/bench/holmes

go 1.26.0

require (
	github.com/gocasebook/casebook v0.0.0
	github.com/gocasebook/casebook/app v0.0.0
	github.com/gocasebook/casebook/holmes v0.0.0
	github.com/google/pprof v0.0.0-20261016150608-1facf8f91b50
	github.com/shirou/gopsutil v3.20.11+incompatible
	golang.org/x/sync v0.24.0
	mosn.io/holmes v1.0.2
	mosn.io/pkg v0.0.0-20211217101631-d914102d1baf
)

require (
	github.com/HdrHistogram/hdrhistogram-go v1.4.0 // indirect
	github.com/StackExchange/wmi v0.0.0-20190523213315-cbe66965904d // indirect
	github.com/aclements/go-moremath v0.0.0-20210112150236-f10218a38794 // indirect
	github.com/go-ole/go-ole v1.2.4 // indirect
	github.com/hashicorp/go-syslog v1.0.0 // indirect
	github.com/rcrowley/go-metrics v0.0.0-20200313005456-10cdbea86bc0 // indirect
	golang.org/x/perf v0.0.0-20260908200009-22c9c6c9d4da // indirect
	golang.org/x/sys v0.49.0 // indirect
	gopkg.in/natefinch/lumberjack.v2 v2.0.0 // indirect
	mosn.io/api v0.0.0-20210204052134-5b9a826795fd // indirect
)

replace (
	github.com/gocasebook/casebook => ../../..
	github.com/gocasebook/casebook/app => ../../../app
	github.com/gocasebook/casebook/holmes => ../../../holmes
	github.com/gocasebook/casebook/remedy => ../../../remedy
)
