package main

import "github.com/RoaringBitmap/roaring/v2"

func work() func() {
	a, b := roaring.New(), roaring.New()
	for i := uint32(0); i < 400; i++ {
		a.Add(i << 17)
		b.Add(i<<17 | 1<<16)
	}
	return func() {
		r := a.Clone()
		r.Or(b)
		sink = r
	}
}
