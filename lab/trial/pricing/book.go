package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"sync/atomic"
)

// A record is a line of the feed.
type record struct {
	SKU      string            `json:"sku"`
	Country  string            `json:"country"`
	Cents    int               `json:"cents"`
	Tags     []string          `json:"tags"`
	Features map[string]string `json:"features"`
}

// makeFeed stands for the file that the merchants write: JSON, a record a line.
func makeFeed(records int) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	for i := range records {
		_ = enc.Encode(record{
			SKU: fmt.Sprintf("sku-%d", i/4), Country: []string{"de", "fr", "it", "es"}[i%4], Cents: 100 + i%9000,
			Tags:     []string{"season", "web", "shop"},
			Features: map[string]string{"colour": "blue", "size": "m", "brand": "acme"},
		})
	}
	return b.Bytes()
}

// A book has the price of each product in each country.
type book struct {
	feed   []byte
	prices atomic.Pointer[map[string]int]
}

func (b *book) price(sku, country string) (int, bool) {
	p, ok := (*b.prices.Load())[strings.ToLower(sku+"/"+country)]
	return p, ok
}

// refresh reads the whole feed and replaces the prices.
func (b *book) refresh(ctx context.Context) error {
	records, err := b.read(ctx)
	if err != nil {
		return err
	}
	sort.Slice(records, func(i, j int) bool { // the latest of a product counts
		return records[i].key() < records[j].key()
	})
	prices := make(map[string]int)
	for _, r := range records {
		prices[r.key()] = r.Cents
	}
	b.prices.Store(&prices)
	return nil
}

func (r record) key() string { return strings.ToLower(fmt.Sprintf("%s/%s", r.SKU, r.Country)) } // trial:fault

func (b *book) read(ctx context.Context) ([]record, error) {
	var records []record
	lines := bufio.NewScanner(bytes.NewReader(b.feed))
	for lines.Scan() {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		var r record
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("reading the feed: %w", err)
		}
		records = append(records, r)
	}
	return records, lines.Err()
}
