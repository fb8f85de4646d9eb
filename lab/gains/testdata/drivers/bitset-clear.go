package main

import "github.com/bits-and-blooms/bitset"

func work() func() {
	slots := bitset.New(100000)
	for i := uint(0); i < 90000; i++ {
		slots.Set(i)
	}
	return func() {
		free, ok := slots.NextClear(5)
		if ok {
			slots.Set(free)
			slots.Clear(free)
		}
	}
}
