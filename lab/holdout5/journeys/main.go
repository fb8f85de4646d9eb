// Journeys plans trips by train. It knows the timetable; names and platforms of stations are in another service.
package main

import (
	"encoding/json"
	"log"
	"net/http"
	_ "net/http/pprof"
	"strconv"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/gocasebook/casebook/lab/holdout5/internal/drive"
)

func main() {
	p := drive.Flags()
	if p.Load {
		serveStations(p.Dependency())
		load(p)
	}
	conn, err := grpc.NewClient(p.Dependency(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close()
	planner := &Planner{table: newTimetable(400, 9000), stations: &stationClient{conn}}
	http.HandleFunc("GET /journeys", func(w http.ResponseWriter, r *http.Request) {
		from, _ := strconv.Atoi(r.FormValue("from"))
		to, _ := strconv.Atoi(r.FormValue("to"))
		list, err := planner.Plan(r.Context(), from, to)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(list)
	})
	srv := &http.Server{Addr: p.Main(), ReadHeaderTimeout: 2 * time.Second}
	log.Fatal(srv.ListenAndServe())
}

func load(p drive.Ports) {
	drive.Load{Rate: 45}.Run(func(i int) *http.Request {
		return drive.Get(p.Main(), "/journeys?from=%d&to=%d", i*7%400, i*13%400)
	})
}
