// A pricing service with the same two million live objects that reuses its buffers: the collector has nothing to do.
package main

import (
	"sync"

	"github.com/gocasebook/casebook/diagnose/testdata/programs/service"
)

// A product is linked into a tree.
type product struct {
	id          uint64
	price       int64
	left, right *product
}

func grow(depth int, id uint64) *product {
	if depth == 0 {
		return nil
	}
	return &product{id: id, price: int64(id % 997), left: grow(depth-1, 2*id), right: grow(depth-1, 2*id+1)}
}

func (p *product) find(id uint64) int64 {
	sum := int64(0)
	for p != nil {
		sum += p.price
		if id&1 == 0 {
			p = p.left
		} else {
			p = p.right
		}
		id >>= 1
	}
	return sum
}

// quote answers one request in a buffer of the pool.
func quote(root *product, i uint64) {
	b := pool.Get().(*[]byte)
	for n := range uint64(20) {
		(*b)[n*512] = byte(root.find(i*2654435761 + n))
	}
	sink(b)
	pool.Put(b)
}

func main() {
	root := grow(21, 1)
	go service.Load(30_000, func(i int) { quote(root, uint64(i)) })
	service.Run()
	sink(root)
}

var pool = sync.Pool{New: func() any { b := make([]byte, 32<<10); return &b }}

//go:noinline
func sink(any) {}
