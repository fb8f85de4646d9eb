package main

import "github.com/cockroachdb/apd/v3"

func work() func() {
	c := apd.BaseContext.WithPrecision(20)
	x, y, d := apd.New(123456789, -4), apd.New(7, 0), new(apd.Decimal)
	return func() {
		_, err := c.Quo(d, x, y)
		check(err)
		_, err = c.Quo(d, y, x)
		check(err)
	}
}
