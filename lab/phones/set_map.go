package phones

import (
	"maps"
	"sync"
	"sync/atomic"
)

// A mapSet finds a user by hash, in the same time whatever the number of users.
type mapSet struct {
	limit int
	users atomic.Pointer[map[uint64]struct{}] // never changed once stored
	mu    sync.Mutex                          // held by Apply, so that no change is lost
}

func (s *mapSet) load() map[uint64]struct{} {
	if p := s.users.Load(); p != nil {
		return *p
	}
	return nil
}

func (s *mapSet) Has(user uint64) bool {
	_, ok := s.load()[user]
	return ok
}

func (s *mapSet) Len() int { return len(s.load()) }

func (s *mapSet) Apply(changes map[uint64]bool) (added, removed int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.load()
	added, removed = countChanges(changes, s.Has)
	if len(old)+added-removed > s.limit {
		return 0, 0, errSetFull
	}
	next := make(map[uint64]struct{}, len(old)+added)
	maps.Copy(next, old)
	for user, on := range changes {
		if on {
			next[user] = struct{}{}
		} else {
			delete(next, user)
		}
	}
	s.users.Store(&next)
	return added, removed, nil
}
