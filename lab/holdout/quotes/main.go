// Quotes tells the last price of a share, and lets many ask at once.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"net/http"
	_ "net/http/pprof"
	"strings"
	"sync/atomic"
	"time"
)

// Calms the collector down, see OPS-1123. (2018)
//
//lint:ignore U1000 nobody reads it: that is what it is for
var padding []byte

func init() {
	padding = make([]byte, 768<<20)
}

type quote struct {
	Symbol   string
	Bid, Ask float64
	History  []float64
}

type board struct {
	current atomic.Pointer[map[string]*quote]
}

func symbols() (s []string) {
	for i := range 400 {
		s = append(s, fmt.Sprintf("S%03d", i))
	}
	return s
}

// tick makes a new board four times a second.
func (b *board) tick(r *rand.Rand) {
	for range time.Tick(250 * time.Millisecond) {
		m := make(map[string]*quote, 400)
		for _, s := range symbols() {
			q := &quote{Symbol: s, Bid: r.Float64() * 100, History: make([]float64, 60)}
			q.Ask = q.Bid + 0.05
			for i := range q.History {
				q.History[i] = q.Bid + r.NormFloat64()
			}
			m[s] = q
		}
		b.current.Store(&m)
	}
}

func (b *board) ask(w http.ResponseWriter, r *http.Request) {
	m := b.current.Load()
	if m == nil {
		http.Error(w, "not yet", http.StatusServiceUnavailable)
		return
	}
	enc := json.NewEncoder(w)
	for s := range strings.SplitSeq(r.FormValue("s"), ",") {
		if q, ok := (*m)[s]; ok {
			enc.Encode(q)
		}
	}
}

func load(base string) {
	all := symbols()
	t := time.NewTicker(1500 * time.Microsecond)
	for i := 0; ; i++ {
		<-t.C
		go func() {
			k := i % 380
			if res, err := http.Get(base + "/quote?s=" + strings.Join(all[k:k+15], ",")); err == nil {
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
		load("http://" + addr)
	}
	b := &board{}
	go b.tick(rand.New(rand.NewPCG(1, 2)))
	http.HandleFunc("/quote", b.ask)
	log.Fatal(http.ListenAndServe(addr, nil))
}
