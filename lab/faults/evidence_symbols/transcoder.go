// Package evidence_symbols converts pictures.
//
// The fault is the profile's: the converter stands for a library in C, of which a profiler that looks from outside
// (perf, eBPF) knows the addresses and no names when it was stripped. Capture takes the names out as such a profiler
// leaves them.
package evidence_symbols

import (
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/lab/faults"
)

const library = "evidence_symbols.library"

// libraryTransform is a discrete cosine transform without its factors: the work of a codec.
//
//go:noinline
func libraryTransform(block []int32) (sum int32) {
	for n := len(block); n > 1; n /= 2 {
		for i := range n / 2 {
			a, b := block[i], block[n-1-i]
			block[i], block[n-1-i] = a+b, (a-b)*int32(i+1)>>1
			sum += block[i]
		}
	}
	return sum
}

// A converter converts pictures of so many blocks of 64 values.
type converter struct{ blocks int }

func (c converter) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	var block [64]int32
	sum := int32(0)
	for i := range c.blocks {
		block[i%64] = int32(i)
		sum += libraryTransform(block[:])
	}
	io.WriteString(w, strconv.Itoa(int(sum)))
}

// strip takes the lines of the library's addresses away, and has them lie in a file of its own.
func strip(p *profile.Profile) error {
	file := &profile.Mapping{ID: uint64(len(p.Mapping) + 1), Start: 0x7f0000000000, Limit: 0x7f0000100000,
		File: "libdct.so"}
	p.Mapping = append(p.Mapping, file)
	for _, l := range p.Location {
		if len(l.Line) > 0 && strings.Contains(l.Line[0].Function.Name, library) {
			l.Line, l.Mapping = nil, file
		}
	}
	return p.CheckValid()
}

func service(blocks int, alter func(*profile.Profile) error) faults.Service {
	return faults.Service{
		Handler: converter{blocks}, Load: []faults.Call{{Path: "/picture", PerSecond: 100}},
		Capture: faults.Capture{Alter: alter},
	}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "evidence-symbols", Text: "half of the CPU is in a library without symbols",
		Faulty:   func() faults.Service { return service(15_000, strip) },
		Repaired: func() faults.Service { return service(15_000, nil) },
		Limit:    func() faults.Service { return service(1_500, strip) },
	}
}
