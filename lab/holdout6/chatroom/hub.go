package main

import (
	"encoding/json"
	"net"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// A Message is what somebody wrote.
type Message struct {
	From string    `json:"from"`
	Text string    `json:"text"`
	At   time.Time `json:"at"`
}

// A hub has the rooms.
type hub struct {
	mu    sync.Mutex
	rooms map[string]*room
}

// A room has its members.
type room struct {
	mu      sync.Mutex
	members map[*websocket.Conn]struct{}
}

func newHub() *hub { return &hub{rooms: map[string]*room{}} }

func (h *hub) room(name string) *room {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.rooms[name]
	if r == nil {
		r = &room{members: map[*websocket.Conn]struct{}{}}
		h.rooms[name] = r
	}
	return r
}

// join keeps a connection in a room until it ends.
func (h *hub) join(name string, c *websocket.Conn) {
	if t, ok := c.NetConn().(*net.TCPConn); ok {
		t.SetWriteBuffer(16 << 10) // there are many members, and the kernel's memory is ours, too
	}
	r := h.room(name)
	r.mu.Lock()
	r.members[c] = struct{}{}
	r.mu.Unlock()
	defer r.leave(c)
	for {
		if _, _, err := c.ReadMessage(); err != nil { // only to see pings and the end
			return
		}
	}
}

func (r *room) leave(c *websocket.Conn) {
	r.mu.Lock()
	delete(r.members, c)
	r.mu.Unlock()
	c.Close()
}

func (r *room) size() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.members)
}

// broadcast sends a message to all members, in the same order to each.
func (r *room) broadcast(m Message) int {
	m.At = time.Now()
	text, err := json.Marshal(m)
	if err != nil {
		return 0
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for c := range r.members {
		c.SetWriteDeadline(time.Now().Add(10 * time.Second))
		if err := c.WriteMessage(websocket.TextMessage, text); err != nil {
			c.Close()
			delete(r.members, c)
		}
	}
	return len(r.members)
}
