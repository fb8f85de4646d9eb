package phones

import (
	"slices"
	"sync"
	"sync/atomic"
)

// An arraySet is the article's first form: the users in an array that every request scans. With 12,000 users a miss
// reads 96 kB. Kept as a disease; mapSet is its cure.
type arraySet struct {
	limit int
	users atomic.Pointer[[]uint64] // never changed once stored
	mu    sync.Mutex               // held by Apply, so that no change is lost
}

func (s *arraySet) load() []uint64 {
	if p := s.users.Load(); p != nil {
		return *p
	}
	return nil
}

func (s *arraySet) Has(user uint64) bool { return slices.Contains(s.load(), user) }

func (s *arraySet) Len() int { return len(s.load()) }

func (s *arraySet) Apply(changes map[uint64]bool) (added, removed int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.load()
	held := make(map[uint64]bool, len(old)) // an index for this change: scanning for each would take n²
	for _, user := range old {
		held[user] = true
	}
	added, removed = countChanges(changes, func(user uint64) bool { return held[user] })
	if len(old)+added-removed > s.limit {
		return 0, 0, errSetFull
	}
	next := make([]uint64, 0, len(old)+added-removed)
	for _, user := range old {
		if on, changed := changes[user]; on || !changed {
			next = append(next, user)
		}
	}
	for user, on := range changes {
		if on && !held[user] {
			next = append(next, user)
		}
	}
	s.users.Store(&next)
	return added, removed, nil
}
