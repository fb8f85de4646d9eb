// Package alloc_boxing finds the nearest shops to a place.
//
// The fault: candidates go through container/heap, which boxes each of them.
package alloc_boxing

import (
	"container/heap"
	"io"
	"net/http"
	"strconv"

	"github.com/gocasebook/casebook/lab/faults"
)

// A Map has shops with their places.
type Map struct {
	shops   []shop
	nearest func(m *Map, x, y float64, k int) float64
}

type shop struct {
	x, y     float64
	distance float64
	id       int
}

func newMap(n int, nearest func(*Map, float64, float64, int) float64) *Map {
	m := &Map{nearest: nearest}
	for i := range n {
		m.shops = append(m.shops, shop{x: float64(i * 37 % 1000), y: float64(i * 91 % 1000), id: i})
	}
	return m
}

// ServeHTTP answers with the distance of the tenth.
func (m *Map) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	at, _ := strconv.Atoi(r.URL.Query().Get("at"))
	io.WriteString(w, strconv.FormatFloat(m.nearest(m, float64(at%1000), float64(at*3%1000), 10), 'f', 1, 64))
}

// queue is a heap of shops for package container/heap.
type queue []shop

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].distance > q[j].distance }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)        { *q = append(*q, x.(shop)) }
func (q *queue) Pop() any {
	old := *q
	last := old[len(old)-1]
	*q = old[:len(old)-1]
	return last
}

func (m *Map) boxed(x, y float64, k int) float64 {
	q := make(queue, 0, k+1)
	for _, s := range m.shops {
		s.distance = (s.x-x)*(s.x-x) + (s.y-y)*(s.y-y)
		heap.Push(&q, s)
		if len(q) > k {
			heap.Pop(&q)
		}
	}
	return q[0].distance
}

// typed keeps the k nearest in order, without interfaces.
func (m *Map) typed(x, y float64, k int) float64 {
	near := make([]float64, 0, 16)
	for _, s := range m.shops {
		d := (s.x-x)*(s.x-x) + (s.y-y)*(s.y-y)
		if len(near) == k && d >= near[k-1] {
			continue
		}
		if len(near) < k {
			near = append(near, d)
		}
		i := len(near) - 1
		for ; i > 0 && near[i-1] > d; i-- {
			near[i] = near[i-1]
		}
		near[i] = d
	}
	return near[k-1]
}

func service(n int, nearest func(*Map, float64, float64, int) float64, perSecond float64) faults.Service {
	return faults.Service{Handler: newMap(n, nearest),
		Load: []faults.Call{{Path: "/nearest?at=%d", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "alloc-boxing", Text: "shops go through container/heap, which boxes each of them",
		Culprit:  "alloc_boxing.(*Map).boxed",
		Faulty:   func() faults.Service { return service(2000, (*Map).boxed, 800) },
		Repaired: func() faults.Service { return service(2000, (*Map).typed, 800) },
		Limit:    func() faults.Service { return service(600, (*Map).boxed, 800) },
	}
}
