package diagnose

import (
	"fmt"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A caller cannot split a lock inside a library or shorten the time for which it is held. It can only call less often,
// or differently.

// insideLockRemedies are for a lock of fn's, reached at a line of the user's.
func insideLockRemedies(fn *stacks.Func, at string) []casefile.Remedy {
	return append(libraryLock(fn, at),
		doChange("Call it less", fmt.Sprintf("At %s: the lock is inside %s. Keep its results, pass it many items at "+
			"once, or call it outside the code that runs in parallel.", at, short(fn.Name)), "none"),
		doChange("Have several of it", fmt.Sprintf("If %s has its own state, use one instance per worker or shard: "+
			"each has its own lock.", short(fn.Name)), "memory, and there is no consistent view of all of them"),
	)
}

// libraryLock is what is known to help with a lock of fn's; none of most.
func libraryLock(fn *stacks.Func, at string) []casefile.Remedy {
	for _, l := range known.LibraryLocks() {
		if strings.HasPrefix(fn.Name, l.Prefix) {
			return []casefile.Remedy{doChange(l.Title, fmt.Sprintf(l.Text, at), l.Price)}
		}
	}
	return nil
}
