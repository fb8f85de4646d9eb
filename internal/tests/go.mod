module github.com/gocasebook/casebook/internal/tests

go 1.25.0

require (
	github.com/gocasebook/casebook v0.0.0
	github.com/gocasebook/casebook/remedy v0.0.0
)

require github.com/google/pprof v0.0.0-20260906184651-6331bc6350fe

replace (
	github.com/gocasebook/casebook => ../../
	github.com/gocasebook/casebook/remedy => ../../remedy
)
