// Caches keeps 200,000 product pages in golang-lru, ristretto, otter or bigcache (-kind).
package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/allegro/bigcache/v3"
	"github.com/dgraph-io/ristretto/v2"
	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/maypok86/otter/v2"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

const entries = 200_000

type cache struct {
	get func(string) (string, bool)
	set func(string, string)
}

func newCache(kind string) (cache, error) {
	switch kind {
	case "ristretto":
		c, err := ristretto.NewCache(&ristretto.Config[string, string]{NumCounters: 10 * entries, MaxCost: entries,
			BufferItems: 64})
		if err != nil {
			return cache{}, err
		}
		return cache{c.Get, func(k, v string) { c.Set(k, v, 1) }}, nil
	case "otter":
		c, err := otter.New(&otter.Options[string, string]{MaximumSize: entries})
		if err != nil {
			return cache{}, err
		}
		return cache{c.GetIfPresent, func(k, v string) { c.Set(k, v) }}, nil
	case "bigcache":
		c, err := bigcache.New(context.Background(), bigcache.DefaultConfig(10*time.Minute))
		if err != nil {
			return cache{}, err
		}
		return cache{func(k string) (string, bool) {
			b, err := c.Get(k)
			return string(b), err == nil
		}, func(k, v string) { c.Set(k, []byte(v)) }}, nil
	}
	c, err := lru.New[string, string](entries)
	if err != nil {
		return cache{}, err
	}
	return cache{c.Get, func(k, v string) { c.Add(k, v) }}, nil
}

func page(key string) string {
	return "<h1>" + key + "</h1>" + strings.Repeat("<p>A fine product.</p>", 8)
}

func start(o serve.Options) error {
	c, err := newCache(o.Kind)
	if err != nil {
		return err
	}
	for i := range entries {
		k := fmt.Sprint("product-", i)
		c.set(k, page(k))
	}
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		k := r.FormValue("k")
		v, ok := c.get(k)
		if !ok {
			v = page(k)
			c.set(k, v)
		}
		fmt.Fprint(w, v)
	})
	return nil
}

func main() {
	serve.Run(serve.Service{Start: start, Rate: 2500,
		Path: func(i int) string { return fmt.Sprint("/?k=product-", i*37%(entries*11/10)) }})
}
