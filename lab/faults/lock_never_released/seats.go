// Package lock_never_released sells seats of shows.
//
// The fault: a sale of a show that is sold out returns before Unlock.
package lock_never_released

import (
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/gocasebook/casebook/lab/faults"
)

// A Hall has the seats of its shows.
type Hall struct {
	mu     sync.Mutex
	left   map[string]int
	sold   map[string][]string
	defers bool
}

var errSoldOut = errors.New("sold out")

// sell gives a buyer a seat.
func (h *Hall) sell(show, buyer string) (int, error) {
	h.mu.Lock()
	if h.left[show] == 0 {
		return 0, errSoldOut
	}
	h.left[show]--
	h.sold[show] = append(h.sold[show], buyer)
	seat := len(h.sold[show])
	h.mu.Unlock()
	return seat, nil
}

// sellDeferred gives a buyer a seat, and the lock back on every path.
func (h *Hall) sellDeferred(show, buyer string) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.left[show] == 0 {
		return 0, errSoldOut
	}
	h.left[show]--
	h.sold[show] = append(h.sold[show], buyer)
	return len(h.sold[show]), nil
}

// ServeHTTP sells a seat.
func (h *Hall) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	sell := h.sell
	if h.defers {
		sell = h.sellDeferred
	}
	seat, err := sell(r.FormValue("show"), r.RemoteAddr)
	if err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	fmt.Fprintln(w, seat)
}

func service(perSecond float64, defers bool) faults.Service {
	h := &Hall{left: map[string]int{"late": 1}, sold: make(map[string][]string), defers: defers}
	return faults.Service{Handler: h, Load: []faults.Call{{Path: "/sell?show=late", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "lock-never-released", Text: "a show that is sold out leaves the lock taken",
		Culprit:  "lock_never_released.(*Hall).sell",
		Faulty:   func() faults.Service { return service(2, false) },
		Repaired: func() faults.Service { return service(2, true) },
		Limit:    func() faults.Service { return service(0.2, false) },
		Warm:     90 * time.Second,
	}
}
