package phones

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"
)

// An arraySet is the article's first form: the users in an array that every request scans. With 12,000 users a miss
// reads 96 kB. Kept as a disease; mapSet is its cure.
type arraySet struct {
	limit int
	// apply makes the array after changes, and counts those that did something.
	apply func(old []uint64, changes map[uint64]bool) (next []uint64, added, removed int)
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
	next, added, removed := s.apply(s.load(), changes)
	if len(next) > s.limit {
		return 0, 0, errSetFull
	}
	s.users.Store(&next)
	return added, removed, nil
}

// applyItems makes the array after the changes, one change after the other. It is the article's first form: each change
// looks for its user in the array, and one that takes the user out walks the array again.
func applyItems(old []uint64, changes map[uint64]bool) (next []uint64, added, removed int) {
	next = slices.Clone(old)
	for user, on := range changes {
		switch held := slices.Contains(next, user); {
		case on && !held:
			next = append(next, user)
			added++
		case !on && held:
			next = slices.DeleteFunc(next, func(u uint64) bool { return u == user })
			removed++
		}
	}
	return next, added, removed
}

// mergeItems does the same in one walk over the array, whatever the number of changes.
func mergeItems(old []uint64, changes map[uint64]bool) (next []uint64, added, removed int) {
	next = make([]uint64, 0, len(old)+len(changes))
	left := maps.Clone(changes) // those whose user was not met yet
	for _, user := range old {
		on, changed := left[user]
		if changed {
			delete(left, user)
		}
		if changed && !on {
			removed++
			continue
		}
		next = append(next, user)
	}
	for user, on := range left {
		if on {
			next = append(next, user)
			added++
		}
	}
	return next, added, removed
}
