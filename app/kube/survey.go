package kube

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// A survey remembers which containers serve profiles.
type survey struct {
	serves func(ctx context.Context, url string) bool

	mu    sync.Mutex // guards known
	known map[string]*answer
}

// An answer is of one address of one container. A container that says no is asked again after a while: a program that
// has just been started may not listen yet.
type answer struct {
	yes   bool
	tries int
	again time.Time
}

const (
	askAtOnce  = 16
	askFirst   = time.Minute
	askMost    = time.Hour
	askTimeout = 5 * time.Second
)

// serving are the endpoints of a list that serve profiles, as far as is known: of a container that was asked the first
// that says yes. While one before it has not answered, there is none: the watch would begin at one port and go on at
// another.
func (s *survey) serving(list []Endpoint) (yes []Endpoint) {
	s.mu.Lock()
	defer s.mu.Unlock()
	taken := make(map[string]bool)
	for _, e := range list {
		if !e.Asked {
			taken[e.Key()] = true
			yes = append(yes, e)
			continue
		}
		a := s.known[e.address()]
		if taken[e.Key()] || a != nil && a.tries > 0 && !a.yes {
			continue
		}
		taken[e.Key()] = true
		if a != nil && a.yes {
			yes = append(yes, e)
		}
	}
	return yes
}

// address tells one port of a container from the others.
func (e *Endpoint) address() string { return e.Key() + " " + e.URL }

// due are those of a list that have to be asked now. What is not listed any more is forgotten.
func (s *survey) due(list []Endpoint, now time.Time) (ask []Endpoint) {
	s.mu.Lock()
	defer s.mu.Unlock()
	still := make(map[string]*answer, len(list))
	for _, e := range list {
		key := e.address()
		a := s.known[key]
		if a == nil {
			a = &answer{}
		}
		still[key] = a
		if !a.yes && !now.Before(a.again) {
			ask = append(ask, e)
		}
	}
	s.known = still
	return ask
}

// ask asks some at a time, and reports whether any of them serves profiles.
func (s *survey) ask(ctx context.Context, list []Endpoint) bool {
	var some atomic.Bool
	var asking sync.WaitGroup
	turn := make(chan struct{}, askAtOnce)
	for _, e := range list {
		turn <- struct{}{}
		asking.Go(func() {
			defer func() { <-turn }()
			ctx, cancel := context.WithTimeout(ctx, askTimeout)
			defer cancel()
			yes := s.serves(ctx, e.URL)
			s.learn(e, yes, time.Now())
			if yes {
				some.Store(true)
			}
		})
	}
	asking.Wait()
	return some.Load()
}

func (s *survey) learn(e Endpoint, yes bool, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.known[e.address()]
	if a == nil {
		return
	}
	a.yes = yes
	a.again = now.Add(min(askFirst<<min(a.tries, 10), askMost))
	a.tries++
}
