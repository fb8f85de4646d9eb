package main

import (
	"fmt"
	"sync"
	"time"
)

// An Event is a page view.
type Event struct {
	Visitor string   `json:"visitor"`
	Page    string   `json:"page"`
	Tags    []string `json:"tags"`
}

// A Profile is a visitor.
type Profile struct {
	ID       string            `json:"id"`
	Segments []*Segment        `json:"segments"`
	Traits   map[string]string `json:"traits"`
	Seen     time.Time         `json:"seen"`
	Views    int               `json:"views"`
}

// A Segment is a group that a visitor belongs to until it ends.
type Segment struct {
	Name  string    `json:"name"`
	Until time.Time `json:"until"`
}

type segments struct {
	mu       sync.RWMutex
	profiles map[string]*Profile
}

func newSegments(n int) *segments {
	s := &segments{profiles: make(map[string]*Profile, n)}
	for i := range n {
		p := &Profile{ID: fmt.Sprintf("v%d", i), Traits: map[string]string{
			"city": fmt.Sprintf("city %d", i%700), "device": "phone"}}
		for j := range 5 {
			p.Segments = append(p.Segments, &Segment{fmt.Sprintf("segment-%d", (i+j)%90), time.Now().Add(time.Hour)})
		}
		s.profiles[p.ID] = p
	}
	return s
}

// apply counts a view.
func (s *segments) apply(e Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.profiles[e.Visitor]
	if p == nil {
		return
	}
	p.Views++
	p.Seen = time.Now()
	for i, tag := range e.Tags {
		p.Segments[i] = &Segment{"likes-" + tag, p.Seen.Add(time.Hour)}
	}
}

// of is what holds for a visitor now.
func (s *segments) of(visitor string, now time.Time) Profile {
	s.mu.RLock()
	defer s.mu.RUnlock()
	p := s.profiles[visitor]
	if p == nil {
		return Profile{ID: visitor}
	}
	out := Profile{ID: p.ID, Seen: p.Seen, Views: p.Views, Traits: map[string]string{"city": p.Traits["city"]}}
	for _, seg := range p.Segments {
		if seg.Until.After(now) {
			out.Segments = append(out.Segments, &Segment{seg.Name, seg.Until})
		}
	}
	return out
}
