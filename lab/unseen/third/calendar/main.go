// Calendar lists the meetings of a week, each at the time of its place.
package main

import (
	"flag"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/gocasebook/casebook/lab/unseen/third/form"
	"github.com/gocasebook/casebook/lab/unseen/third/web"
)

var places = []string{"Europe/Berlin", "America/New_York", "Asia/Tokyo", "Europe/London", "Australia/Sydney"}

type meeting struct {
	title, place string
	at           time.Time
}

type calendar struct {
	meetings []meeting
	zones    sync.Map
}

func (c *calendar) zone(place string) (*time.Location, error) {
	if form.Fixed {
		if zone, ok := c.zones.Load(place); ok {
			return zone.(*time.Location), nil
		}
	}
	zone, err := time.LoadLocation(place)
	if err == nil && form.Fixed {
		c.zones.Store(place, zone)
	}
	return zone, err
}

func (c *calendar) line(m meeting) (string, error) {
	zone, err := c.zone(m.place)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s %s\n", m.at.In(zone).Format(time.RFC1123Z), m.title), nil
}

func (c *calendar) week(w http.ResponseWriter, r *http.Request) {
	for _, m := range c.meetings {
		line, err := c.line(m)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprint(w, line)
	}
}

func (c *calendar) count(w http.ResponseWriter, r *http.Request) { fmt.Fprintln(w, len(c.meetings)) }

func main() {
	flag.Parse()
	c := &calendar{}
	for i := range 200 {
		at := time.Date(2026, 11, 23+i%5, 8+i%10, 0, 0, 0, time.UTC)
		c.meetings = append(c.meetings, meeting{fmt.Sprintf("meeting %d", i), places[i%len(places)], at})
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /week", c.week)
	mux.HandleFunc("GET /count", c.count)
	web.Serve(mux)
}
