package main

import (
	"encoding/json"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// score is what players see of each other.
type score struct {
	Player int `json:"p"`
	Points int `json:"s"`
}

// player is a connection. Who reads too slowly misses a turn.
type player struct {
	conn *websocket.Conn
	send chan *websocket.PreparedMessage
}

func (p *player) write() {
	defer p.conn.Close()
	for m := range p.send {
		p.conn.SetWriteDeadline(time.Now().Add(5 * time.Second))
		if err := p.conn.WritePreparedMessage(m); err != nil {
			return
		}
	}
}

// room is players of one game.
type room struct {
	mu      sync.Mutex
	players map[int]*player
	points  map[int]int
}

func (r *room) join(id int, p *player) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.players[id] = p
}

func (r *room) leave(id int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if p, ok := r.players[id]; ok {
		close(p.send)
		delete(r.players, id)
		delete(r.points, id)
	}
}

func (r *room) score(id, points int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.points[id] += points
}

// turn sends the points of all to all: encoded once a room.
func (r *room) turn() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.players) == 0 {
		return nil
	}
	list := make([]score, 0, len(r.players))
	for id := range r.players {
		list = append(list, score{id, r.points[id]})
	}
	text, err := json.Marshal(list)
	if err != nil {
		return err
	}
	m, err := websocket.NewPreparedMessage(websocket.TextMessage, text)
	if err != nil {
		return err
	}
	for _, p := range r.players {
		select {
		case p.send <- m:
		default:
		}
	}
	return nil
}
