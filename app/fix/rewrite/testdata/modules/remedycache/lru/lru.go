// Package lru keeps prices.
package lru

import (
	"fmt"

	lru "github.com/hashicorp/golang-lru/v2"
)

type price struct {
	Cents    int64
	Currency [3]byte
}

type prices struct {
	cache *lru.Cache[string, price]
	names *lru.Cache[uint64, string]
}

func newPrices(n int) (*prices, error) {
	c, err := lru.New[string, price](n)
	if err != nil {
		return nil, fmt.Errorf("making the cache: %w", err)
	}
	names, err := lru.New[uint64, string](1000)
	return &prices{c, names}, err
}

func (p *prices) get(item string, load func(string) price) price {
	if known, ok := p.cache.Get(item); ok {
		return known
	}
	made := load(item)
	p.cache.Add(item, made)
	return made
}

func (p *prices) forget(item string) bool { return p.cache.Remove(item) }

func (p *prices) size() int { return p.cache.Len() + p.names.Len() }

func (p *prices) reset() {
	p.cache.Purge()
	p.names.Purge()
}
