// Package unlock takes locks.
package unlock

import (
	"errors"
	"sync"
	"time"
)

var errNoSeat, errTaken = errors.New("no such seat"), errors.New("taken")

type block struct {
	sync.Mutex
	seats []time.Time
}

type hall struct {
	blocks []block
	mu     sync.RWMutex
	names  map[string]int
}

// reserve is lab/holdout2/ushers.
func (h *hall) reserve(b, seat int) (time.Time, error) {
	bl := &h.blocks[b%len(h.blocks)]
	bl.Lock()
	if seat < 0 || seat >= len(bl.seats) {
		return time.Time{}, errNoSeat
	}
	if time.Now().Before(bl.seats[seat]) {
		bl.Unlock()
		return time.Time{}, errTaken
	}
	bl.seats[seat] = time.Now()
	bl.Unlock()
	return bl.seats[seat], nil
}

// find reads.
func (h *hall) find(name string) int {
	h.mu.RLock()
	if h.names == nil {
		return -1
	}
	n := h.names[name]
	h.mu.RUnlock()
	return n
}

// right gives it back everywhere.
func (h *hall) right(name string) int {
	h.mu.Lock()
	if h.names == nil {
		h.mu.Unlock()
		return -1
	}
	n := h.names[name]
	h.mu.Unlock()
	if n == 0 {
		return -2
	}
	return n
}

// deferred does, too.
func (h *hall) deferred(name string) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.names == nil {
		return -1
	}
	return h.names[name]
}

// relocks is nats-server's (*client).flushOutbound: the caller holds the lock.
func (h *hall) relocks(name string) int {
	if h.names == nil {
		h.mu.Unlock()
		time.Sleep(time.Millisecond)
		h.mu.Lock()
		return -1
	}
	h.mu.Unlock()
	return 0
}

// between is nats-server's createRaftGroup: deferred, and given back for a while.
func (h *hall) between(name string) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	for h.names == nil {
		h.mu.Unlock()
		time.Sleep(time.Millisecond)
		h.mu.Lock()
		if h.blocks == nil {
			return -1
		}
	}
	return h.names[name]
}

// begin is meant to return with the lock.
func (h *hall) begin() bool {
	h.mu.Lock()
	return true
}

// either gives it back in both branches.
func (h *hall) either(name string) int {
	h.mu.Lock()
	if h.names == nil {
		h.mu.Unlock()
	} else {
		h.names[name]++
		h.mu.Unlock()
	}
	return 0
}
