package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/rs/zerolog"
)

// A Product is what is known of it, by source.
type Product struct {
	SKU     string                     `json:"sku"`
	Facts   map[string]json.RawMessage `json:"facts"`
	Partial bool                       `json:"partial,omitempty"`
}

// An Enricher asks all sources at once.
type Enricher struct {
	sources  []source
	patience time.Duration
	log      zerolog.Logger
}

type source struct {
	name, url string
	countries []string // empty means all
	client    *http.Client
}

func (s source) serves(country string) bool {
	return len(s.countries) == 0 || slices.Contains(s.countries, country)
}

// Enrich is what the sources say within the Enricher's patience.
func (e *Enricher) Enrich(ctx context.Context, sku, country string) Product {
	ctx, cancel := context.WithTimeout(ctx, e.patience)
	defer cancel()
	var (
		wg sync.WaitGroup
		mu sync.Mutex
	)
	facts := make(map[string]json.RawMessage, len(e.sources))
	wg.Add(len(e.sources))
	for _, s := range e.sources {
		go func() {
			if !s.serves(country) {
				return
			}
			defer wg.Done()
			text, err := s.ask(ctx, sku)
			if err != nil {
				e.log.Warn().Err(err).Str("source", s.name).Msg("left out")
				return
			}
			mu.Lock()
			defer mu.Unlock()
			facts[s.name] = text
		}()
	}
	done := make(chan struct{})
	go func() {
		wg.Wait()
		close(done)
	}()
	p := Product{SKU: sku}
	select {
	case <-done:
	case <-ctx.Done():
		p.Partial = true
	}
	mu.Lock()
	defer mu.Unlock()
	p.Facts = make(map[string]json.RawMessage, len(facts))
	for name, text := range facts {
		p.Facts[name] = text
	}
	return p
}

func (s source) ask(ctx context.Context, sku string) (json.RawMessage, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+"?sku="+url.QueryEscape(sku), nil)
	if err != nil {
		return nil, err
	}
	res, err := s.client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("asking %s: %w", s.name, err)
	}
	defer res.Body.Close()
	var text json.RawMessage
	return text, json.NewDecoder(res.Body).Decode(&text)
}
