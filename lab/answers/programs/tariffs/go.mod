module github.com/gocasebook/casebook/lab/answers/programs/tariffs

go 1.26.0
