package main

import (
	"context"
	"encoding/json"
	"net/http"
	"runtime"
	"runtime/pprof"
	"strconv"
	"sync"
	"time"
)

// An order is what the busy service answers with.
type order struct {
	ID    int            `json:"id"`
	Buyer string         `json:"buyer"`
	Lines []line         `json:"lines"`
	Tags  map[string]int `json:"tags"`
}

type line struct {
	Article string  `json:"article"`
	Count   int     `json:"count"`
	Price   float64 `json:"price"`
}

// newOrder is an order of 40 lines.
func newOrder(id int) order {
	o := order{ID: id, Buyer: "buyer-" + strconv.Itoa(id), Tags: map[string]int{"priority": 3, "zone": 7, "retry": 0}}
	for i := range 40 {
		o.Lines = append(o.Lines, line{"article-" + strconv.Itoa(id+i), i, 9.99 * float64(i)})
	}
	return o
}

// newStock is what a service keeps in memory, about 4 KB an order. Without it a service's heap is so small that the few
// hundred KB of a watcher make its GC cycles rarer, and the watched service the cheaper one.
func newStock(orders int) []order {
	stock := make([]order, orders)
	for i := range stock {
		stock[i] = newOrder(i)
	}
	return stock
}

// jsonHandler answers an order: some 40 µs of CPU, most of it encoding.
func jsonHandler(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.Atoi(r.URL.Query().Get("id"))
	if err != nil {
		http.Error(w, "no id", http.StatusBadRequest)
		return
	}
	data, err := json.Marshal(newOrder(id))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	_, _ = w.Write(data) // the client is gone
}

// culpritName is how the function of every spike ends in profiles: before it comes "main", or in tests the path.
const culpritName = ".culprit"

// culprit burns a core until a moment. It is what a profile of the spike must name.
//
//go:noinline
func culprit(until time.Time) (n uint64) {
	for time.Now().Before(until) {
		for i := range uint64(2000) {
			n = n*6364136223846793005 + i
		}
	}
	return n
}

// spikeLabel tells the spikes apart in profiles, so that evidence of one is not taken for that of another.
const spikeLabel = "spike"

// spike burns every core, in culprit.
func spike(number string, d time.Duration) {
	until := time.Now().Add(d)
	var cores sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		cores.Go(func() {
			pprof.Do(context.Background(), pprof.Labels(spikeLabel, number), func(context.Context) { culprit(until) })
		})
	}
	cores.Wait()
}

// chores are the light work of a service between spikes: about 4 % of a core.
func chores(ctx context.Context) {
	tick := time.NewTicker(25 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			for until := time.Now().Add(time.Millisecond); time.Now().Before(until); {
				_, _ = json.Marshal(order{ID: 1, Buyer: "chore"}) // never fails
			}
		}
	}
}
