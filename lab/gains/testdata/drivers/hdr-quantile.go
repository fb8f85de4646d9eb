package main

import (
	"math/rand"

	"github.com/HdrHistogram/hdrhistogram-go"
)

func work() func() {
	h := hdrhistogram.New(1, 60000000, 3)
	r := rand.New(rand.NewSource(1))
	for i := 0; i < 100000; i++ {
		check(h.RecordValue(int64(r.ExpFloat64()*20000) + 1))
	}
	return func() {
		sink = h.ValueAtQuantile(50) + h.ValueAtQuantile(90) + h.ValueAtQuantile(99)
	}
}
