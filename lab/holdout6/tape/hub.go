package main

import (
	"encoding/json"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
)

var writeBuffers sync.Pool

type tick struct {
	Symbol string  `json:"symbol"`
	Price  float64 `json:"price"`
	Size   int     `json:"size"`
}

// A hub has the watchers.
type hub struct {
	mu       sync.RWMutex
	watchers map[*watcher]struct{}
	missed   atomic.Int64
}

// A watcher has room for 64 prices that are not written yet.
type watcher struct {
	conn  *websocket.Conn
	queue chan *websocket.PreparedMessage
}

func newHub() *hub { return &hub{watchers: map[*watcher]struct{}{}} }

// publish encodes a price once for all watchers.
func (h *hub) publish(t tick) {
	text, err := json.Marshal(t)
	if err != nil {
		return
	}
	m, err := websocket.NewPreparedMessage(websocket.TextMessage, text)
	if err != nil {
		return
	}
	h.mu.RLock()
	defer h.mu.RUnlock()
	for w := range h.watchers {
		select {
		case w.queue <- m:
		default:
			h.missed.Add(1)
		}
	}
}

// serve is a watcher until the connection ends.
func (h *hub) serve(c *websocket.Conn) {
	w := &watcher{conn: c, queue: make(chan *websocket.PreparedMessage, 64)}
	h.mu.Lock()
	h.watchers[w] = struct{}{}
	h.mu.Unlock()
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		for {
			if _, _, err := c.ReadMessage(); err != nil {
				return
			}
		}
	}()
	w.write(gone)
	h.mu.Lock()
	delete(h.watchers, w)
	h.mu.Unlock()
	c.Close()
	<-gone
}

func (w *watcher) write(gone <-chan struct{}) {
	ping := time.NewTicker(20 * time.Second)
	defer ping.Stop()
	for {
		var err error
		select {
		case m := <-w.queue:
			w.conn.SetWriteDeadline(time.Now().Add(10 * time.Second))
			err = w.conn.WritePreparedMessage(m)
		case <-ping.C:
			err = w.conn.WriteControl(websocket.PingMessage, nil, time.Now().Add(10*time.Second))
		case <-gone:
			return
		}
		if err != nil {
			return
		}
	}
}
