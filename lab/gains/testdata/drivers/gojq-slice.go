package main

import (
	"strings"

	"github.com/itchyny/gojq"
)

func work() func() {
	q, err := gojq.Parse(`[.[] | .[3:9]] | length`)
	check(err)
	code, err := gojq.Compile(q)
	check(err)
	var in []interface{}
	for i := 0; i < 50; i++ {
		in = append(in, strings.Repeat("größe and text ", 10))
	}
	return func() {
		v, _ := code.Run(in).Next()
		sink = v
	}
}
