// Package jitter keeps things in caches of others.
package jitter

import (
	"time"

	"github.com/bluele/gcache"
	"github.com/patrickmn/go-cache"
)

type stores struct {
	prices *cache.Cache
	users  gcache.Cache
}

func (s *stores) put(key, value string, ttl time.Duration) error {
	s.prices.Set(key, value, ttl)
	s.prices.Set(key, value, 5*time.Minute)
	return s.users.SetWithExpire(key, value, time.Hour)
}

// forever has no lifetime, or the default one.
func (s *stores) forever(key, value string) {
	s.prices.Set(key, value, cache.NoExpiration)
	s.prices.Set(key, value, cache.DefaultExpiration)
}
