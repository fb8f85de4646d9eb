// Bids keeps the bids of an auction and shows the best ten.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"slices"
	"strconv"
	"sync"
)

const shown = 10

type bid struct {
	bidder string
	cents  int
	number int // in the order in which they came
}

type auction struct {
	mu   sync.Mutex
	bids []bid
}

func (a *auction) add(bidder string, cents int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.bids = append(a.bids, bid{bidder, cents, len(a.bids)})
}

// better orders bids: the highest first, of equal ones the earliest.
func better(a, b bid) int {
	return cmp.Or(cmp.Compare(b.cents, a.cents), cmp.Compare(a.number, b.number))
}

// best gives the best bids.
func (a *auction) best() []bid {
	a.mu.Lock()
	all := slices.Clone(a.bids)
	a.mu.Unlock()
	slices.SortFunc(all, better)
	return all[:min(shown, len(all))]
}

// last gives the bids that came last, the newest first.
func (a *auction) last() []bid {
	a.mu.Lock()
	defer a.mu.Unlock()
	newest := slices.Clone(a.bids[max(0, len(a.bids)-shown):])
	slices.Reverse(newest)
	return newest
}

func show(w http.ResponseWriter, bids []bid) {
	for _, b := range bids {
		fmt.Fprintln(w, b.bidder, b.cents)
	}
}

func (a *auction) place(w http.ResponseWriter, r *http.Request) {
	cents, err := strconv.Atoi(r.FormValue("cents"))
	if err != nil {
		http.Error(w, "cents", http.StatusBadRequest)
		return
	}
	a.add(r.FormValue("bidder"), cents)
}

func main() {
	addr := flag.String("addr", "127.0.0.1:7810", "where to serve")
	flag.Parse()
	a := &auction{}
	for i := range 4000 {
		a.add(fmt.Sprint("b", i), i*7919%100_000)
	}
	http.HandleFunc("POST /bids", a.place)
	http.HandleFunc("GET /best", func(w http.ResponseWriter, _ *http.Request) { show(w, a.best()) })
	http.HandleFunc("GET /last", func(w http.ResponseWriter, _ *http.Request) { show(w, a.last()) })
	log.Fatal(http.ListenAndServe(*addr, nil))
}
