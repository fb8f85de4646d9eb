// Weather shows the weather of a city, which another service knows.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"time"

	"github.com/go-resty/resty/v2"

	"github.com/gocasebook/casebook/lab/unseen/third/form"
	"github.com/gocasebook/casebook/lab/unseen/third/web"
)

type report struct {
	City    string  `json:"city"`
	Celsius float64 `json:"celsius"`
}

type weather struct{ client *resty.Client }

func client() *resty.Client {
	return resty.New().SetTimeout(5 * time.Second).SetBaseURL("http://" + *web.Peer)
}

func (s *weather) ask(city string) (report, error) {
	c := s.client
	if !form.Fixed {
		c = client()
	}
	var now report
	res, err := c.R().SetPathParam("city", city).SetResult(&now).Get("/now/{city}")
	if err == nil && res.IsError() {
		err = fmt.Errorf("the provider says %s", res.Status())
	}
	return now, err
}

func (s *weather) city(w http.ResponseWriter, r *http.Request) {
	now, err := s.ask(r.PathValue("city"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	fmt.Fprintf(w, "%s: %.1f °C\n", now.City, now.Celsius)
}

func provider() {
	http.HandleFunc("GET /now/{city}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"city": %q, "celsius": 11.5}`, r.PathValue("city"))
	})
	log.Fatal(http.ListenAndServe(*web.Peer, nil))
}

func main() {
	flag.Parse()
	if *web.Back {
		provider()
	}
	s := &weather{client: client()}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /cities/{city}", s.city)
	mux.HandleFunc("GET /units", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "°C") })
	web.Serve(mux)
}
