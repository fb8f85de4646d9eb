package main

import (
	"sync"
	"time"
)

type price struct {
	Symbol string    `json:"symbol"`
	Cents  int       `json:"cents"`
	At     time.Time `json:"at"`
}

// A bus calls whoever subscribed to a topic.
type bus struct {
	mu     sync.RWMutex // guards topics
	topics map[string][]func(price)
}

func newBus() *bus { return &bus{topics: make(map[string][]func(price))} }

func (b *bus) subscribe(topic string, f func(price)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.topics[topic] = append(b.topics[topic], f) // trial:fault
}

func (b *bus) publish(topic string, p price) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	for _, f := range b.topics[topic] {
		f(p)
	}
}
