package main

import (
	"errors"
	"fmt"
	"sync"
	"time"
)

// Errors of a transfer.
var (
	ErrUnknown = errors.New("no such purse")
	ErrFunds   = errors.New("not enough points")
	ErrSame    = errors.New("a purse cannot pay itself")
)

// A Transfer is points on their way.
type Transfer struct {
	From   int    `json:"from"`
	To     int    `json:"to"`
	Points int    `json:"points"`
	Memo   string `json:"memo"`
}

// An Entry is a line of a purse's history.
type Entry struct {
	At     time.Time `json:"at"`
	Points int       `json:"points"`
	Memo   string    `json:"memo"`
}

const historySize = 40

// A Purse belongs to a member.
type Purse struct {
	id int

	mu      sync.Mutex
	points  int
	history []Entry
}

// book needs the lock.
func (p *Purse) book(points int, memo string) {
	p.points += points
	p.history = append(p.history, Entry{time.Now(), points, memo})
	if len(p.history) > historySize {
		p.history = append(p.history[:0], p.history[len(p.history)-historySize:]...)
	}
}

func (p *Purse) credit(points int, memo string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.book(points, memo)
}

// A Ledger is all purses; the set of them is fixed at the start.
type Ledger struct {
	purses []*Purse
	rules  Rules
}

// NewLedger makes n purses with points each.
func NewLedger(n, points int) *Ledger {
	l := &Ledger{rules: Rules{Rounds: 8000, Limit: 1 << 30}}
	for i := range n {
		l.purses = append(l.purses, &Purse{id: i, points: points})
	}
	return l
}

func (l *Ledger) purse(id int) (*Purse, error) {
	if id < 0 || id >= len(l.purses) {
		return nil, fmt.Errorf("%w: %d", ErrUnknown, id)
	}
	return l.purses[id], nil
}

// Transfer moves points, or none if the payer has too few or the rules forbid it.
func (l *Ledger) Transfer(t Transfer) error {
	if t.From == t.To {
		return ErrSame
	}
	from, err := l.purse(t.From)
	if err != nil {
		return err
	}
	to, err := l.purse(t.To)
	if err != nil {
		return err
	}
	from.mu.Lock()
	defer from.mu.Unlock()
	if from.points < t.Points {
		return ErrFunds
	}
	if err := l.rules.Check(from, t); err != nil {
		return err
	}
	to.credit(t.Points, t.Memo)
	from.book(-t.Points, t.Memo)
	return nil
}

// A View is what a member sees.
type View struct {
	ID      int     `json:"id"`
	Points  int     `json:"points"`
	History []Entry `json:"history"`
}

// View copies what a purse holds.
func (l *Ledger) View(id int) (View, error) {
	p, err := l.purse(id)
	if err != nil {
		return View{}, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return View{p.id, p.points, append([]Entry(nil), p.history...)}, nil
}
