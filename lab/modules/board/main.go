// Board puts the page of a customer together from six services, which it asks at once.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

type part struct {
	Name  string   `json:"name"`
	Lines []string `json:"lines"`
}

type board struct {
	base   string
	client *http.Client
}

func (b *board) fetch(name, customer string) (p part, err error) {
	res, err := b.client.Get(b.base + "/" + name + "?c=" + customer)
	if err != nil {
		return p, err
	}
	defer res.Body.Close()
	return p, json.NewDecoder(res.Body).Decode(&p)
}

func (b *board) page(w http.ResponseWriter, r *http.Request) {
	names := []string{"orders", "invoices", "tickets", "offers", "points", "news"}
	parts := make([]part, len(names))
	errs := make([]error, len(names))
	var wg sync.WaitGroup
	for i, name := range names {
		wg.Add(1)
		go func() {
			defer wg.Done()
			parts[i], errs[i] = b.fetch(name, r.FormValue("c"))
		}()
	}
	wg.Wait()
	for i, p := range parts {
		if errs[i] != nil {
			fmt.Fprintf(w, "%s: not available\n", names[i])
			continue
		}
		fmt.Fprintln(w, p.Name, p.Lines)
	}
}

func start(o serve.Options) error {
	b := &board{"http://" + o.Backend, &http.Client{Timeout: 2 * time.Second,
		Transport: &http.Transport{MaxIdleConnsPerHost: 100}}}
	http.HandleFunc("GET /board", b.page)
	return nil
}

// backend is all six services.
func backend() (string, func(), error) {
	l, err := serve.Listen()
	if err != nil {
		return "", nil, err
	}
	go http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(2 * time.Millisecond)
		json.NewEncoder(w).Encode(part{r.URL.Path[1:], []string{"first of " + r.FormValue("c"), "second"}})
	}))
	return l.Addr().String(), func() { l.Close() }, nil
}

func main() {
	serve.Run(serve.Service{Start: start, Rate: 400, Backend: backend,
		Path: func(i int) string { return fmt.Sprint("/board?c=", i%5000) }})
}
