// Pictures of the documentation. This file keeps them out of the root module's zip: go leaves folders with a go.mod out
// of it.
module github.com/gocasebook/casebook/docs/pictures

go 1.25.0
