// What experts know of modules, as people write and review it. This file keeps the text out of the root module's zip,
// which has it packed (rows.gz): `cd lab && go run ./known pack` writes that.
module github.com/gocasebook/casebook/diagnose/known/rows

go 1.25.0
