package main

import (
	"fmt"
	"time"
)

// settleEvery is how many requests may pass before a cache that works in the background is waited for.
const settleEvery = 100

// measureHits plays the traces on the cache itself: a Get, and a Set of what was missing.
func measureHits(m maker) (row, error) {
	r := row{Name: m.name, TTL: m.ttl}
	for _, t := range traces() {
		trace := t()
		bounded := m.make
		if m.bounded != nil {
			bounded = m.bounded
		}
		p, err := bounded(trace.room, time.Hour)
		if err != nil {
			return r, fmt.Errorf("making %s: %w", m.name, err)
		}
		get := p.reader()
		hits := 0
		var k, v [16]byte
		for i, key := range trace.keys {
			if _, ok := get(phone(&k, key)); ok {
				hits++
			} else {
				p.set(phone(&k, key), phone(&v, key^1))
			}
			if p.settle != nil && i%settleEvery == 0 {
				p.settle()
			}
		}
		r.Ratios = append(r.Ratios, float64(hits)/float64(len(trace.keys)))
		r.Held = append(r.Held, p.count())
		if p.close != nil {
			p.close()
		}
	}
	return r, nil
}
