package main

import "sync"

type state int

const (
	cooking state = iota
	served
)

type ticket struct {
	state state
	shelf int
}

// Board is the tickets of the day.
type Board struct {
	mu      sync.Mutex
	changed *sync.Cond
	tickets map[int]*ticket
	shelves int
	next    int
}

// NewBoard has shelves to put dishes on, which are used in turn.
func NewBoard(shelves int) *Board {
	b := &Board{tickets: make(map[int]*ticket), shelves: shelves}
	b.changed = sync.NewCond(&b.mu)
	return b
}

// Place puts a ticket on the board.
func (b *Board) Place(id int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, known := b.tickets[id]; !known {
		b.tickets[id] = &ticket{}
	}
}

// Serve says that a ticket's dish is on its shelf.
func (b *Board) Serve(id int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t, known := b.tickets[id]
	if !known || t.state == served {
		return
	}
	t.state, t.shelf = served, b.next%b.shelves
	b.next++
	b.changed.Signal()
}

// Await returns the shelf of a ticket once it is served. It is false for a ticket that nobody placed.
func (b *Board) Await(id int) (shelf int, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t, ok := b.tickets[id]
	if !ok {
		return 0, false
	}
	for t.state != served {
		b.changed.Wait()
	}
	return t.shelf, true
}
