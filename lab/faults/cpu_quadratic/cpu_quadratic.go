// Package cpu_quadratic gathers the tags of pictures.
//
// The fault: each tag is looked for among those gathered so far.
package cpu_quadratic

import (
	"io"
	"net/http"
	"slices"
	"strconv"
	"sync"

	"github.com/gocasebook/casebook/lab/faults"
)

// An Album has pictures' tags.
type Album struct {
	tags   []string
	gather func(tags []string) []string
}

func newAlbum(n int, gather func([]string) []string) *Album {
	a := &Album{gather: gather}
	for i := range n {
		a.tags = append(a.tags, "tag of the picture number "+strconv.Itoa(i*7919%(n*2/3)))
	}
	return a
}

// ServeHTTP answers how many tags there are.
func (a *Album) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	io.WriteString(w, strconv.Itoa(len(a.gather(a.tags))))
}

func collect(tags []string) (out []string) {
	for _, t := range tags {
		if !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// collectSeen looks tags up in a map that calls hand to each other.
func collectSeen() func(tags []string) []string {
	pool := sync.Pool{New: func() any { return map[string]struct{}{} }}
	return func(tags []string) (out []string) {
		seen := pool.Get().(map[string]struct{})
		defer pool.Put(seen)
		clear(seen)
		for _, t := range tags {
			if _, ok := seen[t]; !ok {
				seen[t] = struct{}{}
				out = append(out, t)
			}
		}
		return out
	}
}

func service(n int, gather func([]string) []string, perSecond float64) faults.Service {
	return faults.Service{Handler: newAlbum(n, gather), Load: []faults.Call{{Path: "/tags", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "cpu-quadratic", Text: "each tag is looked for among those gathered so far",
		Culprit:  "cpu_quadratic.collect",
		Faulty:   func() faults.Service { return service(1000, collect, 400) },
		Repaired: func() faults.Service { return service(1000, collectSeen(), 400) },
		Limit:    func() faults.Service { return service(430, collect, 400) },
	}
}
