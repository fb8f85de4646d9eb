module github.com/gocasebook/casebook/lab/answers/programs/slugs

go 1.26.0
