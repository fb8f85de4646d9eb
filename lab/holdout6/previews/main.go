// Previews tells pages how large the pictures of a shop are, before they load them.
package main

import (
	"bytes"
	"encoding/json"
	"image"
	"image/jpeg"
	"log"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"golang.org/x/sync/errgroup"

	"github.com/gocasebook/casebook/lab/holdout6/internal/drive"
)

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	o := newOrigin("https://" + p.Dependency())
	r := chi.NewRouter()
	r.Use(middleware.Recoverer)
	r.Mount("/debug", middleware.Profiler())
	r.Get("/sizes", func(w http.ResponseWriter, r *http.Request) {
		ids := strings.Split(r.URL.Query().Get("ids"), ",")
		sizes := make([]Size, len(ids))
		g, ctx := errgroup.WithContext(r.Context())
		g.SetLimit(4)
		for i, id := range ids {
			g.Go(func() (err error) {
				sizes[i], err = o.Size(ctx, id)
				return err
			})
		}
		if err := g.Wait(); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(sizes)
	})
	srv := &http.Server{Addr: p.Main(), Handler: r, ReadHeaderTimeout: 5 * time.Second}
	log.Fatal(srv.ListenAndServe())
}

// load is the store of pictures, and pages with four of them.
func load(p drive.Ports) {
	pictures := make([][]byte, 6)
	for i := range pictures {
		img := image.NewGray(image.Rect(0, 0, 1600+i, 900))
		for j := range img.Pix {
			img.Pix[j] = byte(rand.N(256))
		}
		var b bytes.Buffer
		if err := jpeg.Encode(&b, img, nil); err != nil {
			log.Fatal(err)
		}
		pictures[i] = b.Bytes()
	}
	store := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/pictures/"))
		w.Header().Set("Content-Type", "image/jpeg")
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(pictures[n%len(pictures)]))
	}))
	store.Listener = drive.Listen("tcp", p.Dependency())
	store.StartTLS()
	drive.Load{Rate: 50}.Run(func(i int) *http.Request {
		return drive.Get(p.Main(), "/sizes?ids=%d,%d,%d,%d", i, i+7, i+13, i+22)
	})
}
