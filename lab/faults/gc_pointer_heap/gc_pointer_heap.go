// Package gc_pointer_heap keeps the customers of a shop in memory.
//
// The fault: a map of texts to pointers, three objects a customer, all of which the collector visits in every cycle.
package gc_pointer_heap

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gocasebook/casebook/lab/faults"
	"github.com/gocasebook/casebook/remedy/cache"
)

// A Cache finds the city and the points of a customer.
type Cache interface {
	room(n int) error
	put(customer, city string, points int) error
	get(customer string) (city []byte, points int)
}

type record struct {
	city   string
	points int
}

// pointers keeps each customer behind pointers.
type pointers struct{ entries map[string]*record }

func (c *pointers) room(n int) error {
	c.entries = make(map[string]*record, n)
	return nil
}

// put keeps a copy of the city, which is a piece of a longer text.
func (c *pointers) put(customer, city string, points int) error {
	c.entries[customer] = &record{city: strings.Clone(city), points: points}
	return nil
}

func (c *pointers) get(customer string) ([]byte, int) {
	r := c.entries[customer]
	if r == nil {
		return nil, 0
	}
	return []byte(r.city), r.points
}

// flat keeps keys and values as bytes, where the collector does not look.
type flat struct {
	entries *cache.Cache[string, flatRecord]
}

type flatRecord struct {
	city   [16]byte
	points int32
}

func (c *flat) room(n int) (err error) {
	c.entries, err = cache.New(cache.Config[string, flatRecord]{MaxBytes: max(int64(n)*192, 1<<20)})
	return err
}

func (c *flat) put(customer, city string, points int) error {
	r := flatRecord{points: int32(points)}
	copy(r.city[:], city)
	return c.entries.Set(customer, r)
}

func (c *flat) get(customer string) ([]byte, int) {
	r, _ := c.entries.Get(customer)
	return bytes.TrimRight(r.city[:], "\x00"), int(r.points)
}

// A Desk answers from its cache.
type Desk struct {
	mu        sync.Mutex
	customers int
	cache     Cache
	filled    bool
	size      int // of the memory in which an answer is made; not a constant, or it would lie on the stack
}

const answerSize = 24 << 10

// fill takes all customers up, at the first request.
func (d *Desk) fill() error {
	if err := d.cache.room(d.customers); err != nil {
		return fmt.Errorf("making room for %d customers: %w", d.customers, err)
	}
	for i := range d.customers {
		row := number(i) + ",city " + strconv.Itoa(i%50_000)
		if err := d.cache.put(number(i), row[numberLength+1:], i%1000); err != nil {
			return fmt.Errorf("taking up customer %d: %w", i, err)
		}
	}
	d.filled = true
	return nil
}

const numberLength = 16

// number is a customer's, of numberLength bytes.
func number(i int) string { return "customer" + strconv.Itoa(10_000_000+i) }

// ServeHTTP answers with the points of some customers.
func (d *Desk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n, _ := strconv.Atoi(r.FormValue("n"))
	answer := make([]byte, 0, d.size)
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.filled {
		if err := d.fill(); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
	}
	for i := range 20 {
		city, points := d.cache.get(number((n*7919 + i*104_729) % d.customers))
		answer = append(answer, city...)
		answer = binary.AppendUvarint(answer, uint64(points))
	}
	w.Write(answer)
}

func service(customers int, c Cache, perSecond float64) faults.Service {
	return faults.Service{Handler: &Desk{customers: customers, cache: c, size: answerSize},
		Load: []faults.Call{{Path: "/points?n=%d", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "gc-pointer-heap", Text: "a map of a million texts to pointers, three objects an entry",
		Culprit:  "gc_pointer_heap.(*pointers).put",
		Faulty:   func() faults.Service { return service(1_000_000, &pointers{}, 800) },
		Repaired: func() faults.Service { return service(1_000_000, &flat{}, 800) },
		Limit:    func() faults.Service { return service(550_000, &pointers{}, 500) },
		// until two cycles have ended after the filling: heap profiles show the last but one
		Warm: 15 * time.Second,
		// with a processor to spare most marking is done by who has nothing else to do
		Env: []string{"GOMAXPROCS=1"},
	}
}
