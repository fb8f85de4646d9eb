package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// freshFor is how long a rate may be used. The provider's contract allows a second at the most.
const freshFor = 500 * time.Millisecond

type entry struct {
	rate float64
	at   time.Time
}

// rates holds the provider's rates for as long as they may be used.
type rates struct {
	url    string
	client *http.Client

	mu      sync.Mutex // guards entries
	entries map[string]entry
}

func newRates(url string) *rates {
	return &rates{url: url, client: &http.Client{Timeout: 3 * time.Second}, entries: make(map[string]entry)}
}

// get returns the rate of a pair, from the provider when ours is too old.
func (r *rates) get(ctx context.Context, pair string) (float64, error) {
	r.mu.Lock() // trial:fault
	defer r.mu.Unlock()
	if e, ok := r.entries[pair]; ok && time.Since(e.at) < freshFor {
		return e.rate, nil
	}
	rate, err := r.fetch(ctx, pair) // trial:fault
	if err != nil {
		return 0, err
	}
	r.entries[pair] = entry{rate: rate, at: time.Now()}
	return rate, nil
}

func (r *rates) fetch(ctx context.Context, pair string) (float64, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.url+"/rates/"+pair, nil)
	if err != nil {
		return 0, err
	}
	resp, err := r.client.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("the provider answers %s", resp.Status)
	}
	var answer struct {
		Score float64 `json:"score"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		return 0, fmt.Errorf("decoding the provider's answer: %w", err)
	}
	return 1 + answer.Score, nil
}
