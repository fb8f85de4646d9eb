//go:build ignore

// fares asks a partner for the price of each journey that users look at. kept and pool are recorded with it:
// -idle 200, and nothing. gateway is `lab phones` with upstreams that take 250 ms in the median and calls of 300 ms.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	_ "net/http/pprof"
	"time"
)

var (
	listen  = flag.String("listen", "127.0.0.1:7200", "")
	partner = flag.String("partner", "127.0.0.1:7201", "")
	slow    = flag.Duration("slow", 250*time.Millisecond, "mean time of the partner")
	timeout = flag.Duration("timeout", 0, "0: none")
	idle    = flag.Int("idle", 0, "MaxIdleConnsPerHost")
)

type fare struct {
	Price int    `json:"price"`
	Class string `json:"class"`
}

func main() {
	flag.Parse()
	go func() {
		log.Fatal(http.ListenAndServe(*partner, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(time.Duration(rand.ExpFloat64() * float64(*slow)))
			json.NewEncoder(w).Encode(fare{Price: rand.IntN(900), Class: "economy"})
		})))
	}()
	tr := http.DefaultTransport.(*http.Transport).Clone()
	if *idle > 0 {
		tr.MaxIdleConnsPerHost = *idle
	}
	client := &http.Client{Transport: tr, Timeout: *timeout}
	http.HandleFunc("/fare", func(w http.ResponseWriter, r *http.Request) {
		f, err := quote(r.Context(), client)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		json.NewEncoder(w).Encode(f)
	})
	log.Fatal(http.ListenAndServe(*listen, nil))
}

func quote(ctx context.Context, client *http.Client) (fare, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+*partner+"/quote", nil)
	if err != nil {
		return fare{}, err
	}
	resp, err := client.Do(req)
	if err != nil {
		return fare{}, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return fare{}, err
	}
	var f fare
	return f, json.Unmarshal(body, &f)
}
