// Recorded vitals of services. This file keeps them out of the root module's zip: go leaves folders with a go.mod out of
// it. The tests read the files by path.
module github.com/gocasebook/casebook/rule/testdata/pressure

go 1.25.0
