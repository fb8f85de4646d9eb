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

func (s *arraySet) Has(user uint64) bool { return has(s.load(), user) }

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

// has and remove are loops, as the article's are: slices.Contains and slices.DeleteFunc would show by name in a
// profile.

func has(users []uint64, user uint64) bool {
	for _, u := range users {
		if u == user {
			return true
		}
	}
	return false
}

// remove takes a user out that is there once. The last one takes the place.
func remove(users []uint64, user uint64) []uint64 {
	for i, u := range users {
		if u == user {
			users[i] = users[len(users)-1]
			return users[:len(users)-1]
		}
	}
	return users
}

// applyItems makes the array after the changes, one change after the other. It is the article's first form: each change
// looks twice for its user in the array, and one that takes the user out walks the array a third time.
func applyItems(old []uint64, changes map[uint64]bool) (next []uint64, added, removed int) {
	next = slices.Clone(old)
	for user, on := range changes {
		if has(next, user) && !on {
			next = remove(next, user)
			removed++
		}
		if !has(next, user) && on {
			next = append(next, user)
			added++
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
