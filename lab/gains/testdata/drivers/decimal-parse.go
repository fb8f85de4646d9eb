package main

import "github.com/shopspring/decimal"

func work() func() {
	prices := []string{"0.99", "12.50", "1234.5678", "1000000", "-3.1", "19.99", "0.000123", "77"}
	return func() {
		for _, s := range prices {
			d, err := decimal.NewFromString(s)
			check(err)
			sink = d
		}
	}
}
