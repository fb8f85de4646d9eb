package main

import "github.com/itchyny/gojq"

func work() func() {
	q, err := gojq.Parse(`add | length`)
	check(err)
	code, err := gojq.Compile(q)
	check(err)
	var in []interface{}
	for i := 0; i < 500; i++ {
		in = append(in, "a string of some length")
	}
	return func() {
		v, _ := code.Run(in).Next()
		sink = v
	}
}
