// Parcels asks several carriers what a parcel costs and takes the first answer.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"time"
)

var errNone = errors.New("no carrier answered in time")

type quote struct {
	carrier string
	cents   int
}

// A carrier says what it wants for a parcel.
type carrier func(grams int) quote

type desk struct {
	carriers []carrier
	patience time.Duration
}

// first gives the answer of the carrier that answers first.
func (d *desk) first(ctx context.Context, grams int) (quote, error) {
	quotes := make(chan quote)
	for _, ask := range d.carriers {
		go func() { quotes <- ask(grams) }()
	}
	select {
	case q := <-quotes:
		return q, nil
	case <-time.After(d.patience):
		return quote{}, errNone
	case <-ctx.Done():
		return quote{}, ctx.Err()
	}
}

func (d *desk) show(w http.ResponseWriter, r *http.Request) {
	q, err := d.first(r.Context(), len(r.FormValue("parcel")))
	if err != nil {
		http.Error(w, err.Error(), http.StatusGatewayTimeout)
		return
	}
	fmt.Fprintln(w, q.carrier, q.cents)
}

// slow is a carrier that takes so long.
func slow(name string, takes time.Duration) carrier {
	return func(grams int) quote {
		time.Sleep(takes)
		return quote{name, 390 + grams}
	}
}

func main() {
	addr := flag.String("addr", "127.0.0.1:7811", "where to serve")
	flag.Parse()
	d := &desk{patience: time.Second, carriers: []carrier{
		slow("north", 5*time.Millisecond), slow("south", 20*time.Millisecond), slow("west", 30*time.Millisecond),
	}}
	http.HandleFunc("GET /quote", d.show)
	log.Fatal(http.ListenAndServe(*addr, nil))
}
