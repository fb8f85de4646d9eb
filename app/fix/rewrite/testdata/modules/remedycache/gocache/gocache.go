// Package gocache keeps sessions.
package gocache

import (
	"time"

	"github.com/patrickmn/go-cache"
)

type sessions struct{ byID *cache.Cache }

func newSessions() *sessions {
	return &sessions{byID: cache.New(15*time.Minute, time.Minute)}
}

func (s *sessions) user(id string) (int64, bool) {
	if found, ok := s.byID.Get(id); ok {
		return found.(int64), true
	}
	return 0, false
}

func (s *sessions) userOr(id string, other int64) int64 {
	found, ok := s.byID.Get(id)
	if !ok {
		return other
	}
	if n, ok := found.(int64); ok {
		return n
	}
	return other
}

func (s *sessions) begin(id string, user int64, ttl time.Duration) {
	s.byID.Set(id, user, cache.DefaultExpiration)
	s.byID.Set("last", user, cache.NoExpiration)
	s.byID.Set("next", user, ttl)
	s.byID.SetDefault("first", user)
}

func (s *sessions) end(id string) { s.byID.Delete(id) }

func (s *sessions) count() int { return s.byID.ItemCount() }
