// Adgate picks an advertisement for each view of a page.
package main

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"net/http"
	"net/http/pprof"
	"os"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/rs/zerolog"

	"github.com/gocasebook/casebook/lab/holdout4/internal/drive"
)

type Ad struct {
	ID       int      `json:"id"`
	Campaign string   `json:"campaign"`
	Image    string   `json:"image"`
	Click    string   `json:"click"`
	Sections []string `json:"-"`
	Bid      int      `json:"-"`
}

type Inventory struct {
	bySection map[string][]Ad
}

// Pick is the ad for a visitor: mostly the highest bid, sometimes another so that all are seen.
func (inv *Inventory) Pick(section, visitor string) (Ad, bool) {
	ads := inv.bySection[section]
	if len(ads) == 0 {
		return Ad{}, false
	}
	if h := crc32.ChecksumIEEE([]byte(visitor)); h%5 == 0 {
		return ads[int(h/5)%len(ads)], true
	}
	best := 0
	for i := range ads {
		if ads[i].Bid > ads[best].Bid {
			best = i
		}
	}
	return ads[best], true
}

type Handler struct {
	inv *Inventory
	log zerolog.Logger
}

func (h *Handler) Serve(w http.ResponseWriter, r *http.Request) {
	visitor := r.URL.Query().Get("v")
	ad, ok := h.inv.Pick(chi.URLParam(r, "section"), visitor)
	if !ok {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	h.log.Debug().Int("ad", ad.ID).Str("visitor", visitor).Msg("shown")
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	if err := json.NewEncoder(w).Encode(ad); err != nil {
		h.log.Warn().Err(err).Msg("answering")
	}
}

var sections = []string{"news", "sports", "culture", "travel", "cars", "food"}

func inventory() *Inventory {
	inv := &Inventory{bySection: map[string][]Ad{}}
	for i := range 240 {
		s := sections[i%len(sections)]
		inv.bySection[s] = append(inv.bySection[s], Ad{
			ID: i, Campaign: fmt.Sprintf("campaign-%d", i/6), Bid: i * 37 % 400,
			Image: fmt.Sprintf("https://img.example/%d.webp", i), Click: fmt.Sprintf("https://click.example/%d", i),
		})
	}
	return inv
}

var agents = []string{
	"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
	"Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 " +
		"Mobile/15E148 Safari/604.1",
	"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 " +
		"Safari/605.1.15",
	"Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0",
	"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
	"Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile " +
		"Safari/537.36",
}

func main() {
	p := drive.Flags()
	if p.Load {
		drive.HTTP(550, func(i int) *http.Request {
			req := drive.Get(p.Main(), "/ads/%s?v=%d", sections[i%len(sections)], rand.IntN(90000))
			req.Header.Set("User-Agent", agents[rand.IntN(len(agents))])
			return req
		})
	}
	log := zerolog.New(os.Stderr).Level(zerolog.InfoLevel).With().Timestamp().Logger()
	h := &Handler{inventory(), log}
	r := chi.NewRouter()
	r.Use(middleware.RequestID, middleware.Recoverer)
	r.Route("/ads", func(r chi.Router) {
		r.Use(NewBots().Refuse)
		r.Get("/{section}", h.Serve)
	})
	r.HandleFunc("/debug/pprof/profile", pprof.Profile)
	r.HandleFunc("/debug/pprof/trace", pprof.Trace)
	r.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	r.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	r.HandleFunc("/debug/pprof/*", pprof.Index)
	log.Fatal().Err(http.ListenAndServe(p.Main(), r)).Send()
}
