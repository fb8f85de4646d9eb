package cache

import (
	"sync"
	"sync/atomic"
)

// A tuner chooses the mode of eviction by the requests. It plays all modes at once on a sample of the keys, chosen by
// hash, in caches that are smaller by the same factor (miniature simulations: Waldspurger et al., Cache Modeling and
// Optimization using Miniature Simulations, USENIX ATC 2017), and takes the one with the most hits. No single mode is
// good on all traces: by frequency loses a shifting working set, by recency a skewed one, and both a loop.
//
// It starts when an eighth of the cache is full, so that it recognises a loop before the first eviction.
type tuner struct {
	mask    atomic.Uint64 // a hash whose bits of it are zero is in the sample; all ones: nothing is
	current atomic.Int32  // the mode, of modes

	_ [64]byte // end of what every Get reads

	mu      sync.Mutex // guards what follows; taken before a shard's
	shadows []*shadow
	asked   int     // Gets of the window
	weight  float64 // Gets of all windows, as much as they still count
	room    int     // of a shadow
}

const (
	// tuneRoom is how many entries a shadow has room for, if the cache has sixteen times that.
	tuneRoom  = 2048
	leastRoom = 32
	// leastRate is the smallest part of the keys, one in 16, that is played: it bounds what playing costs.
	leastRate = 16

	// tuneMargin is the part of the Gets by which another mode must be better: below it the difference may be random.
	tuneMargin = 0.01

	// tuneMemory is what a window is worth after the next one. A window is at most about one round of a loop, in which
	// all modes have their good and bad parts: so about twenty of them count.
	tuneMemory = 0.95

	noSample    = ^uint64(0)
	sampleShift = 30
)

func (t *tuner) init() { t.mask.Store(noSample) }

func (t *tuner) mode() mode { return modes()[t.current.Load()] }

// sampled says whether a key is played. It is all that most keys cost.
func (t *tuner) sampled(h uint64) bool { return h>>sampleShift&t.mask.Load() == 0 }

func (t *tuner) idle() bool { return t.mask.Load() == noSample }

// begin is start for the first time.
func (t *tuner) begin(entries func() int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.idle() {
		t.start(entries())
	}
}

// start begins to play, for a cache of so many entries when it is full. The room of a shadow follows the entries, if
// they change by much.
func (t *tuner) start(entries int) {
	rate := uint64(leastRate)
	for int(rate)*tuneRoom < entries {
		rate *= 2
	}
	room := max(entries/int(rate), leastRoom)
	if t.shadows != nil && t.mask.Load() == rate-1 && 4*room > 3*t.room && 3*room < 4*t.room {
		return
	}
	t.room, t.asked, t.weight, t.shadows = room, 0, 0, nil
	for _, m := range modes() {
		t.shadows = append(t.shadows, newShadow(m, room))
	}
	t.mask.Store(rate - 1)
}

// got plays a Get. It does nothing when another goroutine is busy there: a key that everybody asks for must not make
// them wait.
func (t *tuner) got(h uint64, entries func() int) {
	if !t.mu.TryLock() {
		return
	}
	defer t.mu.Unlock()
	for _, s := range t.shadows {
		s.get(h)
	}
	if t.asked++; t.asked >= t.room {
		t.choose()
		t.start(entries())
	}
}

// put plays a Set.
func (t *tuner) put(h uint64) {
	if !t.mu.TryLock() {
		return
	}
	defer t.mu.Unlock()
	for _, s := range t.shadows {
		s.set(h)
	}
}

// choose ends a window.
func (t *tuner) choose() {
	t.weight += float64(t.asked)
	t.asked = 0
	current := int(t.current.Load())
	best := current
	for i, s := range t.shadows {
		if s.hits > t.shadows[best].hits {
			best = i
		}
	}
	if t.shadows[best].hits > t.shadows[current].hits+tuneMargin*t.weight {
		t.current.Store(int32(best))
	}
	for _, s := range t.shadows {
		s.hits *= tuneMemory
	}
	t.weight *= tuneMemory
}
