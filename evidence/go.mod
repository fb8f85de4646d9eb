module github.com/gocasebook/casebook/evidence

go 1.25.0

require (
	github.com/gocasebook/casebook v0.0.0
	github.com/google/pprof v0.0.0-20260906184651-6331bc6350fe
	github.com/klauspost/compress v1.20.3
)

replace github.com/gocasebook/casebook => ../
