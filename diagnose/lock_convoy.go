package diagnose

import (
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
)

// shortHold is the time in seconds below which a lock costs more by being handed over than by being held: to park a
// goroutine and to wake it takes some microseconds, on a busy machine some tens of them.
const shortHold = 100e-6

// lockConvoy is the sign that a lock is held for short moments, one after the other: of a lock that always has a queue,
// the time between two waits is what one of them is held for, with its hand-over. Where waits are not counted, CPU in
// the slow path of locking shows it: a lock that is held for long is seldom taken.
func lockConvoy(signs []*lockSign) (*lockSign, bool) {
	for _, s := range signs {
		if s.perSecond > 0 {
			return s, s.perSecond > 1/shortHold
		}
	}
	i := slices.IndexFunc(signs, func(s *lockSign) bool { return s.resource == "cpu" })
	return signs[max(i, 0)], i >= 0
}

// saysConvoy makes a finding about a lock one about how often it is taken.
func (s *lockSign) saysConvoy(f *casefile.Finding, at string) {
	f.Title = fmt.Sprintf("Goroutines take turns at a short lock at %s", at)
	if s.perSecond > 0 {
		f.Summary += fmt.Sprintf(" %s waits a second leave %s for each: it is held for less than that.",
			count(s.perSecond), seconds(1/s.perSecond))
	}
	f.Summary += " What it costs is to be handed over, a lock convoy."
	f.Remedies = []casefile.Remedy{
		doChange("Take it once for many", fmt.Sprintf("At %s: gather what a request or a batch has in a variable of its "+
			"own, and take the lock once for all of it; counters become atomics.", at),
			"others see changes a little later"),
		doChange("Split the lock", "Shard the data by a hash of its key, with a lock for each shard (16–256): a shard "+
			"without a queue is taken by one atomic instruction.", "there is no consistent view of all shards"),
		doChange("Read without a lock", "If data is read far more often than written, keep it immutable behind an "+
			"atomic.Pointer and replace it as a whole.", "a write copies the data"),
	}
}
