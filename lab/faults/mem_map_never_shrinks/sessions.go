// Package mem_map_never_shrinks keeps sessions.
//
// The fault: after a busy hour hundreds of thousands of sessions were deleted; their slots remain.
package mem_map_never_shrinks

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"net/http"
	"sync"
	"time"

	"github.com/gocasebook/casebook/lab/faults"
)

type (
	key     [32]byte
	session struct {
		user *string
		_    [11]int64 // when it was seen, and its flags: nobody asks here
	}
)

// Sessions are the open ones.
type Sessions struct {
	peak   int
	shrink bool

	mu   sync.Mutex
	open map[key]session
}

func keyOf(n int) (k key) {
	binary.BigEndian.PutUint64(k[:], uint64(n)*0x9e3779b97f4a7c15)
	return k
}

// add opens a session.
func (s *Sessions) add(n int) {
	user := fmt.Sprint("user ", n)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open[keyOf(n)] = session{user: &user}
}

// end deletes all but the last sessions.
func (s *Sessions) end(keep int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for n := range s.peak - keep {
		delete(s.open, keyOf(n))
	}
	if s.shrink {
		left := make(map[key]session, len(s.open))
		maps.Copy(left, s.open)
		s.open = left
	}
}

// busyHour opens the sessions of the peak, and ends them.
func (s *Sessions) busyHour(context.Context) {
	for n := range s.peak {
		s.add(n)
	}
	time.Sleep(time.Second)
	s.end(500)
}

// ServeHTTP answers with the number of sessions.
func (s *Sessions) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	page := make([]byte, 128<<10)
	s.mu.Lock()
	n := len(s.open)
	s.mu.Unlock()
	fmt.Fprint(w, n+len(page))
}

func service(peak int, shrink bool) faults.Service {
	s := &Sessions{peak: peak, shrink: shrink, open: make(map[key]session)}
	return faults.Service{Handler: s, Background: s.busyHour, Load: []faults.Call{{Path: "/count", PerSecond: 200}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "mem-map-never-shrinks", Text: "a map of sessions keeps the slots of its busiest hour",
		Culprit:  "mem_map_never_shrinks.(*Sessions).add",
		Faulty:   func() faults.Service { return service(600_000, false) },
		Repaired: func() faults.Service { return service(600_000, true) },
		Limit:    func() faults.Service { return service(150_000, false) },
		Warm:     40 * time.Second,
	}
}
