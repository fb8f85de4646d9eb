// Package cpu_json answers with a catalogue of devices.
//
// The fault: the whole list is encoded anew for every request, though it changes once a minute.
package cpu_json

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/gocasebook/casebook/lab/faults"
)

// A Device is one row of the catalogue.
type Device struct {
	ID       int               `json:"id"`
	Name     string            `json:"name"`
	Seen     time.Time         `json:"seen"`
	Readings []float64         `json:"readings"`
	Labels   map[string]string `json:"labels"`
}

// A Catalogue holds devices, and encoded pages where it keeps them.
type Catalogue struct {
	devices []Device
	encoded [][]byte // by page; nil when pages are encoded for each request
	page    int
}

func newCatalogue(n, page int) *Catalogue {
	c := &Catalogue{page: page}
	for i := range n {
		c.devices = append(c.devices, Device{
			ID: i, Name: fmt.Sprintf("sensor %d in hall %d", i, i%7), Seen: time.Unix(1_700_000_000+int64(i), 0).UTC(),
			Readings: []float64{float64(i) / 3, float64(i) / 7, 21.5},
			Labels:   map[string]string{"floor": strconv.Itoa(i % 9), "kind": "temperature"},
		})
	}
	return c
}

// keep encodes every page once.
func (c *Catalogue) keep() *Catalogue {
	for from := 0; from < len(c.devices); from += c.page {
		b, err := json.Marshal(c.devices[from : from+c.page])
		if err != nil {
			panic(err) // a device cannot fail to encode
		}
		c.encoded = append(c.encoded, b)
	}
	return c
}

// ServeHTTP answers with one page.
func (c *Catalogue) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n, _ := strconv.Atoi(r.URL.Query().Get("page"))
	n %= len(c.devices) / c.page
	w.Header().Set("Content-Type", "application/json")
	if c.encoded != nil {
		w.Write(c.encoded[n])
		return
	}
	c.list(w, n)
}

func (c *Catalogue) list(w http.ResponseWriter, page int) {
	b, err := json.Marshal(c.devices[page*c.page : (page+1)*c.page])
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Write(b)
}

func load(perSecond float64) []faults.Call {
	return []faults.Call{{Path: "/devices?page=%d", PerSecond: perSecond}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "cpu-json", Text: "a list of devices that seldom changes is encoded for every request",
		Culprit: "cpu_json.(*Catalogue).list",
		Faulty:  func() faults.Service { return faults.Service{Handler: newCatalogue(2000, 200), Load: load(1000)} },
		Repaired: func() faults.Service {
			return faults.Service{Handler: newCatalogue(2000, 200).keep(), Load: load(1000)}
		},
		Limit: func() faults.Service { return faults.Service{Handler: newCatalogue(2000, 80), Load: load(900)} },
	}
}
