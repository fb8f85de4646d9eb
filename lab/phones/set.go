package phones

import (
	"errors"
	"fmt"
)

// maxSetUsers bounds the call-tracking set: eight times the article's forecast of 120,000, rounded.
const maxSetUsers = 1_000_000

var errSetFull = errors.New("the call-tracking set is full")

// A Set holds the users with call tracking. Reading never waits for a change: a change makes a new set and puts it in
// the place of the old one at once (read-copy-update). Changes come once in minutes, reads with every request.
type Set interface {
	// Has reports whether a user has call tracking.
	Has(user uint64) bool
	// Apply switches users on (true) and off. It returns how many it added and removed. When the result would hold
	// more users than the set may, it changes nothing and returns errSetFull.
	Apply(changes map[uint64]bool) (added, removed int, err error)
	// Len is how many users are on.
	Len() int
}

// setNames are the values of -set, applyNames those of -apply: how an array changes.
var (
	setNames   = []string{"array", "map"}
	applyNames = []string{"scan", "merge"}
)

// newSet makes an empty set of the named kind. apply is for an array.
func newSet(name, apply string) (Set, error) {
	switch {
	case name == "array" && apply == "scan":
		return &arraySet{limit: maxSetUsers, apply: applyItems}, nil
	case name == "array" && apply == "merge":
		return &arraySet{limit: maxSetUsers, apply: mergeItems}, nil
	case name == "map":
		return &mapSet{limit: maxSetUsers}, nil
	}
	return nil, fmt.Errorf("unknown set %q that changes by %q", name, apply)
}

// countChanges says what changes do to a set that holds the users for which has is true.
func countChanges(changes map[uint64]bool, has func(uint64) bool) (added, removed int) {
	for user, on := range changes {
		switch held := has(user); {
		case on && !held:
			added++
		case !on && held:
			removed++
		}
	}
	return added, removed
}
