// Stockroom knows how much of each article is where. Warehouses download all of it as CSV now and then.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	_ "net/http/pprof"
	"time"

	"github.com/gorilla/mux"

	"github.com/gocasebook/casebook/lab/holdout5/internal/drive"
)

type api struct{ stock *Stock }

func (a api) item(w http.ResponseWriter, r *http.Request) {
	it, ok := a.stock.Item(mux.Vars(r)["sku"])
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(it)
}

func (a api) move(w http.ResponseWriter, r *http.Request) {
	var m Movement
	if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if err := a.stock.Move(mux.Vars(r)["sku"], m); err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func (a api) export(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	if err := a.stock.WriteCSV(w); err != nil {
		log.Printf("export for %s: %v", r.RemoteAddr, err)
	}
}

func router(s *Stock) http.Handler {
	a := api{s}
	r := mux.NewRouter()
	r.HandleFunc("/items.csv", a.export).Methods(http.MethodGet)
	r.HandleFunc("/items/{sku}", a.item).Methods(http.MethodGet)
	r.HandleFunc("/items/{sku}/movements", a.move).Methods(http.MethodPost)
	r.PathPrefix("/debug/pprof").Handler(http.DefaultServeMux)
	return r
}

// warehouse downloads the list over a line of 5 MB a second.
func warehouse(p drive.Ports) {
	drive.Await(p.Main())
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true,
		Dial: func(network, addr string) (net.Conn, error) {
			c, err := net.Dial(network, addr)
			if err == nil {
				c.(*net.TCPConn).SetReadBuffer(32 << 10)
			}
			return c, err
		}}}
	for {
		res, err := client.Get("http://" + p.Main() + "/items.csv")
		if err != nil {
			log.Print(err)
			time.Sleep(time.Second)
			continue
		}
		for {
			if _, err := io.CopyN(io.Discard, res.Body, 50<<10); err != nil {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		res.Body.Close()
		time.Sleep(2500 * time.Millisecond)
	}
}

func load(p drive.Ports) {
	go warehouse(p)
	drive.Load{Rate: 190, Callers: 300}.Run(func(i int) *http.Request {
		if i%6 == 0 {
			return drive.Send(http.MethodPost, p.Main(), "/items/"+sku(i*31%articles)+"/movements",
				fmt.Sprintf(`{"bin":%d,"count":%d}`, i%5, 1+i%3))
		}
		return drive.Get(p.Main(), "/items/%s", sku(i*17%articles))
	})
}

const articles = 90_000

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	log.Fatal(http.ListenAndServe(p.Main(), router(NewStock(articles))))
}
