package main

import (
	"context"
	"fmt"
	"sync"
	"time"
)

type event struct{ Kind, Text string }

// match is a match and those who follow it.
type match struct {
	id         int
	home, away string

	mu        sync.Mutex
	goals     [2]int
	followers map[chan event]struct{}
}

// follow returns the events from now on; leave ends it.
func (m *match) follow() (events <-chan event, leave func()) {
	ch := make(chan event, 8)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.followers[ch] = struct{}{}
	return ch, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.followers, ch)
	}
}

// tell leaves out followers that are slow.
func (m *match) tell(e event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for ch := range m.followers {
		select {
		case ch <- e:
		default:
		}
	}
}

func (m *match) score(side int) {
	m.mu.Lock()
	m.goals[side]++
	text := fmt.Sprintf("%s %d : %d %s", m.home, m.goals[0], m.goals[1], m.away)
	m.mu.Unlock()
	m.tell(event{"goal", text})
}

type standing struct {
	ID       int    `json:"id"`
	Home     string `json:"home"`
	Away     string `json:"away"`
	Goals    [2]int `json:"goals"`
	Watching int    `json:"watching"`
}

// matchDay is the matches of a day; the set of them is fixed.
type matchDay struct{ matches []*match }

func newMatchDay(n int) *matchDay {
	d := &matchDay{}
	for i := range n {
		d.matches = append(d.matches, &match{id: i, home: fmt.Sprintf("Home %d", i), away: fmt.Sprintf("Away %d", i),
			followers: map[chan event]struct{}{}})
	}
	return d
}

func (d *matchDay) match(id int) (*match, bool) {
	if id < 0 || id >= len(d.matches) {
		return nil, false
	}
	return d.matches[id], true
}

func (d *matchDay) table() (list []standing) {
	for _, m := range d.matches {
		m.mu.Lock()
		list = append(list, standing{m.id, m.home, m.away, m.goals, len(m.followers)})
		m.mu.Unlock()
	}
	return list
}

// play makes things happen in each match, some each second.
func (d *matchDay) play(ctx context.Context) {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for i := 0; ; i++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		m := d.matches[i%len(d.matches)]
		if i%7 == 0 {
			m.score(i % 2)
			continue
		}
		m.tell(event{"ticker", fmt.Sprintf("minute %d: throw-in for %s", i/20%90, m.home)})
	}
}
