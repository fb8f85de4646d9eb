module github.com/gocasebook/casebook/remedy/hedge/bench

go 1.25.0

require (
	github.com/cristalhq/hedgedhttp v0.9.1
	github.com/failsafe-go/failsafe-go v0.9.8
	github.com/gocasebook/casebook/remedy v0.0.0
)

require (
	github.com/bits-and-blooms/bitset v1.24.4 // indirect
	github.com/influxdata/tdigest v0.0.1 // indirect
)

replace (
	github.com/gocasebook/casebook => ../../..
	github.com/gocasebook/casebook/remedy => ../../
)
