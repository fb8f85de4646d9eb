package main

import "github.com/samber/lo"

func work() func() {
	ids := make([]int, 5000)
	return func() {
		chunks := lo.Chunk(ids, 100)
		sink = lo.Flatten(chunks)
	}
}
