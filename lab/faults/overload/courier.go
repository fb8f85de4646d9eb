// Package overload plans rounds of couriers.
//
// The fault: more rounds are asked for than the processors can plan, and 24 of them are let in at once, so that each
// takes as long as all together. Repaired, a few are let in, and the balancer sends the rest to other instances.
package overload

import (
	"fmt"
	"math"
	"net/http"
	"runtime"
	"strconv"

	"github.com/gocasebook/casebook/lab/faults"
)

// A Planner plans rounds over some stops.
type Planner struct {
	stops int
	slots chan struct{} // bounds how many are planned at once
}

type stop struct{ x, y float64 }

// draw places the stops of a round.
func (p *Planner) draw(round int) []stop {
	stops := make([]stop, p.stops)
	for i := range stops {
		angle := float64(i*round%977) / 7
		stops[i] = stop{math.Cos(angle) * float64(i%31), math.Sin(angle) * float64(i%37)}
	}
	return stops
}

// shorten puts the nearest stop after each, and returns how long the round is then.
func shorten(stops []stop) (length float64) {
	for i := 1; i < len(stops); i++ {
		nearest, least := i, math.Inf(1)
		for j := i; j < len(stops); j++ {
			if d := between(stops[i-1], stops[j]); d < least {
				nearest, least = j, d
			}
		}
		stops[i], stops[nearest] = stops[nearest], stops[i]
		length += least
	}
	return length
}

func between(a, b stop) float64 { return math.Hypot(a.x-b.x, a.y-b.y) }

// ServeHTTP answers with the length of a round, or that there are too many.
func (p *Planner) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	select {
	case p.slots <- struct{}{}:
		defer func() { <-p.slots }()
	default:
		w.Header().Set("Retry-After", "1")
		http.Error(w, "too many rounds", http.StatusServiceUnavailable)
		return
	}
	round, err := strconv.Atoi(r.URL.Query().Get("round"))
	if err != nil {
		http.Error(w, "no round", http.StatusBadRequest)
		return
	}
	fmt.Fprintf(w, "%.3f\n", shorten(p.draw(round)))
}

func service(slots int, perSecond float64) faults.Service {
	p := &Planner{stops: 3400, slots: make(chan struct{}, slots)}
	return faults.Service{Handler: p, Load: []faults.Call{{Path: "/round?round=%d", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "overload", Text: "more rounds are asked for than the processors can plan, and 24 are let in at once",
		Culprit:  "overload.(*Planner).ServeHTTP",
		Faulty:   func() faults.Service { return service(24, 85) },
		Repaired: func() faults.Service { return service(2*runtime.GOMAXPROCS(0), 30) },
		Limit:    func() faults.Service { return service(2*runtime.GOMAXPROCS(0), 85) },
		Trace:    true,
	}
}
