package main

import "github.com/shopspring/decimal"

func work() func() {
	var prices []decimal.Decimal
	for i := int64(1); i < 1e15; i *= 7 {
		prices = append(prices, decimal.New(i, -4))
	}
	return func() {
		n := 0
		for _, p := range prices {
			n += p.NumDigits()
		}
		sink = n
	}
}
