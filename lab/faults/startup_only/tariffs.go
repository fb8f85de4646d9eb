// Package startup_only answers what a parcel costs, from tariffs that it asks of another service.
//
// The fault: the first request asks for all tariffs, one by one, in a sync.Once, and all others wait for it.
package startup_only

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gocasebook/casebook/lab/faults"
	"github.com/gocasebook/casebook/lab/faults/backend"
)

// A Desk knows the tariffs of all zones once it is loaded.
type Desk struct {
	backend backend.Backend
	client  http.Client
	zones   int

	once    sync.Once
	ready   atomic.Bool
	tariffs []string
}

// load asks for the tariffs of all zones. A zone without an answer has none.
func (d *Desk) load() {
	for zone := range d.zones {
		d.tariffs = append(d.tariffs, d.tariff(zone))
	}
	d.ready.Store(true)
}

func (d *Desk) tariff(zone int) string {
	res, err := d.client.Get(d.backend.URL() + "/item?i=" + strconv.Itoa(zone))
	if err != nil {
		return ""
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return ""
	}
	return string(text)
}

// price is the tariff of a zone. The first one who asks has them all loaded.
func (d *Desk) price(zone int) string {
	d.once.Do(d.load)
	return d.tariffs[zone%len(d.tariffs)]
}

// ServeHTTP answers with the tariff of a zone.
func (d *Desk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	zone, err := strconv.Atoi(r.FormValue("zone"))
	if err != nil {
		http.Error(w, "no such zone", http.StatusBadRequest)
		return
	}
	fmt.Fprintln(w, d.price(zone))
}

// early loads the tariffs beside a server that says meanwhile that it is not ready.
func (d *Desk) early(context.Context) { d.once.Do(d.load) }

func (d *Desk) ifReady(w http.ResponseWriter, r *http.Request) {
	if !d.ready.Load() {
		http.Error(w, "not ready", http.StatusServiceUnavailable)
		return
	}
	d.ServeHTTP(w, r)
}

func newDesk() *Desk {
	return &Desk{backend: backend.Backend{Delay: 100 * time.Millisecond}, zones: 600}
}

func ask(perSecond float64) []faults.Call {
	return []faults.Call{{Path: "/tariff?zone=%d", PerSecond: perSecond}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "startup-only", Text: "the first request asks for 600 tariffs one by one, in a Once, and all others wait",
		Culprit: "startup_only.(*Desk).load",
		Faulty:  func() faults.Service { return faults.Service{Handler: newDesk(), Load: ask(5)} },
		Repaired: func() faults.Service {
			d := newDesk()
			return faults.Service{Handler: http.HandlerFunc(d.ifReady), Background: d.early, Load: ask(5)}
		},
		Limit: func() faults.Service { return faults.Service{Handler: newDesk(), Load: ask(0.15)} },
	}
}
