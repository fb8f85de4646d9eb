// Package cpu_quota draws previews of pictures.
//
// The fault is beside the code: a limit of half a core, which the two processors that draw one preview use up in the
// first quarter of a period. The mean use is below the limit.
package cpu_quota

import (
	"fmt"
	"net/http"
	"sync"

	"github.com/gocasebook/casebook/lab/faults"
)

// A Studio draws previews of pictures of some rows, in halves.
type Studio struct{ rows int }

const columns = 512

// ServeHTTP answers with the sum of a preview.
func (s *Studio) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	var sums [2]uint64
	var halves sync.WaitGroup
	for i := range sums {
		halves.Go(func() { sums[i] = s.draw(i) })
	}
	halves.Wait()
	fmt.Fprintln(w, sums[0]+sums[1])
}

// draw makes every second row of a preview.
func (s *Studio) draw(first int) (sum uint64) {
	for row := first; row < s.rows; row += 2 {
		for column := range uint64(columns) {
			sum += blur(uint64(row), column)
		}
	}
	return sum
}

// blur mixes a point with its neighbours.
func blur(row, column uint64) uint64 {
	point := row<<32 | column
	for range 8 {
		point ^= point >> 29
		point *= 0x9e3779b97f4a7c15
	}
	return point & 0xff
}

func service(cores float64, rows int, perSecond float64) faults.Service {
	return faults.Service{Handler: &Studio{rows}, Cores: cores,
		Load: []faults.Call{{Path: "/preview", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "cpu-quota", Text: "a preview takes two processors for longer than the limit of half a core allows",
		Culprit:  "cpu_quota.blur",
		Faulty:   func() faults.Service { return service(0.5, 60_000, 1.5) },
		Repaired: func() faults.Service { return service(2, 60_000, 1.5) },
		Limit:    func() faults.Service { return service(0.5, 17_000, 2.5) },
	}
}
