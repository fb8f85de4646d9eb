package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

type product struct {
	Path  string `json:"path"`
	Value int    `json:"value"`
	Text  string `json:"text"`
}

type fetcher struct {
	url    string
	client *http.Client
}

func newFetcher(url string) *fetcher {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 64
	return &fetcher{url: url, client: &http.Client{Transport: transport, Timeout: 2 * time.Second}}
}

func (f *fetcher) product(ctx context.Context, id string) (*product, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, f.url+"/products/"+id, nil)
	if err != nil {
		return nil, err
	}
	resp, err := f.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	defer io.Copy(io.Discard, resp.Body) // so that the connection can be used again
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("product %s: %s", id, resp.Status)
	}
	var p product
	if err := json.NewDecoder(resp.Body).Decode(&p); err != nil {
		return nil, fmt.Errorf("product %s: %w", id, err)
	}
	return &p, nil
}
