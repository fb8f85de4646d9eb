module github.com/gocasebook/casebook/lab/answers/programs/parcels

go 1.26.0
