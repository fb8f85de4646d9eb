// What CI runs. This file keeps it out of the root module's zip, which everybody downloads who imports Casebook: go leaves
// folders with a go.mod out of it.
module github.com/gocasebook/casebook/.ci

go 1.25.0
