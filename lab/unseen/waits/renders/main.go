// Renders makes pictures of plans: small ones for lists, and posters. A budget bounds their memory.
package main

import (
	"context"
	"flag"
	"io"
	"net/http"
	"strconv"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/gocasebook/casebook/lab/unseen/waits/web"
)

const (
	budget = 256 // MiB
	small  = 8
	large  = 256
)

type renderer struct {
	small, large *semaphore.Weighted
	tiles        *http.Client
	base         string
}

func (d *renderer) fetch(ctx context.Context, tiles int) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, d.base+"/tiles?n="+strconv.Itoa(tiles), nil)
	if err != nil {
		return nil, err
	}
	resp, err := d.tiles.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return io.ReadAll(resp.Body)
}

// render makes a picture of so many tiles within the budget.
func (d *renderer) render(ctx context.Context, sem *semaphore.Weighted, weight int64, tiles int) ([]byte, error) {
	if err := sem.Acquire(ctx, weight); err != nil {
		return nil, err
	}
	defer sem.Release(weight)
	data, err := d.fetch(ctx, tiles)
	if err != nil {
		return nil, err
	}
	picture := make([]byte, 0, len(data))
	for i, b := range data {
		picture = append(picture, b^byte(i))
	}
	return picture[:len(picture)/4], nil
}

func (d *renderer) thumbnail(w http.ResponseWriter, r *http.Request) {
	d.write(w, r, d.small, small, 2)
}

func (d *renderer) poster(w http.ResponseWriter, r *http.Request) {
	d.write(w, r, d.large, large, 60)
}

func (d *renderer) write(w http.ResponseWriter, r *http.Request, sem *semaphore.Weighted, weight int64, tiles int) {
	picture, err := d.render(r.Context(), sem, weight, tiles)
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	w.Write(picture)
}

// store gives a tile each 25 ms.
func store() {
	http.HandleFunc("/tiles", func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.FormValue("n"))
		for range n {
			time.Sleep(25 * time.Millisecond)
			w.Write(make([]byte, 8<<10))
		}
	})
	http.ListenAndServe(*web.Peer, nil)
}

func main() {
	flag.Parse()
	if *web.Back {
		store()
	}
	sem := semaphore.NewWeighted(budget)
	d := &renderer{small: sem, large: sem, tiles: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}},
		base: "http://" + *web.Peer}
	if *web.Fixed {
		d.large = semaphore.NewWeighted(large)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/thumbnail", d.thumbnail)
	mux.HandleFunc("/poster", d.poster)
	web.Serve(mux)
}
