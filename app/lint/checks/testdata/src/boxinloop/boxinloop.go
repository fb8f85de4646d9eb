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

// What follows is fine.

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

// Another module's function cannot keep the type, and with an address the variable would be on the heap itself.
func encoded(p point, n int64) ([]byte, error) {
	json.Marshal(n) // want `this call allocates a copy`
	return json.Marshal(p)
}
