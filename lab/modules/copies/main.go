// Copies prices baskets. A basket comes in an order, which must be decoded. The form (-kind) says what happens then.
//
// The first forms encode the basket and decode it again, to have a copy whose prices can be changed, each in another
// format or over another library: json (encoding/json), goccy, jsoniter, msgpack, cbor, gob; "map" does it in JSON, to
// have the basket as a map. Orders come in the same format.
//
// In the others somebody else needs what is encoded, and what is decoded is something else: "client" asks another
// service over HTTP, "socket" over a WebSocket (gorilla), "redis" looks into a cache and fills it, "pipe"
// writes a value and reads another one over TCP, "answer" encodes what was made of the basket.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"strings"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

// An item is a line of a basket.
type item struct {
	Article  string            `json:"article"`
	Title    string            `json:"title"`
	Pieces   int               `json:"pieces"`
	Price    float64           `json:"price"`
	Options  map[string]string `json:"options"`
	Keywords []string          `json:"keywords"`
}

type basket struct {
	Customer string `json:"customer"`
	Note     string `json:"note"`
	Items    []item `json:"items"`
}

// order is what comes: the basket, and where it goes, and what was looked at, which the copy does not need.
type order struct {
	Basket  basket   `json:"basket"`
	Address []string `json:"address"`
	Seen    []item   `json:"seen"`
}

// A pricer makes a basket's prices; it may not change the basket.
type pricer func(basket) (float64, error)

type shop struct {
	read  func(io.Reader) (order, error)
	price pricer
}

func (s *shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	o, err := s.read(r.Body)
	var total float64
	if err == nil {
		total, err = s.price(o.Basket)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	fmt.Fprintf(w, "%.2f\n", total)
}

// discounted changes the prices of a copy.
func discounted(clone func(basket) (basket, error)) pricer {
	return func(b basket) (float64, error) {
		own, err := clone(b)
		if err != nil {
			return 0, err
		}
		return sum(own.Items), nil
	}
}

// sum is what the items cost with three for two.
func sum(items []item) (total float64) {
	for i := range items {
		items[i].Price *= float64(items[i].Pieces - items[i].Pieces/3)
		total += items[i].Price
	}
	return total
}

func start(o serve.Options) error {
	s := &shop{read: readJSON}
	if f, ok := formats[o.Kind]; ok {
		s.read, s.price = f.read, discounted(f.clone)
	} else if begin, ok := exchanges[o.Kind]; ok {
		var err error
		if s.price, err = begin(o.Backend); err != nil {
			return err
		}
	} else {
		return fmt.Errorf("no form %q", o.Kind)
	}
	http.Handle("POST /baskets", s)
	return nil
}

// sample is an order of some 30 kB.
func sample() order {
	items := func(n int) (out []item) {
		for i := range n {
			out = append(out, item{Article: fmt.Sprint("a", i), Title: strings.Repeat("a thing ", 4), Pieces: 1 + i%7,
				Price: 9.99 + float64(i), Options: map[string]string{"colour": "blue", "size": "XL", "gift": "no"},
				Keywords: []string{"new", "cheap", "for winter"}})
		}
		return out
	}
	return order{basket{"c1", "at noon", items(70)}, []string{"Some Street 1", "Town"}, items(20)}
}

func load(o serve.Options) {
	marshal := json.Marshal
	if f, ok := formats[o.Kind]; ok {
		marshal = f.marshal
	}
	body, err := marshal(sample())
	if err != nil {
		log.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	serve.Steady(o.Rate, func(int) {
		res, err := client.Post(fmt.Sprintf("http://127.0.0.1:%d/baskets", o.Port), "application/json",
			bytes.NewReader(body))
		if err == nil {
			io.Copy(io.Discard, res.Body)
			res.Body.Close()
		}
	})
}

func main() {
	serve.Run(serve.Service{Start: start, Load: load, Rate: 300, BackendOf: backend})
}
