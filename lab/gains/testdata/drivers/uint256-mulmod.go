package main

import "github.com/holiman/uint256"

func work() func() {
	x := uint256.NewInt(0).SetAllOne()
	y := uint256.NewInt(0).Rsh(x, 3)
	m := uint256.NewInt(0).Rsh(x, 70)
	z := uint256.NewInt(0)
	return func() {
		z.MulMod(x, y, m)
		z.Mod(x, m)
	}
}
