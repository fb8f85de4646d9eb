module github.com/gocasebook/casebook/remedy

go 1.25.0

require github.com/gocasebook/casebook v0.0.0

replace github.com/gocasebook/casebook => ../
