// Package registry knows the tenants. It is filled from the control plane.
package registry

import (
	"context"
	"sync"
	"time"
)

// Tenant is a customer.
type Tenant struct {
	ID        string
	Plan      string
	Suspended bool
	Quota     int
	Region    string
	Changed   time.Time
}

// Registry is safe for concurrent use.
type Registry struct {
	mu      sync.RWMutex
	tenants map[string]Tenant
	version int
}

func New() *Registry { return &Registry{tenants: make(map[string]Tenant)} }

// Set adds or changes a tenant.
func (r *Registry) Set(t Tenant) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tenants[t.ID] = t
	r.version++
}

// All returns the tenants by ID. It is a copy: the caller may do with it what it likes.
func (r *Registry) All() map[string]Tenant {
	r.mu.RLock()
	defer r.mu.RUnlock()
	all := make(map[string]Tenant, len(r.tenants))
	for id, t := range r.tenants {
		all[id] = t
	}
	return all
}

func (r *Registry) Version() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.version
}

// Follow applies changes until they end.
func (r *Registry) Follow(ctx context.Context, changes <-chan Tenant) {
	for {
		select {
		case <-ctx.Done():
			return
		case t := <-changes:
			t.Changed = time.Now()
			r.Set(t)
		}
	}
}
