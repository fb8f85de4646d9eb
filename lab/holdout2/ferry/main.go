// Ferry finds connections in a timetable of ships. Each question is cut into parts, one for each CPU.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"net"
	"net/http"
	"net/http/pprof"
	"os"
	"runtime"
	"sort"
	"time"

	"golang.org/x/sync/errgroup"
)

type sailing struct {
	From, To      string
	Leave, Arrive int
}

type itinerary struct {
	Legs  [2]sailing
	Total int
}

type timetable struct{ sailings []sailing }

var ports = []string{"Bergen", "Oban", "Kirkwall", "Lerwick", "Torshavn", "Stromness", "Aberdeen", "Hirtshals"}

func published() *timetable {
	t := new(timetable)
	for i := range 3000 {
		t.sailings = append(t.sailings, sailing{ports[i%8], ports[(i*3+1)%8], i * 7 % 1440, i*7%1440 + 40 + i%200})
	}
	return t
}

// part is the best of those that begin with every n-th sailing.
func (t *timetable) part(ctx context.Context, from, to string, k, n int) (best itinerary, err error) {
	best.Total = math.MaxInt
	for i := k; i < len(t.sailings); i += n {
		a := t.sailings[i]
		if a.From != from {
			continue
		}
		for _, b := range t.sailings {
			if b.From == a.To && b.To == to && b.Leave > a.Arrive && b.Arrive-a.Leave < best.Total {
				best = itinerary{[2]sailing{a, b}, b.Arrive - a.Leave}
			}
		}
	}
	return best, ctx.Err()
}

func (t *timetable) search(ctx context.Context, from, to string) ([]itinerary, error) {
	n := runtime.GOMAXPROCS(0)
	g, ctx := errgroup.WithContext(ctx)
	parts := make([]itinerary, n)
	for k := range n {
		g.Go(func() (err error) {
			parts[k], err = t.part(ctx, from, to, k, n)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	sort.Slice(parts, func(i, j int) bool { return parts[i].Total < parts[j].Total })
	return parts[:min(5, n)], nil
}

func serve(addr string) error {
	t := published()
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	mux.HandleFunc("GET /from/{from}/to/{to}", func(w http.ResponseWriter, r *http.Request) {
		best, err := t.search(r.Context(), r.PathValue("from"), r.PathValue("to"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		json.NewEncoder(w).Encode(best)
	})
	return http.ListenAndServe(addr, mux)
}

func load(addr string) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}}
	for i := 0; ; i++ {
		go func() {
			url := "http://" + addr + "/from/" + ports[i%8] + "/to/" + ports[(i/8+i+3)%8]
			if res, err := client.Get(url); err == nil {
				var v []itinerary
				json.NewDecoder(res.Body).Decode(&v)
				res.Body.Close()
			}
		}()
		if i%12 == 11 {
			time.Sleep(150 * time.Millisecond)
		}
	}
}

func main() {
	port := flag.Int("port", 7000, "")
	asLoad := flag.Bool("load", false, "")
	flag.Parse()
	addr := net.JoinHostPort("127.0.0.1", fmt.Sprint(*port))
	if *asLoad {
		load(addr)
	}
	fmt.Fprintln(os.Stderr, serve(addr))
	os.Exit(1)
}
