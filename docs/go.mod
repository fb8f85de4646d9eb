// The documentation. This file keeps it out of the root module's zip, which everybody downloads who imports Casebook: go
// leaves folders with a go.mod out of it. People read it in the repository, and the tests by path.
module github.com/gocasebook/casebook/docs

go 1.25.0
