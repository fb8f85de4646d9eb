package main

import (
	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"
)

type customer struct {
	Name, Country string
	Age           int
}

type request struct {
	Customer customer
	Amount   float64
	Currency string
}

func work() func() {
	p, err := expr.Compile(`Customer.Age > 18 && Amount < 1000 && Currency == "EUR" && Customer.Country in ["DE", "FR"]`)
	check(err)
	env := request{Customer: customer{"Ann", "FR", 33}, Amount: 12.5, Currency: "EUR"}
	return func() {
		out, err := vm.Run(p, env)
		check(err)
		sink = out
	}
}
