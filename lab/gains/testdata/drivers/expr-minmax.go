package main

import (
	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"
)

func work() func() {
	prices := make([]int, 200)
	for i := range prices {
		prices[i] = i * 37 % 1000
	}
	env := map[string]any{"prices": prices}
	p, err := expr.Compile(`max(prices) - min(prices) > mean(prices)`, expr.Env(env))
	check(err)
	return func() {
		out, err := vm.Run(p, env)
		check(err)
		sink = out
	}
}
