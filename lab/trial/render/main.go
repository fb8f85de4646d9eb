// Render makes small pictures (bar charts) of numbers. Batches of them are worked off by a few workers.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/gocasebook/casebook/lab/trial/kit"
)

type job struct {
	title  string
	values []int
	done   chan<- []byte // has room
}

// A pool draws with a fixed number of workers. Who comes when its queue is full is sent away.
type pool struct{ jobs chan job }

func newPool(ctx context.Context, workers, queue int) *pool {
	p := &pool{jobs: make(chan job, queue)}
	for range workers {
		go p.work(ctx)
	}
	return p
}

func (p *pool) work(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case j := <-p.jobs:
			j.done <- draw(j.title, j.values)
		}
	}
}

func (p *pool) charts(w http.ResponseWriter, r *http.Request) {
	var request struct {
		Charts []struct {
			Title  string `json:"title"`
			Values []int  `json:"values"`
		} `json:"charts"`
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&request); err != nil {
		http.Error(w, "not a request for charts", http.StatusBadRequest)
		return
	}
	done := make(chan []byte, len(request.Charts))
	sent := 0
	for _, c := range request.Charts {
		select {
		case p.jobs <- job{c.Title, c.Values, done}:
			sent++
		default:
		}
	}
	if sent < len(request.Charts) {
		w.WriteHeader(http.StatusTooManyRequests)
	}
	for range sent {
		select {
		case svg := <-done:
			_, _ = w.Write(svg)
		case <-r.Context().Done():
			return
		}
	}
}

// draw makes an SVG with a bar a value.
func draw(title string, values []int) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg"><title>%s</title>`, title)
	for i := range 400 { // the grid behind the bars
		fmt.Fprintf(&b, `<line x1="0" x2="400" y1="%d" y2="%d"/>`, i, i)
	}
	for i, v := range values {
		fmt.Fprintf(&b, `<rect x="%d" y="%d" width="8" height="%d"/>`, i*10, 400-v, v)
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

func run(ctx context.Context, env *kit.Env) error {
	p := newPool(ctx, 4, 256)
	mux := http.NewServeMux()
	mux.HandleFunc("POST /charts", p.charts)
	return env.Serve(ctx, env.Instrument(mux))
}

func main() {
	env := kit.Parse("render")
	ctx, cancel := kit.Context()
	defer cancel()
	env.Exit(run(ctx, env))
}
