// Bellhop quotes the price of a stay.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	_ "net/http/pprof"
	"runtime"
	"time"
)

const (
	rooms  = 48
	nights = 365
)

var demand [rooms][nights]float64

// forecast smooths the demand for a room over the year, by season and by weekday.
func forecast(room, from int) float64 {
	best := 0.0
	for lag := 1; lag < 60; lag++ {
		sum, weight := 0.0, 0.0
		for d := range nights {
			w := 1 / float64(1+(d+lag)%7)
			sum += w * demand[room][(from+d*lag)%nights]
			weight += w
		}
		best = max(best, sum/weight)
	}
	return best
}

func quote(from, stay int) (room int, price float64) {
	price = 1e9
	for r := range rooms {
		total := 0.0
		for n := range stay {
			total += 60 + 90*forecast(r, from+n)
		}
		if total < price {
			room, price = r, total
		}
	}
	return room, price
}

func handle(w http.ResponseWriter, r *http.Request) {
	var from, stay int
	if _, err := fmt.Sscanf(r.URL.Path, "/quote/%d/%d", &from, &stay); err != nil || stay > 14 {
		http.Error(w, "quote/FROM/NIGHTS", http.StatusBadRequest)
		return
	}
	room, price := quote(from, stay)
	fmt.Fprintf(w, "room %d at %.2f\n", room, price)
}

// load has a coach of guests arrive now and then.
func load(url string) {
	for i := 0; ; i++ {
		done := make(chan bool)
		for g := range 10 {
			go func() {
				defer func() { done <- true }()
				res, err := http.Get(fmt.Sprintf("%s/quote/%d/%d", url, (i*31+g)%365, 3+g%3))
				if err == nil {
					io.Copy(io.Discard, res.Body)
					res.Body.Close()
				}
			}()
		}
		for range 10 {
			<-done
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func main() {
	port := flag.Int("port", 7000, "HTTP")
	l := flag.Bool("load", false, "send guests")
	flag.Parse()
	addr := fmt.Sprintf("127.0.0.1:%d", *port)
	if *l {
		load("http://" + addr)
	}
	runtime.GOMAXPROCS(1) // the small instances have one core
	for r := range rooms {
		for n := range nights {
			demand[r][n] = float64((r*7+n*13)%100) / 100
		}
	}
	http.HandleFunc("/quote/", handle)
	log.Fatal(http.ListenAndServe(addr, nil))
}
