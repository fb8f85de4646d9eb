// Pricewatch asks a shop's API for the prices of everything on a watch list at once.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	_ "net/http/pprof"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"github.com/gocasebook/casebook/lab/holdout5/internal/drive"
)

func main() {
	p := drive.Flags()
	if p.Load {
		shop(p)
		load(p)
	}
	log := zerolog.New(os.Stderr).Level(zerolog.WarnLevel).With().Timestamp().Logger()
	w := &watcher{shop: newShopClient("https://"+p.Dependency(), log), log: log}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /lists/{id}/prices", w.prices)
	mux.HandleFunc("GET /lists/{id}", w.list)
	mux.Handle("/debug/pprof/", http.DefaultServeMux)
	srv := &http.Server{Addr: p.Main(), Handler: mux, ReadTimeout: 10 * time.Second, IdleTimeout: time.Minute}
	if err := srv.ListenAndServe(); err != nil {
		log.Fatal().Err(err).Send()
	}
}

// shop plays the shop's API.
func shop(p drive.Ports) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sku := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
		n, _ := strconv.Atoi(strings.TrimPrefix(sku, "sku-"))
		time.Sleep(time.Duration(8+n%9) * time.Millisecond)
		json.NewEncoder(w).Encode(offer{SKU: sku, Price: 100 + n, Currency: "EUR", Stock: n % 50})
	}))
	s.Listener.Close()
	s.Listener = drive.Listen("tcp", p.Dependency())
	s.StartTLS()
}

func load(p drive.Ports) {
	drive.Load{Rate: 60}.Run(func(i int) *http.Request {
		if i%5 == 0 {
			return drive.Get(p.Main(), "/lists/%d/prices", i%300)
		}
		return drive.Get(p.Main(), "/lists/%d", i%300)
	})
}

// skus are what is on a list.
func skus(list int) (all []string) {
	for i := range 14 {
		all = append(all, fmt.Sprintf("sku-%d", (list*31+i*7)%5000))
	}
	return all
}
