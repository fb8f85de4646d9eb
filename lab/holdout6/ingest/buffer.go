package main

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// kinds are all the types of events that there are.
var kinds = []string{"view", "click", "scroll", "submit", "error"}

type event struct {
	Type    string `json:"type"`
	Session string `json:"session"`
	Path    string `json:"path"`
	Millis  int    `json:"ms"`
	At      int64  `json:"at"`
}

// A buffer keeps events until they are stored, and refuses more than max.
type buffer struct {
	max     int
	counted map[string]prometheus.Counter // is never changed
	unknown prometheus.Counter
	took    prometheus.Histogram

	mu            sync.Mutex
	events, spare []event
}

func newBuffer(reg prometheus.Registerer, limit int) *buffer {
	vec := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "ingest_events_total", Help: "Events by type."},
		[]string{"type"})
	took := prometheus.NewHistogram(prometheus.HistogramOpts{Name: "ingest_event_seconds", Help: "As browsers say."})
	reg.MustRegister(vec, took)
	b := &buffer{max: limit, counted: map[string]prometheus.Counter{}, unknown: vec.WithLabelValues("other"), took: took}
	for _, k := range kinds {
		b.counted[k] = vec.WithLabelValues(k)
	}
	return b
}

// add takes events, or none of them where there is no room.
func (b *buffer) add(list []event) bool {
	for _, e := range list {
		c, ok := b.counted[e.Type]
		if !ok {
			c = b.unknown
		}
		c.Inc()
		b.took.Observe(float64(e.Millis) / 1000)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.events)+len(list) > b.max {
		return false
	}
	b.events = append(b.events, list...)
	return true
}

// run stores what came, every so often, until ctx ends. Two slices take turns.
func (b *buffer) run(ctx context.Context, every time.Duration, store func([]event) error) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		b.mu.Lock()
		batch := b.events
		b.events = b.spare[:0]
		b.mu.Unlock()
		if err := store(batch); err != nil {
			slog.Error("not stored", "events", len(batch), "err", err)
		}
		clear(batch)
		b.spare = batch
	}
}
