// Warmstart serves product pages from memory. It reads the whole catalogue when it starts.
package main

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"net/http"
	_ "net/http/pprof"
	"os"
	"strconv"
	"time"

	"github.com/allegro/bigcache/v3"
	"github.com/go-chi/chi/v5"
	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/rs/zerolog"

	"github.com/gocasebook/casebook/lab/holdout3/internal/drive"
)

type Product struct {
	ID     int               `json:"id"`
	Title  string            `json:"title"`
	Price  int               `json:"price"`
	Stock  int               `json:"stock"`
	Facets map[string]string `json:"facets"`
}

// Catalogue has pages as JSON in a bigcache, and the products that are asked for most in an LRU.
type Catalogue struct {
	pages   *bigcache.BigCache
	hot     *lru.Cache[int, *Product]
	byFacet map[string][]uint32
	seed    maphash.Seed
}

func product(id int) *Product {
	title := fmt.Sprintf("Product %d of series %d", id, id%77)
	return &Product{ID: id, Title: title, Price: 199 + id%5000, Stock: id % 30, Facets: map[string]string{
		"colour": strconv.Itoa(id % 12), "size": strconv.Itoa(id % 7), "brand": strconv.Itoa(id % 90)}}
}

// Warm loads n products: about a second of work before the first request.
func (c *Catalogue) Warm(n int) error {
	for id := range n {
		p := product(id)
		page, err := json.Marshal(p)
		if err != nil {
			return err
		}
		if err := c.pages.Set(strconv.Itoa(id), page); err != nil {
			return err
		}
		for k, v := range p.Facets {
			c.byFacet[k+"="+v] = append(c.byFacet[k+"="+v], uint32(id))
		}
	}
	return nil
}

func (c *Catalogue) page(w http.ResponseWriter, r *http.Request) {
	page, err := c.pages.Get(chi.URLParam(r, "id"))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("ETag", strconv.FormatUint(maphash.Bytes(c.seed, page), 36))
	w.Write(page)
}

func (c *Catalogue) get(id int) (*Product, error) {
	if p, ok := c.hot.Get(id); ok {
		return p, nil
	}
	page, err := c.pages.Get(strconv.Itoa(id))
	if err != nil {
		return nil, err
	}
	p := new(Product)
	if err := json.Unmarshal(page, p); err != nil {
		return nil, err
	}
	c.hot.Add(id, p)
	return p, nil
}

// facet lists a page of the products that have a property.
func (c *Catalogue) facet(w http.ResponseWriter, r *http.Request) {
	ids := c.byFacet[chi.URLParam(r, "name")+"="+chi.URLParam(r, "value")]
	first, _ := strconv.Atoi(r.URL.Query().Get("from"))
	out := make([]*Product, 0, 20)
	for _, id := range ids[min(first, len(ids)):min(first+20, len(ids))] {
		p, err := c.get(int(id))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		out = append(out, p)
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(out)
}

// checksum tells replicas apart.
func (c *Catalogue) checksum(w http.ResponseWriter, _ *http.Request) {
	w.Write(binary.BigEndian.AppendUint64(nil, uint64(c.pages.Len())))
}

func load(p drive.Ports) {
	drive.HTTP(2500, func(i int) *http.Request {
		if i%4 == 0 {
			return drive.Get(p.Main(), "/facets/brand/%d?from=%d", i%90, i%60)
		}
		return drive.Get(p.Main(), "/products/%d", i*7919%300000)
	})
}

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	log := zerolog.New(os.Stderr)
	config := bigcache.DefaultConfig(24 * time.Hour)
	config.Verbose, config.MaxEntrySize = false, 256
	pages, err := bigcache.New(context.Background(), config)
	if err != nil {
		log.Fatal().Err(err).Send()
	}
	hot, err := lru.New[int, *Product](20000)
	if err != nil {
		log.Fatal().Err(err).Send()
	}
	c := &Catalogue{pages, hot, make(map[string][]uint32), maphash.MakeSeed()}
	if err := c.Warm(300000); err != nil {
		log.Fatal().Err(err).Send()
	}
	r := chi.NewRouter()
	r.Get("/products/{id}", c.page)
	r.Get("/facets/{name}/{value}", c.facet)
	r.Get("/checksum", c.checksum)
	r.Handle("/debug/pprof/*", http.DefaultServeMux)
	log.Fatal().Err(http.ListenAndServe(p.Main(), r)).Send()
}
