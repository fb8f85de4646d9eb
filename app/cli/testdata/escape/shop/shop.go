package main

import "fmt"

type shop struct {
	stock  map[string]int
	prices []int
	sold   int
}

type item struct {
	name  string
	price int
	count int
}

// order sells some items.
func (s *shop) order(n int) {
	items := pick(n)
	for _, it := range items {
		s.stock[key(n%500, it.name)]++
		s.sold += s.price(it)
	}
}

func pick(n int) []*item {
	var items []*item
	for i := range 8 + n%5 {
		items = append(items, newItem(i))
	}
	return items
}

//go:noinline
func newItem(i int) *item {
	return &item{name: "item", price: 100 + i, count: 1}
}

func key(customer int, name string) string {
	return fmt.Sprintf("%d/%s", customer, name)
}

// price looks through a table.
func (s *shop) price(it *item) int {
	sum := 0
	for i := 0; i < 300; i++ {
		sum += s.prices[(i*it.price)%len(s.prices)]
	}
	return sum + it.price*it.count
}
