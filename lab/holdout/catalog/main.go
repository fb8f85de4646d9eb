// Catalog validates products that suppliers post, and answers with the price for a country.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"time"
)

type Product struct {
	SKU     string             `json:"sku"`
	Title   string             `json:"title"`
	Prices  map[string]float64 `json:"prices"`
	Options []Option           `json:"options"`
}

type Option struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

// loose reads a product as it comes: suppliers write "SKU", "Sku", and worse.
func loose(body []byte) (map[string]any, error) {
	var m map[string]any
	if err := json.Unmarshal(body, &m); err != nil {
		return nil, err
	}
	for _, k := range []string{"SKU", "Sku", "article"} {
		if v, ok := m[k]; ok {
			m["sku"] = v
			delete(m, k)
		}
	}
	return m, nil
}

// strict gives it its type.
func strict(m map[string]any) (p Product, err error) {
	b, err := json.Marshal(m)
	if err != nil {
		return p, err
	}
	return p, json.Unmarshal(b, &p)
}

func price(p Product, country string) (float64, error) {
	v, ok := p.Prices[country]
	if !ok {
		return 0, fmt.Errorf("%s has no price in %s", p.SKU, country)
	}
	for _, o := range p.Options {
		if o.Name == "size" && len(o.Values) > 12 {
			v *= 1.02
		}
	}
	return v, nil
}

func post(w http.ResponseWriter, r *http.Request) {
	var b bytes.Buffer
	if _, err := b.ReadFrom(http.MaxBytesReader(w, r.Body, 1<<20)); err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	m, err := loose(b.Bytes())
	if err != nil {
		http.Error(w, err.Error(), 400)
		return
	}
	p, err := strict(m)
	if err != nil {
		http.Error(w, err.Error(), 400)
		return
	}
	v, err := price(p, r.URL.Query().Get("country"))
	if err != nil {
		http.Error(w, err.Error(), 404)
		return
	}
	fmt.Fprintf(w, "%.2f\n", v)
}

func sample() []byte {
	p := map[string]any{"article": "A-77120", "title": "Wool sweater, long arms, made in Bergen"}
	prices := map[string]float64{}
	for i := range 40 {
		prices[fmt.Sprintf("%c%c", 'A'+i%26, 'A'+i/2)] = 10 + float64(i)*1.37
	}
	p["prices"] = prices
	var options []Option
	for i := range 25 {
		options = append(options, Option{[]string{"size", "colour", "neck"}[i%3],
			[]string{"one", "two", "three", "four", "five", "six"}})
	}
	p["options"] = options
	b, _ := json.Marshal(p)
	return b
}

func load(url string) {
	body := sample()
	for t := time.NewTicker(time.Millisecond); ; <-t.C {
		go func() {
			if res, err := http.Post(url, "application/json", bytes.NewReader(body)); err == nil {
				res.Body.Close()
			}
		}()
	}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	addr := fmt.Sprintf("127.0.0.1:%d", *port)
	if *l {
		load("http://" + addr + "/price?country=AA")
	}
	http.HandleFunc("/price", post)
	log.Fatal(http.ListenAndServe(addr, nil))
}
