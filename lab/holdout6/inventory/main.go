// Inventory knows what is on the shelves of 200 warehouses, in Badger.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"

	"github.com/dgraph-io/badger/v4"
	"github.com/gorilla/mux"

	"github.com/gocasebook/casebook/lab/holdout6/internal/drive"
)

type api struct{ stock *Stock }

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	s, err := Open(200, 150)
	if err != nil {
		log.Fatal(err)
	}
	a := api{stock: s}
	r := mux.NewRouter()
	r.HandleFunc("/warehouses/{warehouse}/low", a.low).Methods(http.MethodGet)
	r.HandleFunc("/warehouses/{warehouse}/items/{sku}", a.item).Methods(http.MethodGet)
	r.HandleFunc("/warehouses/{warehouse}/items/{sku}", a.put).Methods(http.MethodPut)
	r.PathPrefix("/debug/").Handler(http.DefaultServeMux)
	log.Fatal(http.ListenAndServe(p.Main(), r))
}

func (a api) low(w http.ResponseWriter, r *http.Request) {
	items, err := a.stock.Low(mux.Vars(r)["warehouse"], 5)
	answer(w, items, err)
}

func (a api) item(w http.ResponseWriter, r *http.Request) {
	v := mux.Vars(r)
	it, err := a.stock.Get(v["warehouse"], v["sku"])
	answer(w, it, err)
}

func (a api) put(w http.ResponseWriter, r *http.Request) {
	v := mux.Vars(r)
	var it Item
	if err := json.NewDecoder(r.Body).Decode(&it); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	it.SKU = v["sku"]
	answer(w, it, a.stock.Put(v["warehouse"], it))
}

func answer(w http.ResponseWriter, v any, err error) {
	switch {
	case errors.Is(err, badger.ErrKeyNotFound):
		http.Error(w, "no such item", http.StatusNotFound)
	case err != nil:
		http.Error(w, err.Error(), http.StatusInternalServerError)
	default:
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(v)
	}
}

func load(p drive.Ports) {
	drive.Load{Rate: 150}.Run(func(i int) *http.Request {
		switch i % 20 {
		case 0:
			return drive.Get(p.Main(), "/warehouses/%04d/low", i*7%200)
		case 1:
			return drive.Send(http.MethodPut, p.Main(), fmt.Sprintf("/warehouses/%04d/items/sku-%05d", i%200, i*3%150),
				fmt.Sprintf(`{"count":%d,"bin":"A%d"}`, i%90, i%40))
		}
		return drive.Get(p.Main(), "/warehouses/%04d/items/sku-%05d", i%200, i*11%150)
	})
}
