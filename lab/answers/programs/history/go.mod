module github.com/gocasebook/casebook/lab/answers/programs/history

go 1.26.0
