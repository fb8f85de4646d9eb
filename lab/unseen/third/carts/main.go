// Carts keeps the carts of customers until they have not been touched for half an hour.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"sync"
	"time"

	"github.com/gocasebook/casebook/lab/unseen/third/form"
	"github.com/gocasebook/casebook/lab/unseen/third/web"
)

const lifetime = 30 * time.Minute

type item struct {
	Product string
	Price   int
}

type cart struct {
	customer string
	touched  time.Time
	items    []item
	expiry   *time.Timer
}

type carts struct {
	mu sync.Mutex
	by map[string]*cart
}

// expire drops the cart if nobody has touched it since, and says what was in it.
func (cs *carts) expire(customer string, touched time.Time, items []item) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	if c, ok := cs.by[customer]; ok && c.touched.Equal(touched) {
		delete(cs.by, customer)
		log.Printf("%s left %d items", customer, len(items))
	}
}

func (cs *carts) touch(customer, product string) []item {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	c, ok := cs.by[customer]
	if !ok {
		c = &cart{customer: customer}
		cs.by[customer] = c
	}
	c.touched = time.Now()
	if len(c.items) == 20 {
		c.items = c.items[:0:0]
	}
	c.items = append(c.items, item{product, len(product) * 100})
	items := append([]item(nil), c.items...)
	touched := c.touched
	if form.Fixed && c.expiry != nil {
		c.expiry.Stop()
	}
	c.expiry = time.AfterFunc(lifetime, func() { cs.expire(customer, touched, items) })
	return items
}

func (cs *carts) add(w http.ResponseWriter, r *http.Request) {
	json.NewEncoder(w).Encode(cs.touch(r.PathValue("customer"), r.FormValue("product")))
}

func (cs *carts) count(w http.ResponseWriter, r *http.Request) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	fmt.Fprintln(w, len(cs.by))
}

func main() {
	flag.Parse()
	cs := &carts{by: make(map[string]*cart)}
	http.HandleFunc("POST /carts/{customer}", cs.add)
	http.HandleFunc("GET /carts", cs.count)
	log.Fatal(http.ListenAndServe(*web.Addr, nil))
}
