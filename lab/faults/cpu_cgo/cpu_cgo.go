// Package cpu_cgo weighs the parcels of a day with a library in C.
//
// The fault: C is called for each parcel, not for all of them at once.
package cpu_cgo

import (
	"io"
	"net/http"
	"strconv"

	"github.com/gocasebook/casebook/lab/faults"
)

// A Scale has the sizes of parcels in millimetres.
type Scale struct {
	sizes []int32
	sum   func(s *Scale) int64
}

func newScale(n int, sum func(*Scale) int64) *Scale {
	s := &Scale{sum: sum}
	for i := range n {
		s.sizes = append(s.sizes, int32(100+i*37%900))
	}
	return s
}

// ServeHTTP answers with the weight of all.
func (s *Scale) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	io.WriteString(w, strconv.FormatInt(s.sum(s), 10))
}

func service(parcels int, sum func(*Scale) int64, perSecond float64) faults.Service {
	return faults.Service{Handler: newScale(parcels, sum), Load: []faults.Call{{Path: "/weight", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "cpu-cgo", Text: "C is called for each parcel of a day",
		Culprit:  "cpu_cgo.(*Scale).each",
		Faulty:   func() faults.Service { return service(6000, (*Scale).each, 600) },
		Repaired: func() faults.Service { return service(6000, (*Scale).batch, 600) },
		Limit:    func() faults.Service { return service(2000, (*Scale).each, 600) },
	}
}
