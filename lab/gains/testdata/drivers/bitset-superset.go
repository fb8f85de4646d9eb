package main

import "github.com/bits-and-blooms/bitset"

func work() func() {
	all, some := bitset.New(10000), bitset.New(10000)
	for i := uint(0); i < 10000; i += 3 {
		all.Set(i)
		if i%2 == 0 {
			some.Set(i)
		}
	}
	return func() { sink = all.IsSuperSet(some) }
}
