// Kitchen shows guests when their order is ready: the screen at the counter and the guest's own telephone wait for it.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"math/rand/v2"
	"net/http"
	_ "net/http/pprof"
	"strconv"
	"time"

	"github.com/gorilla/mux"

	"github.com/gocasebook/casebook/lab/holdout5/internal/drive"
)

type handlers struct {
	board *Board
	menu  []dish
}

type dish struct {
	Name        string   `json:"name"`
	Price       int      `json:"price"`
	Allergens   []string `json:"allergens"`
	Description string   `json:"description"`
}

func (h handlers) place(w http.ResponseWriter, r *http.Request) {
	id := ticketID(r)
	h.board.Place(id)
	w.WriteHeader(http.StatusAccepted)
}

func (h handlers) ready(w http.ResponseWriter, r *http.Request) {
	h.board.Serve(ticketID(r))
	w.WriteHeader(http.StatusNoContent)
}

func (h handlers) await(w http.ResponseWriter, r *http.Request) {
	shelf, ok := h.board.Await(ticketID(r))
	if !ok {
		http.NotFound(w, r)
		return
	}
	reply(w, map[string]int{"shelf": shelf})
}

func (h handlers) list(w http.ResponseWriter, r *http.Request) { reply(w, h.menu) }

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}

func ticketID(r *http.Request) int {
	id, _ := strconv.Atoi(mux.Vars(r)["id"])
	return id
}

func menu() (list []dish) {
	for i := range 120 {
		list = append(list, dish{fmt.Sprintf("Dish %d", i), 650 + i*15, []string{"gluten", "milk"},
			"With seasonal vegetables and a choice of two sides"})
	}
	return list
}

// load places orders; each is ready within a second, and two screens wait for it.
func load(p drive.Ports) {
	client := &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 200}}
	do := func(method, format string, id int) {
		if res, err := client.Do(drive.Send(method, p.Main(), fmt.Sprintf(format, id), "")); err == nil {
			res.Body.Close()
		}
	}
	go func() {
		for id := 1; ; id++ {
			time.Sleep(60 * time.Millisecond)
			go func() {
				do(http.MethodPost, "/tickets/%d", id)
				go do(http.MethodGet, "/tickets/%d/ready", id)
				go do(http.MethodGet, "/tickets/%d/ready", id)
				time.Sleep(time.Duration(200+rand.IntN(700)) * time.Millisecond)
				do(http.MethodPut, "/tickets/%d/ready", id)
			}()
		}
	}()
	drive.Load{Rate: 250}.Run(func(int) *http.Request { return drive.Get(p.Main(), "/menu") })
}

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	h := handlers{board: NewBoard(24), menu: menu()}
	r := mux.NewRouter()
	r.HandleFunc("/menu", h.list).Methods(http.MethodGet)
	r.HandleFunc("/tickets/{id:[0-9]+}", h.place).Methods(http.MethodPost)
	r.HandleFunc("/tickets/{id:[0-9]+}/ready", h.await).Methods(http.MethodGet)
	r.HandleFunc("/tickets/{id:[0-9]+}/ready", h.ready).Methods(http.MethodPut)
	r.PathPrefix("/debug/pprof/").Handler(http.DefaultServeMux)
	log.Fatal(http.ListenAndServe(p.Main(), r))
}
