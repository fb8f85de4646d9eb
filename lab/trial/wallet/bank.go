package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
)

type account struct {
	name string

	mu    sync.Mutex // guards cents
	cents int64
}

// A bank has the accounts, and a journal of what was moved.
type bank struct {
	journal  *os.File
	accounts map[string]*account
}

func newBank(journal *os.File) *bank {
	b := &bank{journal: journal, accounts: make(map[string]*account)}
	names := []string{"house", "fees", "tax", "reserve"}
	for i := range 200 {
		names = append(names, fmt.Sprintf("customer-%d", i+1))
	}
	for _, name := range names {
		b.accounts[name] = &account{name: name, cents: 1_000_000_000}
	}
	return b
}

// move takes from one account and gives to the other. Both are locked, so that nobody sees money that is in neither.
func (b *bank) move(t transfer) error {
	from, to := b.accounts[t.From], b.accounts[t.To]
	if from == nil || to == nil || from == to {
		return errors.New("no such transfer")
	}
	from.mu.Lock() // trial:fault
	defer from.mu.Unlock()
	if from.cents < t.Cents {
		return errors.New("not enough money")
	}
	line, err := json.Marshal(t)
	if err != nil {
		return err
	}
	if _, err := b.journal.Write(append(line, '\n')); err != nil { // before anything moves
		return fmt.Errorf("writing the journal: %w", err)
	}
	if err := b.journal.Sync(); err != nil {
		return fmt.Errorf("syncing the journal: %w", err)
	}
	to.mu.Lock() // trial:fault
	defer to.mu.Unlock()
	from.cents -= t.Cents
	to.cents += t.Cents
	return nil
}

func (b *bank) balance(name string) (int64, bool) {
	a, ok := b.accounts[name]
	if !ok {
		return 0, false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.cents, true
}
