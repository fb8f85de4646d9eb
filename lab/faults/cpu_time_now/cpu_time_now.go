// Package cpu_time_now looks for sessions that have expired.
//
// The fault: the clock is read for each session.
package cpu_time_now

import (
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/gocasebook/casebook/lab/faults"
)

// Sessions are those of a site.
type Sessions struct {
	expires []time.Time
	count   func(s *Sessions) int
}

func newSessions(n int, count func(*Sessions) int) *Sessions {
	s := &Sessions{count: count}
	for i := range n {
		s.expires = append(s.expires, time.Now().Add(time.Duration(i-n/2)*time.Hour))
	}
	return s
}

// ServeHTTP answers how many are live.
func (s *Sessions) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	io.WriteString(w, strconv.Itoa(s.count(s)))
}

func (s *Sessions) live() (n int) {
	for _, e := range s.expires {
		if time.Now().Before(e) {
			n++
		}
	}
	return n
}

func (s *Sessions) liveAt() (n int) {
	now := time.Now()
	for _, e := range s.expires {
		if now.Before(e) {
			n++
		}
	}
	return n
}

func service(n int, count func(*Sessions) int, perSecond float64) faults.Service {
	return faults.Service{Handler: newSessions(n, count),
		Load: []faults.Call{{Path: "/sessions", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "cpu-time-now", Text: "the clock is read for every session that is looked at",
		Culprit:  "cpu_time_now.(*Sessions).live",
		Faulty:   func() faults.Service { return service(5000, (*Sessions).live, 800) },
		Repaired: func() faults.Service { return service(5000, (*Sessions).liveAt, 800) },
		Limit:    func() faults.Service { return service(400, (*Sessions).live, 800) },
	}
}
