package main

import (
	"encoding/json"
	"sync"
	"time"
)

// An event is one thing that happened to an order.
type event struct {
	At      time.Time       `json:"at"`
	Who     string          `json:"who"`
	What    string          `json:"what"`
	Payload json.RawMessage `json:"payload"`
}

// An auditTrail remembers what happened.
type auditTrail struct {
	now func() time.Time

	mu     sync.Mutex // guards events
	events []event
}

func (a *auditTrail) record(who, what string, payload []byte) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.events = append(a.events, event{At: a.now(), Who: who, What: what, Payload: payload}) // trial:fault
}

// last returns the n latest events, newest first.
func (a *auditTrail) last(n int) []event {
	a.mu.Lock()
	defer a.mu.Unlock()
	n = min(n, len(a.events))
	latest := make([]event, 0, n)
	for i := range n {
		latest = append(latest, a.events[len(a.events)-1-i])
	}
	return latest
}
