// Product catalogue: what is written here is indexed for the search.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	_ "net/http/pprof"

	"github.com/elastic/go-elasticsearch/v8"
)

type product struct {
	ID    string   `json:"id"`
	Title string   `json:"title"`
	Text  string   `json:"text"`
	Tags  []string `json:"tags"`
	Cents int      `json:"cents"`
}

type catalog struct {
	es    *elasticsearch.Client
	close bool
}

func (c *catalog) save(p product) error {
	data, err := json.Marshal(p)
	if err != nil {
		return err
	}
	res, err := c.es.Index("products", bytes.NewReader(data), c.es.Index.WithDocumentID(p.ID))
	if err != nil {
		return err
	}
	if c.close {
		defer func() {
			io.Copy(io.Discard, res.Body)
			res.Body.Close()
		}()
	}
	if res.IsError() {
		return fmt.Errorf("index %s: %s", p.ID, res.Status())
	}
	return nil
}

func (c *catalog) put(w http.ResponseWriter, r *http.Request) {
	var p product
	if err := json.NewDecoder(r.Body).Decode(&p); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	p.ID = r.PathValue("id")
	if err := c.save(p); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.WriteHeader(http.StatusAccepted)
}

func (c *catalog) search(w http.ResponseWriter, r *http.Request) {
	res, err := c.es.Search(c.es.Search.WithIndex("products"), c.es.Search.WithQuery(r.FormValue("q")))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer res.Body.Close()
	w.Header().Set("Content-Type", "application/json")
	io.Copy(w, res.Body)
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8301", "address to serve on")
	back := flag.String("es", "http://127.0.0.1:9200", "address of the index")
	fixed := flag.Bool("fixed", false, "close what the index answers")
	flag.Parse()
	es, err := elasticsearch.NewClient(elasticsearch.Config{Addresses: []string{*back}})
	if err != nil {
		log.Fatal(err)
	}
	c := &catalog{es: es, close: *fixed}
	http.HandleFunc("PUT /products/{id}", c.put)
	http.HandleFunc("GET /search", c.search)
	log.Fatal(http.ListenAndServe(*addr, nil))
}
