// Geoquote quotes delivery: it asks a geocoder for both addresses, and prices the distance.
package main

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	_ "net/http/pprof"
	"net/url"
	"os"
	"time"

	"github.com/rs/zerolog"
	"golang.org/x/sync/errgroup"

	"github.com/gocasebook/casebook/lab/holdout3/internal/drive"
)

type Point struct{ Lat, Lon float64 }

// Geocoder is a client of the geocoding service.
type Geocoder struct {
	base string
	http *http.Client
}

func NewGeocoder(base string) *Geocoder {
	return &Geocoder{base, &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}}
}

func (g *Geocoder) Find(address string) (Point, error) {
	var p Point
	res, err := g.http.Get(g.base + "/find?q=" + url.QueryEscape(address))
	if err != nil {
		return p, fmt.Errorf("geocoder: %w", err)
	}
	switch res.StatusCode {
	case http.StatusOK:
		defer res.Body.Close()
		err = json.NewDecoder(res.Body).Decode(&p)
		return p, err
	case http.StatusNotFound:
		return g.fallback(address), nil
	}
	return p, fmt.Errorf("geocoder: %s", res.Status)
}

// fallback is the middle of the country.
func (g *Geocoder) fallback(string) Point { return Point{51.9, 10.4} }

func distance(a, b Point) float64 {
	const rad = math.Pi / 180
	h := math.Pow(math.Sin((b.Lat-a.Lat)*rad/2), 2) +
		math.Cos(a.Lat*rad)*math.Cos(b.Lat*rad)*math.Pow(math.Sin((b.Lon-a.Lon)*rad/2), 2)
	return 2 * 6371 * math.Asin(math.Sqrt(h))
}

type Quote struct {
	Kilometres float64 `json:"km"`
	Price      float64 `json:"price"`
	Steps      []Point `json:"steps"`
}

type server struct {
	geo *Geocoder
	log zerolog.Logger
}

func (s *server) quote(from, to string) (Quote, error) {
	var a, b Point
	var g errgroup.Group
	g.Go(func() (err error) { a, err = s.geo.Find(from); return err })
	g.Go(func() (err error) { b, err = s.geo.Find(to); return err })
	if err := g.Wait(); err != nil {
		return Quote{}, err
	}
	q := Quote{Kilometres: distance(a, b)}
	q.Price = 3.9 + 0.07*q.Kilometres
	for i := range 60 {
		part := float64(i) / 59
		q.Steps = append(q.Steps, Point{a.Lat + (b.Lat-a.Lat)*part, a.Lon + (b.Lon-a.Lon)*part})
	}
	return q, nil
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	q, err := s.quote(r.FormValue("from"), r.FormValue("to"))
	if err != nil {
		s.log.Error().Err(err).Msg("quote")
		http.Error(w, "no quote", http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(q)
	s.log.Info().Str("from", r.FormValue("from")).Dur("took", time.Since(began)).Msg("quote")
}

// geocoder is the service that is asked: it knows most addresses.
func geocoder(w http.ResponseWriter, r *http.Request) {
	var n int
	fmt.Sscanf(r.FormValue("q"), "Street %d", &n)
	if n%12 == 5 {
		w.WriteHeader(http.StatusNotFound)
		json.NewEncoder(w).Encode(map[string]any{"error": "unknown address", "query": r.FormValue("q")})
		return
	}
	json.NewEncoder(w).Encode(Point{47 + float64(n%80)/10, 6 + float64(n%70)/10})
}

func load(p drive.Ports) {
	go http.ListenAndServe(p.Dependency(), http.HandlerFunc(geocoder))
	drive.HTTP(400, func(i int) *http.Request {
		return drive.Get(p.Main(), "/quote?from=Street+%d&to=Street+%d", i*7%1000, i*11%1000)
	})
}

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	log := zerolog.New(zerolog.ConsoleWriter{Out: os.Stderr}).Level(zerolog.ErrorLevel).With().Timestamp().Logger()
	http.Handle("/quote", &server{NewGeocoder("http://" + p.Dependency()), log})
	log.Fatal().Err(http.ListenAndServe(p.Main(), nil)).Send()
}
