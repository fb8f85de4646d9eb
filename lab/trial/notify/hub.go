package main

import (
	"log/slog"
	"sync"
	"sync/atomic"
)

type message struct {
	Title string `json:"title"`
	Text  string `json:"text"`
}

// A session is one phone's. Its goroutine delivers what comes in, in order.
type session struct {
	device    string
	inbox     chan message
	delivered atomic.Int64
}

// A hub has the sessions.
type hub struct {
	log *slog.Logger

	mu       sync.Mutex // guards sessions
	sessions map[string]*session
}

func newHub(log *slog.Logger) *hub { return &hub{log: log, sessions: make(map[string]*session)} }

// register makes a new session for a device: its app has started anew and knows nothing of the old one.
func (h *hub) register(device string) {
	s := &session{device: device, inbox: make(chan message, 16)}
	h.mu.Lock()
	h.sessions[device] = s
	h.mu.Unlock()
	go h.deliver(s) // trial:fault
}

// deliver sends a session's messages to its phone until the inbox is closed.
func (h *hub) deliver(s *session) {
	for m := range s.inbox { // trial:fault
		s.delivered.Add(1)
		h.log.Debug("delivered", "device", s.device, "title", m.Title)
	}
}

// push hands a message to a device's session; false when it has none or its inbox is full.
func (h *hub) push(device string, m message) bool {
	h.mu.Lock()
	s, ok := h.sessions[device]
	h.mu.Unlock()
	if !ok {
		return false
	}
	select {
	case s.inbox <- m:
		return true
	default:
		return false
	}
}
