package main

import "github.com/itchyny/gojq"

func work() func() {
	q, err := gojq.Parse(`[.[] | select(test("^[a-z]+-[0-9]+$"))] | length`)
	check(err)
	code, err := gojq.Compile(q)
	check(err)
	var in []interface{}
	for _, s := range []string{"item-1", "item-2", "Other", "thing-33", "x", "last-4"} {
		in = append(in, s)
	}
	return func() {
		v, _ := code.Run(in).Next()
		sink = v
	}
}
