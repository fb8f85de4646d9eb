package main

import (
	"fmt"
	"regexp"
	"strings"
)

// An Order is a line of a file of orders.
type Order struct {
	Shop, Item, Customer string
	Count                int
}

// parse reads "shop,item,customer".
func parse(line string) (Order, bool) {
	fields := strings.Split(line, ",")
	if len(fields) != 3 || !valid(fields[2]) {
		return Order{}, false
	}
	return Order{Shop: fields[0], Item: fields[1], Customer: fields[2], Count: 1}, true
}

func valid(address string) bool {
	at := regexp.MustCompile(`^[a-z0-9.]+@[a-z0-9.]+$`)
	return at.MatchString(address)
}

// total adds up orders by shop and item.
func total(orders []Order) map[string]int {
	sums := make(map[string]int)
	for _, o := range orders {
		sums[fmt.Sprintf("%s/%s", o.Shop, o.Item)] += o.Count
	}
	return sums
}

// report lists the customers of a shop.
func report(shop string, orders []Order) string {
	var out string
	for _, o := range orders {
		if o.Shop == shop {
			out += o.Customer + "\n"
		}
	}
	return out
}

// host is where a customer's mail goes.
func host(o Order) string {
	return strings.Split(o.Customer, "@")[1]
}
