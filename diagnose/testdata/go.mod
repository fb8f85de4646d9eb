// Recorded evidence of 24 MB, and the programs that it was recorded from. This file keeps them out of the root module's zip, which
// everybody downloads who imports Casebook: go leaves folders with a go.mod out of it. The tests read the files by path.
module github.com/gocasebook/casebook/diagnose/testdata

go 1.25.0
