// Harvest finds the first parcels of land that fit a wish.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	_ "net/http/pprof"
	"strconv"
	"time"
)

type parcel struct {
	ID       int
	Hectares float64
	Soil     string
}

// stream is a sequence of values that somebody produces.
type stream[T any] <-chan T

func produce[T any](n int, at func(int) T) stream[T] {
	c := make(chan T)
	go func() {
		defer close(c)
		for i := range n {
			c <- at(i)
		}
	}()
	return c
}

func (s stream[T]) where(ok func(T) bool) stream[T] {
	c := make(chan T)
	go func() {
		defer close(c)
		for v := range s {
			if ok(v) {
				c <- v
			}
		}
	}()
	return c
}

func (s stream[T]) first(n int) []T {
	var all []T
	for v := range s {
		if all = append(all, v); len(all) == n {
			break
		}
	}
	return all
}

type cadastre struct{ size int }

func (c cadastre) at(i int) parcel {
	return parcel{i, float64(i*7919%400) / 10, []string{"loess", "clay", "sand"}[i%3]}
}

func (c cadastre) search(w http.ResponseWriter, r *http.Request) {
	least, err := strconv.ParseFloat(r.FormValue("hectares"), 64)
	if err != nil {
		http.Error(w, "how many hectares?", http.StatusBadRequest)
		return
	}
	soil := r.FormValue("soil")
	found := produce(c.size, c.at).
		where(func(p parcel) bool { return p.Hectares >= least }).
		where(func(p parcel) bool { return p.Soil == soil }).
		first(5)
	json.NewEncoder(w).Encode(found)
}

func load(url string) {
	client := &http.Client{}
	for i := 0; ; i++ {
		res, err := client.Get(fmt.Sprintf("%s/search?hectares=%d&soil=clay", url, 10+i%20))
		if err == nil {
			io.Copy(io.Discard, res.Body)
			res.Body.Close()
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	addr := fmt.Sprintf("127.0.0.1:%d", *port)
	if *l {
		load("http://" + addr)
	}
	http.HandleFunc("/search", cadastre{100_000}.search)
	log.Fatal(http.ListenAndServe(addr, nil))
}
