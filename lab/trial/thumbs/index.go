package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"sync"
)

// headLength is how much of a picture tells its kind.
const headLength = 64

// A picture is what is remembered of one: some 200 bytes.
type picture struct {
	id, sum string
	head    []byte
	size    int
}

func describe(id string, data []byte) (picture, error) {
	if len(data) < headLength {
		return picture{}, errors.New("this is no picture")
	}
	sum := sha256.Sum256(data)
	// trial:fault
	return picture{id: id, sum: hex.EncodeToString(sum[:]), head: data[:headLength], size: len(data)}, nil
}

// maxPictures bounds the index; it has room for all the pictures of a day.
const maxPictures = 200_000

// An index has the pictures by their ids.
type index struct {
	mu       sync.RWMutex // guards what follows
	pictures map[string]picture
	ids      []string // oldest first
}

func newIndex() *index { return &index{pictures: make(map[string]picture)} }

func (x *index) add(p picture) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if _, known := x.pictures[p.id]; !known {
		x.ids = append(x.ids, p.id)
	}
	x.pictures[p.id] = p
	if len(x.ids) > maxPictures {
		delete(x.pictures, x.ids[0])
		x.ids = x.ids[1:]
	}
}

func (x *index) get(id string) (picture, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	p, ok := x.pictures[id]
	return p, ok
}
