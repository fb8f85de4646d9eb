package main

import "github.com/holiman/uint256"

func work() func() {
	x := uint256.NewInt(0).SetAllOne()
	y := uint256.NewInt(123456789)
	z := uint256.NewInt(0)
	return func() {
		z.Sqrt(x)
		z.Sqrt(y)
	}
}
