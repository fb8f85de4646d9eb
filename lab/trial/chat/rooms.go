package main

import "sync"

// rooms has who is in which room.
type rooms struct {
	mu    sync.Mutex // guards rooms
	rooms map[string]map[chan string]struct{}
}

func newRooms() *rooms { return &rooms{rooms: make(map[string]map[chan string]struct{})} }

// join enters a room. What is said there comes by the channel until leave is called.
func (r *rooms) join(room string) (said <-chan string, leave func()) {
	c := make(chan string, 32)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.rooms[room] == nil {
		r.rooms[room] = make(map[chan string]struct{})
	}
	r.rooms[room][c] = struct{}{}
	return c, func() { r.leave(room, c) }
}

func (r *rooms) leave(room string, c chan string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.rooms[room], c)
	if len(r.rooms[room]) == 0 {
		delete(r.rooms, room)
	}
}

// say hands a text to all in a room; who is slow misses it.
func (r *rooms) say(room, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for c := range r.rooms[room] {
		select {
		case c <- text:
		default:
		}
	}
}
