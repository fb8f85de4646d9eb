// Package sched_latency makes thumbnails of pictures.
//
// The fault: as many are made at once as requests come, each in some 30 ms of CPU, so that everything queues for the
// processors.
package sched_latency

import (
	"encoding/json"
	"net/http"
	"runtime"

	"github.com/gocasebook/casebook/lab/faults"
)

const side = 2400 // pixels of a picture

// A Studio makes thumbnails of one picture, which stands for all.
type Studio struct {
	picture []uint8
	slots   chan struct{} // bounds how many are made at once
}

func newStudio(atOnce int) *Studio {
	s := &Studio{picture: make([]uint8, side*side), slots: make(chan struct{}, atOnce)}
	for i := range s.picture {
		s.picture[i] = uint8(i * 7 % 251)
	}
	return s
}

// shrink averages squares of 8 by 8 pixels, weighted by their distance from the middle.
func (s *Studio) shrink() (out []int) {
	for y := 0; y < side; y += 8 {
		for x := 0; x < side; x += 8 {
			out = append(out, s.square(x, y))
		}
	}
	return out
}

func (s *Studio) square(x, y int) (sum int) {
	for dy := range 8 {
		row := s.picture[(y+dy)*side+x:]
		for dx := range 8 {
			weight := 32 - (dx-4)*(dx-4) - (dy-4)*(dy-4)
			sum += int(row[dx]) * weight / 32 % 255
		}
	}
	return sum / 64
}

// ServeHTTP answers with how bright the thumbnail is, or that there are too many requests.
func (s *Studio) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	default:
		http.Error(w, "too many requests", http.StatusServiceUnavailable)
		return
	}
	sum := 0
	for _, v := range s.shrink() {
		sum += v
	}
	_ = json.NewEncoder(w).Encode(sum) // the client may be gone
}

func service(atOnce int, perSecond float64) faults.Service {
	return faults.Service{Handler: newStudio(atOnce), Load: []faults.Call{{Path: "/thumbnail", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "sched-latency", Text: "16 requests at once use 30 ms of CPU each",
		Culprit:  "sched_latency.(*Studio).square",
		Faulty:   func() faults.Service { return service(16, 120) },
		Repaired: func() faults.Service { return service(max(1, runtime.GOMAXPROCS(0)/2), 120) },
		Limit:    func() faults.Service { return service(2, 120) },
		Trace:    true,
	}
}
