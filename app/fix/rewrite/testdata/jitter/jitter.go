// Package jitter keeps.
package jitter

import (
	"math/rand"
	"time"
)

type entry struct {
	value   string
	expires time.Time
}

type store struct {
	ttl time.Duration
	all map[string]*entry
}

const lifetime = 5 * time.Minute

func (s *store) set(key, value string) {
	s.all[key] = &entry{value: value, expires: time.Now().Add(lifetime)}
}

func (s *store) touch(key string, now time.Time) {
	if e := s.all[key]; e != nil {
		e.expires = now.Add(s.ttl)
	}
}

func (s *store) byPlace(key, value string) {
	s.all[key] = &entry{value, time.Now().Add(2 * time.Minute)}
}

// spread draws already.
func (s *store) spread(key, value string) {
	s.all[key] = &entry{value: value, expires: time.Now().Add(lifetime - time.Duration(rand.Int63n(1000)))}
}

// drawn does, too, a line before.
func (s *store) drawn(key, value string) {
	ttl := lifetime - time.Duration(rand.Int63n(1000))
	s.all[key] = &entry{value: value, expires: time.Now().Add(ttl)}
}

// worked may spread it in its function.
func (s *store) worked(key, value string) {
	s.all[key] = &entry{value: value, expires: time.Now().Add(s.lifetime())}
}

func (s *store) lifetime() time.Duration { return s.ttl }

// A call waits: its deadline is none of an entry.
type call struct{ deadline time.Time }

var pending = map[int]*call{}

func begin(n int) { pending[n] = &call{deadline: time.Now().Add(time.Second)} }

// A lease is in no map.
type lease struct{ until time.Time }

func take() lease { return lease{until: time.Now().Add(time.Minute)} }

// ended is none: it is over.
func (s *store) ended(key string) { s.all[key] = &entry{expires: time.Now().Add(-1)} }
