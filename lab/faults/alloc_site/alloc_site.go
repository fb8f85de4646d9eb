// Package alloc_site plans delivery tours.
//
// The fault: each leg of each tour that is tried is an object of its own, which points to the leg before it; one tour
// of hundreds is kept.
package alloc_site

import (
	"io"
	"math"
	"net/http"
	"strconv"

	"github.com/gocasebook/casebook/lab/faults"
)

// A Planner knows the stops of a day.
type Planner struct {
	stops []stop
	tries int
	best  func(p *Planner) float64
}

type stop struct{ x, y float64 }

// A leg is a tour as far as its last stop.
type leg struct {
	before *leg
	at     int
	km     float64
}

const stopsOfTour = 24

func newPlanner(tries int, best func(*Planner) float64) *Planner {
	p := &Planner{tries: tries, best: best}
	for i := range 97 {
		p.stops = append(p.stops, stop{float64(i * 31 % 97), float64(i * 57 % 89)})
	}
	return p
}

// ServeHTTP answers with the length of the shortest tour.
func (p *Planner) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	io.WriteString(w, strconv.FormatFloat(p.best(p), 'f', 1, 64))
}

// next is the stop of a try that comes after one.
func (p *Planner) next(try, at int) int { return (at + 1 + try%13) % len(p.stops) }

// squared is the square of the distance between two stops: roots are drawn for whole tours only.
func (p *Planner) squared(a, b int) float64 {
	dx, dy := p.stops[a].x-p.stops[b].x, p.stops[a].y-p.stops[b].y
	return dx*dx + dy*dy
}

// extend is a tour with one more stop.
func (p *Planner) extend(tour *leg, to int) *leg {
	return &leg{before: tour, at: to, km: tour.km + p.squared(tour.at, to)}
}

func (p *Planner) linked() float64 {
	var best *leg
	for try := range p.tries {
		tour := &leg{at: try % len(p.stops)}
		for range stopsOfTour {
			tour = p.extend(tour, p.next(try, tour.at))
		}
		if best == nil || tour.km < best.km {
			best = tour
		}
	}
	return math.Sqrt(best.km)
}

// flat keeps the length of a tour and not its legs, which follow from the number of the try.
func (p *Planner) flat() float64 {
	best := math.Inf(1)
	for try := range p.tries {
		at, km := try%len(p.stops), 0.0
		for range stopsOfTour {
			to := p.next(try, at)
			km += p.squared(at, to)
			at = to
		}
		best = min(best, km)
	}
	return math.Sqrt(best)
}

func service(tries int, best func(*Planner) float64, perSecond float64) faults.Service {
	return faults.Service{Handler: newPlanner(tries, best), Load: []faults.Call{{Path: "/tour", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "alloc-site", Text: "each leg of each tour that is tried is an object of its own",
		Culprit:  "alloc_site.(*Planner).extend",
		Faulty:   func() faults.Service { return service(300, (*Planner).linked, 500) },
		Repaired: func() faults.Service { return service(300, (*Planner).flat, 500) },
		Limit:    func() faults.Service { return service(120, (*Planner).linked, 500) },
	}
}
