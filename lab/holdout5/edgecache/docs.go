package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/singleflight"
)

type entry struct {
	doc   []byte
	stale time.Time
}

// Docs are documents from the archive. A stale one is still given away while one goroutine fetches it again.
type Docs struct {
	base    string
	http    *http.Client
	kept    *lru.Cache[string, entry]
	fetches singleflight.Group
}

// NewDocs keeps at most size documents.
func NewDocs(base string, size int) *Docs {
	kept, err := lru.New[string, entry](size)
	if err != nil {
		panic(err) // size is a constant
	}
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost, t.MaxConnsPerHost = 64, 64
	return &Docs{base: base, http: &http.Client{Transport: t, Timeout: 5 * time.Second}, kept: kept}
}

// Get is the document, from the archive if need be.
func (d *Docs) Get(ctx context.Context, id string) ([]byte, error) {
	e, ok := d.kept.Get(id)
	if ok {
		if time.Now().After(e.stale) {
			d.fetch(id)
		}
		return e.doc, nil
	}
	select {
	case r := <-d.fetch(id):
		if r.Err != nil {
			return nil, r.Err
		}
		return r.Val.([]byte), nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// fetch is shared by all who want the document now. Nobody's leaving ends it.
func (d *Docs) fetch(id string) <-chan singleflight.Result {
	return d.fetches.DoChan(id, func() (any, error) {
		res, err := d.http.Get(d.base + "/" + id)
		if err != nil {
			return nil, fmt.Errorf("fetching %s: %w", id, err)
		}
		defer res.Body.Close()
		doc, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", id, err)
		}
		d.kept.Add(id, entry{doc, time.Now().Add(20*time.Second + rand.N(10*time.Second))})
		return doc, nil
	})
}
