// Metasearch answers hotel searches with whichever supplier answers first.
package main

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	_ "net/http/pprof"
	"os"
	"strings"
	"time"

	"github.com/gocasebook/casebook/lab/holdout5/internal/drive"
)

func main() {
	p := drive.Flags()
	if p.Load {
		suppliers(p)
		load(p)
	}
	base := "http://" + p.Dependency()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}, Timeout: 2 * time.Second}
	s := &searcher{cities: cities(6000)}
	for _, name := range []string{"north", "harbour", "quick"} {
		s.suppliers = append(s.suppliers, supplier{name: name, base: base + "/" + name, http: client})
	}
	http.HandleFunc("GET /hotels", s.hotels)
	http.HandleFunc("GET /cities", s.complete)
	if err := http.ListenAndServe(p.Main(), nil); err != nil {
		slog.Error("metasearch", "err", err)
		os.Exit(1)
	}
}

// suppliers plays three of them.
func suppliers(p drive.Ports) {
	drive.Serve(p.Dependency(), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(time.Duration(8+rand.IntN(50)) * time.Millisecond)
		var list []hotel
		for i := range 12 {
			list = append(list, hotel{Name: fmt.Sprintf("Hotel %d", i), Stars: 2 + i%4, Price: 70 + i*9})
		}
		json.NewEncoder(w).Encode(list)
	}))
}

func load(p drive.Ports) {
	drive.Load{Rate: 220}.Run(func(i int) *http.Request {
		if i%5 == 0 {
			return drive.Get(p.Main(), "/hotels?city=%d&night=%d", i%6000, i%365)
		}
		return drive.Get(p.Main(), "/cities?q=%s", strings.ToLower(cityName(i * 7 % 6000)[:3]))
	})
}
