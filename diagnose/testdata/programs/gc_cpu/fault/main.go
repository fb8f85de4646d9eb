// A pricing service whose answers are made anew for every request beside two million live objects: the collector never
// rests.
package main

import (
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

// quote answers one request with a page made anew.
func quote(root *product, i uint64) {
	price := root.find(i * 2654435761)
	lines := make([][]byte, 0, 64)
	for n := range 64 {
		line := make([]byte, 512)
		line[0] = byte(price) + byte(n)
		lines = append(lines, line)
	}
	sink(lines)
}

func main() {
	root := grow(21, 1)
	go service.Load(20_000, func(i int) { quote(root, uint64(i)) })
	service.Run()
	sink(root)
}

//go:noinline
func sink(any) {}
