// Beacons sends the events of a page view to a collector over HTTP.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

type event struct {
	Page string    `json:"page"`
	Name string    `json:"name"`
	At   time.Time `json:"at"`
}

type tracker struct {
	collector string
	client    *http.Client
}

func (t *tracker) send(v any) {
	body, err := json.Marshal(v)
	if err != nil {
		log.Print(err)
		return
	}
	res, err := t.client.Post(t.collector, "application/json", bytes.NewReader(body))
	if err != nil {
		log.Print(err)
		return
	}
	io.Copy(io.Discard, res.Body)
	res.Body.Close()
}

func (t *tracker) view(together bool) http.HandlerFunc {
	names := []string{"open", "scroll", "hero", "teaser", "banner", "video", "footer", "close"}
	return func(w http.ResponseWriter, r *http.Request) {
		page := chi.URLParam(r, "page")
		events := make([]event, len(names))
		for i, n := range names {
			events[i] = event{page, n, time.Now()}
		}
		if together {
			go t.send(events)
		} else {
			for _, e := range events {
				go t.send(e)
			}
		}
		fmt.Fprintf(w, "<h1>%s</h1>\n", page)
	}
}

func start(o serve.Options) error {
	t := &tracker{"http://" + o.Backend + "/events", &http.Client{Timeout: 5 * time.Second,
		Transport: &http.Transport{MaxIdleConnsPerHost: 100, MaxConnsPerHost: 100}}}
	mux := chi.NewRouter()
	mux.Get("/view/{page}", t.view(o.Kind == "together"))
	http.Handle("/view/", mux)
	return nil
}

// backend is a collector that reads and forgets.
func backend() (string, func(), error) {
	l, err := serve.Listen()
	if err != nil {
		return "", nil, err
	}
	go http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.WriteHeader(http.StatusNoContent)
	}))
	return l.Addr().String(), func() { l.Close() }, nil
}

func main() {
	serve.Run(serve.Service{Start: start, Rate: 1500, Backend: backend,
		Path: func(i int) string { return fmt.Sprint("/view/p", i%1000) }})
}
