// Arena ranks the players of a season. Scores come all the time, and everybody looks at the places around their own.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"strconv"

	"github.com/gorilla/mux"

	"github.com/gocasebook/casebook/lab/holdout6/internal/drive"
)

const players = 50_000

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	s := newSeason()
	for i := range players {
		s.Add(i, i*7919%100_003)
	}
	r := mux.NewRouter()
	r.HandleFunc("/players/{id:[0-9]+}/score", func(w http.ResponseWriter, r *http.Request) {
		id, _ := strconv.Atoi(mux.Vars(r)["id"])
		var in struct{ Points int }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		s.Add(id, in.Points)
	}).Methods(http.MethodPost)
	r.HandleFunc("/players/{id:[0-9]+}/around", func(w http.ResponseWriter, r *http.Request) {
		id, _ := strconv.Atoi(mux.Vars(r)["id"])
		json.NewEncoder(w).Encode(s.Around(id, 10))
	}).Methods(http.MethodGet)
	r.HandleFunc("/top", func(w http.ResponseWriter, r *http.Request) {
		json.NewEncoder(w).Encode(s.Top(100))
	}).Methods(http.MethodGet)
	r.PathPrefix("/debug/").Handler(http.DefaultServeMux)
	log.Fatal(http.ListenAndServe(p.Main(), r))
}

func load(p drive.Ports) {
	drive.Load{Rate: 500}.Run(func(i int) *http.Request {
		switch i % 5 {
		case 0:
			return drive.Get(p.Main(), "/top")
		case 1, 2:
			return drive.Get(p.Main(), "/players/%d/around", i*31%players)
		}
		return drive.Send(http.MethodPost, p.Main(), fmt.Sprintf("/players/%d/score", i*17%players),
			fmt.Sprintf(`{"Points":%d}`, i%50))
	})
}
