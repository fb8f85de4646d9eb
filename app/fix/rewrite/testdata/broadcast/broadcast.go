// Package broadcast waits for changes.
package broadcast

import "sync"

// board is lab/holdout5/kitchen.
type board struct {
	mu      sync.Mutex
	changed *sync.Cond
	served  map[int]bool
	Any     *sync.Cond
	once    sync.Cond
}

func (b *board) serve(id int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.served[id] = true
	b.changed.Signal()
}

func (b *board) await(id int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for !b.served[id] {
		b.changed.Wait()
	}
}

// any is for other packages to wait on.
func (b *board) any() { b.Any.Signal() }

func (b *board) wake() { b.once.Signal() }

// sleep does not look again.
func (b *board) sleep() {
	b.mu.Lock()
	b.once.Wait()
	b.mu.Unlock()
}
