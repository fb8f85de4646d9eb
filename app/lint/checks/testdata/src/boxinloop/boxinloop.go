package boxinloop

import (
	"container/heap"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"sync"
)

type point struct{ x, y int }

func put(any)          {}
func list(args ...any) {}
func typed[T any](T)   {}

func store(m *sync.Map, names []string) {
	for i, n := range names {
		m.Store(n, i) // want `each turn allocates` `each turn allocates`
	}
}

func points(ps []point) {
	for _, p := range ps {
		put(p) // want `each turn allocates`
	}
}

func several(ns []int, tag string) {
	for _, n := range ns {
		list("n", n, tag) // want `each turn allocates` `each turn allocates`
	}
}

func push(h heap.Interface, ns []float64) {
	for _, n := range ns {
		heap.Push(h, n) // want `each turn allocates`
	}
}

func hot(p point) { put(p) } // want `this call allocates a copy`

func again(p point, n int, enc *json.Encoder) {
	for range n {
		enc.Encode(p) // want `it is the same at each turn`
	}
}

type shape interface{ area() int }

func (p point) area() int { return p.x * p.y }

var origin = point{}

func start() (int, shape) { return 0, origin } // want `declare the variable with that interface's type`

// What follows is fine.

var end shape = point{1, 1}

func stop() shape { return end }

func same() point { return origin }

func pointers(ps []*point, f func(), m map[int]int) {
	for _, p := range ps {
		put(p)
		put(f)
		put(m)
		put(nil)
		put("constant")
		put(true)
	}
}

func generic(ps []point) {
	for _, p := range ps {
		typed(p)
	}
}

func prints(ns []int) error {
	for _, n := range ns {
		fmt.Println(n)
		log.Printf("%d", n)
		if n < 0 {
			return errors.Join(wrap(n))
		}
	}
	return nil
}

func wrap(any) error { return nil }

func (p point) debug(format string, args ...any) {}

type failure struct{ what any }

func (failure) Error() string { return "" }

func fail(what any) *failure { return &failure{what} }

func formats(p point, ns []int) *failure {
	for _, n := range ns {
		p.debug("n is %d", n)
		if n < 0 {
			return fail(n)
		}
	}
	return nil
}

func already(vs []any) {
	for _, v := range vs {
		put(v)
	}
	list(vs...)
}

// Another module's function takes an any by contract, and a method can have no type parameter.
func encoded(p point, n int64) ([]byte, error) {
	json.Marshal(n)
	return json.Marshal(p)
}

type keeper interface{ keep(any) }

type box struct{ v any }

func (b *box) keep(v any) { b.v = v }

func methods(k keeper, b *box, ns []int) {
	for _, n := range ns {
		k.keep(n)
		b.keep(n)
	}
}
