// Package cpu_reflect finds out which settings of a fleet of devices have changed.
//
// The fault: settings are compared with reflect.DeepEqual.
package cpu_reflect

import (
	"io"
	"net/http"
	"reflect"
	"slices"
	"strconv"

	"github.com/gocasebook/casebook/lab/faults"
)

// A Fleet has settings as they are and as they should be.
type Fleet struct {
	is, should []settings
	same       func(a, b *settings) bool
}

type settings struct {
	Name    string
	Limits  []int
	Network struct {
		Address string
		Ports   []uint16
	}
}

func newFleet(n int, same func(a, b *settings) bool) *Fleet {
	f := &Fleet{same: same}
	for i := range n {
		s := settings{Name: "device " + strconv.Itoa(i), Limits: []int{i, 2 * i, 3 * i, 4 * i}}
		s.Network.Address, s.Network.Ports = "10.0.0."+strconv.Itoa(i%250), []uint16{80, 443, uint16(i)}
		f.is = append(f.is, s)
		s.Limits, s.Network.Ports = slices.Clone(s.Limits), slices.Clone(s.Network.Ports)
		s.Limits[3] += i % 10 / 9
		f.should = append(f.should, s)
	}
	return f
}

// ServeHTTP answers how many differ.
func (f *Fleet) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	n := 0
	for i := range f.is {
		if !f.same(&f.is[i], &f.should[i]) {
			n++
		}
	}
	io.WriteString(w, strconv.Itoa(n))
}

func deepEqual(a, b *settings) bool { return reflect.DeepEqual(a, b) }

func equal(a, b *settings) bool {
	return a.Name == b.Name && slices.Equal(a.Limits, b.Limits) &&
		a.Network.Address == b.Network.Address && slices.Equal(a.Network.Ports, b.Network.Ports)
}

func service(n int, same func(a, b *settings) bool, perSecond float64) faults.Service {
	return faults.Service{Handler: newFleet(n, same), Load: []faults.Call{{Path: "/changed", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "cpu-reflect", Text: "settings are compared with reflect.DeepEqual",
		Culprit:  "cpu_reflect.deepEqual",
		Faulty:   func() faults.Service { return service(500, deepEqual, 1000) },
		Repaired: func() faults.Service { return service(500, equal, 1000) },
		Limit:    func() faults.Service { return service(60, deepEqual, 900) },
	}
}
