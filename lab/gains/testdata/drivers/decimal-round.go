package main

import "github.com/shopspring/decimal"

func work() func() {
	var prices []decimal.Decimal
	for i := int64(0); i < 100; i++ {
		prices = append(prices, decimal.New(i*199+99, -2))
	}
	return func() {
		total := decimal.Zero
		for _, p := range prices {
			total = total.Add(p.Abs().Round(2))
		}
		sink = total
	}
}
