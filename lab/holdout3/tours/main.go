// Tours lists departures of guided tours around the world, in the local time of each and of the reader.
package main

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	_ "net/http/pprof"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/gocasebook/casebook/lab/holdout3/internal/drive"
)

type Tour struct {
	ID       int
	City     string
	Zone     string
	Title    string
	Starts   time.Time // in UTC
	Duration time.Duration
	Price    int
}

type Departure struct {
	ID     int    `json:"id"`
	City   string `json:"city"`
	Title  string `json:"title"`
	Local  string `json:"local"`
	Yours  string `json:"yours"`
	Ends   string `json:"ends"`
	Price  string `json:"price"`
	IsSoon bool   `json:"soon"`
}

var zones = []string{"Europe/Amsterdam", "Europe/Lisbon", "America/New_York", "America/Sao_Paulo", "Asia/Tokyo",
	"Asia/Kolkata", "Africa/Nairobi", "Australia/Sydney"}

func inZone(t time.Time, zone string) (time.Time, error) {
	loc, err := time.LoadLocation(zone)
	if err != nil {
		return t, fmt.Errorf("zone of the tour: %w", err)
	}
	return t.In(loc), nil
}

func (t *Tour) departure(now time.Time, reader *time.Location) (Departure, error) {
	local, err := inZone(t.Starts, t.Zone)
	if err != nil {
		return Departure{}, err
	}
	const layout = "Mon 2 Jan 2006 15:04 MST"
	return Departure{
		ID: t.ID, City: t.City, Title: t.Title, Price: fmt.Sprintf("€ %d.%02d", t.Price/100, t.Price%100),
		Local:  local.Format(layout),
		Yours:  t.Starts.In(reader).Format(layout),
		Ends:   local.Add(t.Duration).Format(time.Kitchen),
		IsSoon: t.Starts.Sub(now) < 48*time.Hour,
	}, nil
}

// Catalogue is ordered by start.
type Catalogue []Tour

func (c Catalogue) search(word string, limit int) []*Tour {
	var found []*Tour
	for i := range c {
		if strings.Contains(strings.ToLower(c[i].Title), word) {
			if found = append(found, &c[i]); len(found) == limit {
				break
			}
		}
	}
	return found
}

func (c Catalogue) list(w http.ResponseWriter, r *http.Request) {
	reader, err := time.LoadLocation(r.URL.Query().Get("tz"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	now := time.Now()
	var out []Departure
	for _, t := range c.search(chi.URLParam(r, "word"), 50) {
		d, err := t.departure(now, reader)
		if err != nil {
			slog.Error("departure", "error", err)
			http.Error(w, "sorry", http.StatusInternalServerError)
			return
		}
		out = append(out, d)
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(out)
}

func catalogue(n int) Catalogue {
	kinds := []string{"Harbour Walk", "Museum Night", "Food Market", "Old Town by Bike", "Temple and Garden"}
	var c Catalogue
	for i := range n {
		z := zones[i%len(zones)]
		_, city, _ := strings.Cut(z, "/")
		c = append(c, Tour{ID: i, City: city, Zone: z, Title: city + " " + kinds[i%len(kinds)],
			Starts:   time.Now().Add(time.Duration(i*7919%2000) * time.Hour),
			Duration: 3 * time.Hour, Price: 1900 + i%900})
	}
	slices.SortFunc(c, func(a, b Tour) int { return a.Starts.Compare(b.Starts) })
	return c
}

func load(p drive.Ports) {
	words := []string{"harbour", "museum", "food", "bike", "garden"}
	drive.HTTP(350, func(i int) *http.Request {
		return drive.Get(p.Main(), "/tours/%s?tz=%s", words[i%len(words)], zones[i%len(zones)])
	})
}

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	r := chi.NewRouter()
	r.Get("/tours/{word}", catalogue(3000).list)
	r.Handle("/debug/pprof/*", http.DefaultServeMux)
	if err := http.ListenAndServe(p.Main(), r); err != nil {
		slog.Error("ended", "error", err)
		os.Exit(1)
	}
}
