// Package alloc_grow selects points of a map's tile.
//
// The fault: the answer's slice begins empty and grows by append.
package alloc_grow

import (
	"encoding/binary"
	"net/http"
	"sync"

	"github.com/gocasebook/casebook/lab/faults"
)

// A Point is a place on the map.
type Point struct {
	X, Y  int32
	Layer uint8
	Name  uint32
}

// A Tile holds the points of a part of the map.
type Tile struct {
	points  []Point
	reserve bool
	kept    sync.Pool // of *[]Point, in the size that a tile needs
}

func newTile(n int, reserve bool) *Tile {
	t := &Tile{reserve: reserve, kept: sync.Pool{New: func() any { return ptr(make([]Point, 0, n)) }}}
	for i := range n {
		t.points = append(t.points, Point{int32(i * 31 % 4096), int32(i * 17 % 4096), uint8(i % 5), uint32(i)})
	}
	return t
}

// ServeHTTP answers with the bounds of the points on the first four layers.
func (t *Tile) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	var out [8]byte
	high := t.bounds(4)
	binary.LittleEndian.PutUint32(out[:], uint32(high.X))
	binary.LittleEndian.PutUint32(out[4:], uint32(high.Y))
	w.Write(out[:])
}

// bounds are those of the points below a layer.
func (t *Tile) bounds(layers uint8) Point {
	if !t.reserve {
		return bounds(t.visible(layers))
	}
	kept := t.kept.Get().(*[]Point)
	defer t.kept.Put(kept)
	*kept = appendVisible((*kept)[:0], t.points, layers)
	return bounds(*kept)
}

// visible are the points below a layer.
func (t *Tile) visible(layers uint8) []Point {
	var out []Point
	for _, p := range t.points {
		if p.Layer < layers {
			out = append(out, p)
		}
	}
	return out
}

func appendVisible(out, points []Point, layers uint8) []Point {
	for _, p := range points {
		if p.Layer < layers {
			out = append(out, p)
		}
	}
	return out
}

func ptr(ps []Point) *[]Point { return &ps }

func bounds(ps []Point) (high Point) {
	for _, p := range ps {
		high.X, high.Y = max(high.X, p.X), max(high.Y, p.Y)
	}
	return high
}

func service(n int, reserve bool, perSecond float64) faults.Service {
	return faults.Service{Handler: newTile(n, reserve), Load: []faults.Call{{Path: "/tile", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "alloc-grow", Text: "the points of a tile are gathered in a slice that begins empty",
		Culprit:  "alloc_grow.(*Tile).visible",
		Faulty:   func() faults.Service { return service(4000, false, 2500) },
		Repaired: func() faults.Service { return service(4000, true, 2500) },
		Limit:    func() faults.Service { return service(1000, false, 900) },
	}
}
