module github.com/gocasebook/casebook/lab/answers/programs/bids

go 1.26.0
