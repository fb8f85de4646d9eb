package hedge

import "sync"

// A name is the key of a kind of call, in two parts so that a method and a host need not be joined for each request.
type name struct{ a, b string }

// kinds finds the policy of each kind. At most limit are kept.
type kinds struct {
	limit  int
	mu     sync.RWMutex // guards byName; no other lock is taken under it
	byName map[name]*Policy
}

func (k *kinds) get(n name) *Policy {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return k.byName[n]
}

// add keeps what create makes, unless another was faster.
func (k *kinds) add(n name, create func() *Policy) *Policy {
	k.mu.Lock()
	defer k.mu.Unlock()
	if found := k.byName[n]; found != nil {
		return found
	}
	if k.byName == nil {
		k.byName = make(map[name]*Policy)
	}
	if len(k.byName) >= k.limit {
		k.evict()
	}
	p := create()
	p.kind.used.Store(int64(p.shared.now()))
	k.byName[n] = p
	return p
}

// evict removes the least recently used of eight that the map's random order gives, as Redis does: a full order would
// cost a lock per call, a full search a thousand steps. Callers that still have the policy can use it.
func (k *kinds) evict() {
	var oldest name
	var used int64
	seen := 0
	for n, p := range k.byName {
		if u := p.kind.used.Load(); seen == 0 || u < used {
			oldest, used = n, u
		}
		if seen++; seen == 8 {
			break
		}
	}
	delete(k.byName, oldest)
}

func (k *kinds) len() int {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return len(k.byName)
}
