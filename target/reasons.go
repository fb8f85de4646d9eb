package target

import (
	"maps"
	"sync"

	"github.com/gocasebook/casebook/vitals"
)

// reasons say why signals are absent, by name. The zero value is empty and ready.
type reasons struct {
	mu sync.Mutex // guards m
	m  map[string]string
}

func (r *reasons) set(why string, ids ...vitals.ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.m == nil {
		r.m = make(map[string]string)
	}
	for _, id := range ids {
		r.m[id.String()] = why
	}
}

func (r *reasons) clear(ids ...vitals.ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, id := range ids {
		delete(r.m, id.String())
	}
}

func (r *reasons) all() map[string]string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.m)
}
