package appendgrows

import (
	"encoding/binary"
	"sync"
)

type item struct {
	name string
	n    int
}

func names(items []item) (out []string) { // want `out grows from nothing: make it with room for the elements of the loop, len\(items\)`
	for _, it := range items {
		out = append(out, it.name)
	}
	return out
}

func chosen(items []item, least int) []item {
	var out []item // want `out grows from nothing`
	for _, it := range items {
		if it.n < least {
			continue
		}
		if it.name == "" {
			return nil
		}
		out = append(out, it)
	}
	return out
}

func keys(m map[string]int) []string {
	all := []string{} // want `all grows from nothing`
	for k := range m {
		all = append(all, k)
	}
	return all
}

func each(groups [][]item) (sum int) {
	for _, g := range groups {
		ns := make([]int, 0) // want `ns grows from nothing`
		for _, it := range g {
			ns = append(ns, it.n)
		}
		sum += len(ns)
	}
	return sum
}

type piece interface{ encode() []byte }

func encoded(pieces []piece) []byte {
	buf := make([]byte, 2) // want `buf grows from nothing: make it with room for what is usual`
	for _, p := range pieces {
		b := p.encode()
		buf = append(buf, b...)
	}
	return buf
}

func all(groups [][]item) (out []item) { // want `out grows from nothing: make it with room for what is usual`
	for _, g := range groups {
		for _, it := range g {
			out = append(out, it)
		}
	}
	return out
}

func counted(n int, items []item) []item {
	var out []item // want `out grows from nothing`
	for i := 0; i < n; i++ {
		out = append(out, items[i], items[i+1])
	}
	return out
}

func decoded(b []byte) (out []uint64) { // want `or append to one that is used again`
	for len(b) > 0 {
		v, n := binary.Uvarint(b)
		out = append(out, v)
		b = b[n:]
	}
	return out
}

type span struct {
	tags []item
	logs []struct{ fields []item }
}

func flat(s *span) []item {
	all := []item{} // want `all grows from nothing: add up how long its parts are first`
	all = append(all, s.tags...)
	for _, l := range s.logs {
		all = append(all, l.fields...)
	}
	return all
}

func values(first []any, groups [][]any) (out []any) { // want `out grows from nothing`
	out = append(out, first...)
	for _, g := range groups {
		out = append(out, g...)
	}
	return out
}

func best(more []item, groups [][]item, all bool) []item {
	out := []item{} // want `out grows from nothing: make it with room for what is usual`
	if all {
		out = append(out, more...)
		return out
	}
	for _, g := range groups {
		for _, it := range g {
			out = append(out, it)
		}
	}
	return out
}

type page struct{ names []string }

func (p *page) add(items []item) {
	for _, it := range items {
		p.names = append(p.names, it.name) // want `p.names grows element by element: make room for them before the loop, slices.Grow\(p.names, len\(items\)\)`
	}
}

func paged(items []item) *page {
	p := &page{}
	for _, it := range items {
		if it.n > 0 {
			p.names = append(p.names, it.name) // want `p.names grows element by element`
		}
	}
	return p
}

// What follows is fine.

func joined(groups [][]int) (out []int) {
	for _, g := range groups {
		out = append(out, g...) // a copy, where there is one
	}
	return out
}

func segments(groups [][]int, kind []int) []int {
	out := []int{}
	for i, g := range groups {
		if kind[i] == 1 {
			out = append(out, g...)
			continue
		}
		out = append(out, g[1:]...)
	}
	return out
}

type store struct {
	mu    sync.Mutex
	names []string
}

func (s *store) add(items []item) {
	for _, it := range items {
		s.names = append(s.names, it.name) // it may grow for ever
	}
}

func pages(items []item) (out []*page) {
	out = make([]*page, 0, len(items))
	for _, it := range items {
		p := &page{}
		p.names = append(p.names, it.name) // a page for each
		out = append(out, p)
	}
	return out
}

func (p *page) wrapped(items []item) {
	for _, it := range items {
		p.names = append(p.names, it.name+";")
	}
}

func (p *page) next(more func() (string, bool)) {
	for {
		name, ok := more()
		if !ok {
			return
		}
		p.names = append(p.names, name)
	}
}

func sized(items []item) []string {
	out := make([]string, 0, len(items))
	for _, it := range items {
		out = append(out, it.name)
	}
	return out
}

func pointers(items []item) (out []*item) {
	for _, it := range items {
		out = append(out, &item{name: it.name})
	}
	return out
}

func texts(items []item) (out []string) {
	for _, it := range items {
		out = append(out, it.name+":")
	}
	return out
}

func more(out []string, items []item) []string {
	for _, it := range items {
		out = append(out, it.name)
	}
	return out
}

func reused(items []item, buf []string) []string {
	var out []string
	out = buf[:0]
	for _, it := range items {
		out = append(out, it.name)
	}
	return out
}

func received(ch chan int) (out []int) {
	for n := range ch {
		out = append(out, n)
	}
	return out
}

func boxed(items []item) (out []any) {
	for _, it := range items {
		out = append(out, it.name, it.n)
	}
	return out
}

func initAll(n int) (out []int) {
	for i := range n {
		out = append(out, i)
	}
	return out
}
